import { contactMessages } from '../../app/db/schema'
import { findManagedInstrument } from '../../app/store/catalog/instruments.server'
import { removeInstrument, setHidden } from '../../app/store/catalog/manage-instruments.server'
import { markMessages, undoDone } from '../../app/store/email/contact.server'
import { newId } from '../../app/store/shared/ids.server'
import { later } from '../support/payments'
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

test('takes back a change of the price, unless the product was changed since', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin', price: 1234_50 })
  const browser = await shop.signedIn(await shop.admin())
  const priceOf = async () => (await findManagedInstrument(shop.deps, violin))!.priceCents
  const save = async (fields: Record<string, string>) =>
    browser.press(await browser.get(`${list}/${violin}`), 'Save', fields)
  const saved = await save({ price: '12.50', description: 'Old' })
  await setHidden(shop.deps, await shop.admin(), violin, true)
  const undone = await browser.press(saved, 'Back to $1,234.50')
  expect(undone.text).toContain('The price is $1,234.50 again.')
  expect(await priceOf()).toBe(1234_50)
  expect(await findManagedInstrument(shop.deps, violin)).toMatchObject({ description: 'Old', hidden: 1 })
  expect((await shop.auditLogOf(violin)).at(-1)).toMatchObject({ note: 'price $12.50 → $1,234.50' })
  const again = await browser.press(saved, 'Back to $1,234.50')
  expect(again.text).toContain('Somebody has changed this since. Nothing was undone.')

  const cheap = await save({ price: '5' })
  await save({ brand: 'Bow & Reed' })
  expect((await browser.press(cheap, 'Back to $1,234.50')).text).toContain('Nothing was undone.')
  expect(await priceOf()).toBe(5_00)
  expect((await save({ description: 'Older' })).page.querySelector('.toast-undo')).toBeNull()
  expect((await save({ price: '6', breakFrom1: '5', breakPrice1: '4' })).page.querySelector('.toast-undo')).toBeNull()
})

test('takes back hiding several, and names those that somebody has changed since', async ({ shop }) => {
  const names = ['Violin', 'Viola', 'Oboe', 'Cello']
  const ids = await Promise.all(names.map((name) => shop.sells({ name })))
  const [violin, viola, oboe, cello] = ids as [string, string, string, string]
  const admin = await shop.admin()
  const browser = await shop.signedIn(admin)
  const ticked: [string, string][] = [violin, viola, oboe].map((id) => ['product', id])
  const hidden = await browser.post(list, [['command', 'hide-all'], ...ticked, ['product', 'unknown']])
  expect(hidden.text).toContain('3 hidden.')
  for (const hides of [false, true]) await setHidden(shop.deps, admin, viola, hides)
  await removeInstrument(shop.deps, admin.id, oboe)
  const undone = await browser.press(hidden, 'Undo')
  expect(undone.text).toContain(
    '1 shown again. Somebody has changed these since, and they stay as they are: Oboe, Viola.',
  )
  expect(await Promise.all(ids.map((id) => isHidden(shop, id)))).toEqual([false, true, true, false])
  expect((await browser.press(hidden, 'Undo')).text).toContain('Nothing was undone.')

  // Showing several is taken back too; what another admin or nobody has done is not.
  await setHidden(shop.deps, admin, cello, true)
  const shown = await browser.post(list, [
    ['command', 'show-all'],
    ['product', viola],
    ['product', cello],
  ])
  const form = shown.page.querySelector('form.toast-undo')!
  const [first, last] = ['first', 'last'].map((name) => form.querySelector(`[name=${name}]`)!.getAttribute('value')!)
  const other = await shop.signedIn(await shop.admin())
  const command = { command: 'undo-show', first: first!, last: last! }
  expect((await other.post(list, command)).text).toContain('Nothing was undone.')
  expect((await browser.post(list, { ...command, last: String(Number(last) + 50) })).status).toBe(422)
  expect((await browser.press(shown, 'Undo')).text).toContain('2 hidden again.')
  expect(await Promise.all(ids.map((id) => isHidden(shop, id)))).toEqual([false, true, true, true])
})

test('takes back price and stock of several, and names those that somebody has changed since', async ({ shop }) => {
  const names = ['Cello', 'Oboe', 'Tuba', 'Viola', 'Violin']
  const ids = await Promise.all(names.map((name) => shop.sells({ name, price: 100_00, stock: 10 })))
  const admin = await shop.admin()
  const browser = await shop.signedIn(admin)
  const several = async (which: string[], fields: Record<string, string>) => {
    const ticked = new URLSearchParams(which.map((id): [string, string] => ['product', id]))
    return browser.press(await browser.get(`${list}/several?${ticked.toString()}`), 'Save', fields)
  }
  const now = async () =>
    Promise.all(
      ids.map(async (id) => {
        const { priceCents, availableQuantity } = (await findManagedInstrument(shop.deps, id))!
        return [priceCents / 100, availableQuantity]
      }),
    )
  const prices = Object.fromEntries(ids.slice(0, 4).map((_, nth) => [`price${nth + 1}`, '120']))
  const saved = await several(ids, { ...prices, stock2: '4', stock3: '12', stock5: '13' })
  const changed = [
    [120, 10],
    [120, 4],
    [120, 12],
    [120, 10],
    [100, 13],
  ]
  expect(await now()).toEqual(changed)
  // Another price of the cello; the two pieces of the tuba are gone; two more violins.
  await several([ids[0]!], { price1: '130' })
  await several([ids[2]!], { stock1: '1' })
  await several([ids[4]!], { stock1: '15' })
  const undone = await browser.press(saved, 'Undo')
  expect(undone.text).toContain(
    '3 as before. Somebody has changed these since, and they stay as they are: Cello, Tuba.',
  )
  const after = [
    [130, 10],
    [100, 10],
    [120, 1],
    [100, 10],
    [100, 12],
  ]
  expect(await now()).toEqual(after)
  expect((await shop.auditLogOf(ids[1]!)).slice(-2)).toMatchObject([
    { event: 'instrument changed', note: 'price $120.00 → $100.00' },
    { event: 'stock counted', stockDelta: 6, note: 'Undo' },
  ])
  // The same press again, and one that nobody could make.
  expect((await browser.press(saved, 'Undo')).text).toContain('Nothing was undone.')
  expect(await now()).toEqual(after)
  const command = { command: 'undo-several', submissionId: newId() }
  for (const former of ['', '[', '[]', '[["violin"]]', '[["x",1,0,1]]', `[["x",1,null,1]]${' '.repeat(2000)}`])
    expect([former, (await browser.post(list, { ...command, former })).status]).toEqual([former, 422])
  expect((await several([ids[1]!], {})).page.querySelector('.toast-undo')).toBeNull()
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
  await markMessages(shop.deps, admin, ['m1'], true)
  expect((await browser.press(done, 'Undo')).text).toContain('Somebody has changed this since. Nothing was undone.')
  expect(await doneAt()).not.toBeNull()
})

test('marks several messages as done, and opens them again but for those that somebody has opened since', async ({
  shop,
}) => {
  const names = ['Zoe', 'Yan', 'Xia']
  const rows = names.map((name, n) => ({ id: `m${n}`, name, email: 'zoe@example.com', message: 'Hello', copy: 0 }))
  await shop.deps.db.insert(contactMessages).values(rows.map((row) => ({ ...row, createdAt: Date.now() })))
  const [admin, other] = [await shop.admin(), await shop.admin()]
  const browser = await shop.signedIn(admin)
  const path = '/dashboard/messages'
  const open = async () => (await browser.get(path)).page.querySelectorAll('.entries h2').map(({ text }) => text)
  const ticked = (await browser.get(`${path}?select=all`)).page.querySelectorAll('[name=messageId][checked]')
  expect(ticked).toHaveLength(3)
  expect((await browser.post(path, { isDone: 'yes' })).text).toContain('Select the messages first.')
  expect((await browser.post(path, { isDone: 'yes', messageId: 'none' })).status).toBe(404)
  const all: [string, string][] = [...rows.map(({ id }): [string, string] => ['messageId', id]), ['isDone', 'yes']]
  const done = await browser.post(path, all)
  expect(done.text).toContain('3 messages are done.')
  expect(await open()).toEqual([])
  // The same press again marks nothing, so there is nothing to take back.
  expect((await browser.post(path, all)).page.querySelector('.toast-undo')).toBeNull()

  await markMessages(shop.deps, other, ['m1'], false)
  await markMessages(later(shop, 1), other, ['m1'], true)
  const field = (name: string) => done.page.querySelector(`.toast-undo [name=${name}]`)!.getAttribute('value')!
  const events = [Number(field('first')), Number(field('last'))] as const
  await expect(undoDone(shop.deps, other, events)).rejects.toThrow('Nothing was undone.')
  expect((await browser.post(path, { isDone: 'no', first: '1', last: '90' })).status).toBe(422)
  const undone = await browser.press(done, 'Undo')
  expect(undone.text).toContain(
    '2 messages are open. Somebody has changed these since, and they stay as they are: Yan.',
  )
  expect((await open()).sort()).toEqual(['Xia', 'Zoe'])
  expect((await browser.press(done, 'Undo')).text).toContain('Nothing was undone.')
})
