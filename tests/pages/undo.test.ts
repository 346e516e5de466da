import { contactMessages } from '../../app/db/schema'
import { setHidden } from '../../app/store/catalog/manage-instruments.server'
import { markMessage } from '../../app/store/contact.server'
import { expect, test, type Shop } from '../support/shop'

const list = '/dashboard/manageProduct'

async function isHidden(shop: Shop, id: string): Promise<boolean> {
  return (await shop.visitor().get(`/instruments/${id}`, { accept: 'application/json' })).status === 404
}

test('takes back hiding and showing a product from its toast, unless somebody changed it since', async ({ shop }) => {
  const [violin, admin] = [await shop.sells({ name: 'Violin' }), await shop.admin()]
  const browser = await shop.signedIn(admin)
  const hidden = await browser.press(await browser.get(list), 'Hide', {}, { row: 'Violin' })
  expect(hidden.page.querySelector('[role=status]')!.text).toContain('Product hidden.')
  expect(await isHidden(shop, violin)).toBe(true)
  // A form in a paragraph would be taken out of it.
  expect(hidden.page.querySelector('div.toast form button')!.text).toBe('Undo')
  const shown = await browser.press(hidden, 'Undo')
  expect(shown.page.querySelector('[role=status]')!.text).toContain('Product shown again.')
  expect(await isHidden(shop, violin)).toBe(false)

  const again = await browser.press(shown, 'Undo')
  expect(await isHidden(shop, violin)).toBe(true)
  for (const hides of [false, true]) await setHidden(shop.deps, admin, violin, hides)
  expect((await browser.press(again, 'Undo')).text).toContain('Somebody has changed this since. Nothing was undone.')
  expect(await isHidden(shop, violin)).toBe(true)
})

test('takes back a change of the stock, and keeps what others changed since', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin', stock: 10 })
  const browser = await shop.signedIn(await shop.admin())
  const press = async (button: string, pieces: string) =>
    browser.press(await browser.get(list), button, { pieces }, { row: 'Violin' })
  const first = await press('Add', '4')
  await press('Take out', '1')
  const undone = await browser.press(first, 'Undo')
  expect(undone.text).toContain('4 taken out.')
  expect(await shop.stockOf(violin)).toBe(9)
  // A second press of the same Undo is the same submission.
  expect((await browser.press(first, 'Undo')).text).toContain('It was not made twice.')
  expect(await shop.stockOf(violin)).toBe(9)
})

test('opens a message again that was done by mistake, unless it was done once more', async ({ shop }) => {
  const message = { name: 'Zoe', email: 'zoe@example.com', message: 'Hello', copy: 0, createdAt: Date.now() }
  await shop.deps.db.insert(contactMessages).values({ id: 'm1', ...message })
  const admin = await shop.admin()
  const browser = await shop.signedIn(admin)
  const doneAt = async () => (await shop.deps.db.select().from(contactMessages))[0]!.doneAt
  const done = await browser.press(await browser.get('/dashboard/messages'), 'Done')
  expect(await doneAt()).not.toBeNull()
  expect((await browser.press(done, 'Undo')).text).toContain('The message is open.')
  expect(await doneAt()).toBeNull()
  await markMessage(shop.deps, admin, { messageId: 'm1', isDone: true })
  expect((await browser.press(done, 'Undo')).text).toContain('Somebody has changed this since. Nothing was undone.')
  expect(await doneAt()).not.toBeNull()
})
