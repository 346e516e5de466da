import { contactMessages } from '../../app/db/schema'
import { findManagedInstrument } from '../../app/store/catalog/instruments.server'
import { expect, test, type Shop } from '../support/shop'

const list = '/dashboard/manageProduct'

async function isHidden(shop: Shop, id: string): Promise<boolean> {
  return (await shop.visitor().get(`/instruments/${id}`, { accept: 'application/json' })).status === 404
}

test('takes back hiding and showing a product from its toast', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin' })
  const browser = await shop.signedIn(await shop.admin())
  const hidden = await browser.press(await browser.get(list), 'Hide', {}, { row: 'Violin' })
  expect(hidden.page.querySelector('[role=status]')!.text).toContain('Product hidden.')
  expect(await isHidden(shop, violin)).toBe(true)
  // A form in a paragraph would be taken out of it.
  expect(hidden.page.querySelector('div.toast form button')!.text).toBe('Undo')
  const shown = await browser.press(hidden, 'Undo')
  expect(shown.page.querySelector('[role=status]')!.text).toContain('Product shown again.')
  expect(await isHidden(shop, violin)).toBe(false)
  await browser.press(shown, 'Undo')
  expect(await isHidden(shop, violin)).toBe(true)
  // A press that has changed nothing has nothing to take back.
  const again = await browser.post(list, { command: 'hide', instrumentId: violin })
  expect(again.page.querySelector('.toast-undo')).toBeNull()
})

test('takes back a change of the stock, and keeps what others changed since', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin', stock: 10 })
  const browser = await shop.signedIn(await shop.admin())
  const count = async (availableQuantity: string) =>
    browser.press(await browser.get(list), 'Save', { availableQuantity }, { row: 'Violin' })
  const open = await browser.get(list)
  const first = await count('14')
  await count('13')
  const late = await browser.press(open, 'Save', { availableQuantity: '12' }, { row: 'Violin' })
  expect([late.status, late.text.includes('The stock is 13 now.')]).toEqual([409, true])
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
  const undone = await browser.press(await save({ price: '12.50', description: 'Old' }), 'Back to $1,234.50')
  expect([undone.path, undone.text]).toEqual([list, expect.stringContaining('Products updated.')])
  expect(await findManagedInstrument(shop.deps, violin)).toMatchObject({ priceCents: 1234_50, description: 'Old' })
  expect((await shop.auditLogOf(violin)).at(-1)).toMatchObject({ note: 'price $12.50 → $1,234.50' })

  const cheap = await save({ price: '5' })
  await save({ brand: 'Bow & Reed' })
  const refused = await browser.press(cheap, 'Back to $1,234.50')
  expect(refused.text).toContain('Violin: Somebody has changed it since: it costs $5.00.')
  expect(await priceOf()).toBe(5_00)
  expect((await save({ description: 'Older' })).page.querySelector('.toast-undo')).toBeNull()
  expect((await save({ price: '6', breakFrom1: '5', breakPrice1: '4' })).page.querySelector('.toast-undo')).toBeNull()
})

test('takes back hiding and showing several, only those that the press has changed', async ({ shop }) => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => shop.sells()))
  const browser = await shop.signedIn(await shop.admin())
  const all = ids.map((id): [string, string] => ['product', id])
  const hiddenOf = () => Promise.all(ids.slice(0, 2).map((id) => isHidden(shop, id)))
  await browser.post(list, { command: 'hide-all', product: ids[0]! })
  const hidden = await browser.post(list, [['command', 'hide-all'], ...all])
  expect(hidden.text).toContain('49 hidden.')
  const shown = await browser.press(hidden, 'Undo')
  expect(shown.text).toContain('49 shown again.')
  expect(await hiddenOf()).toEqual([true, false])
  expect((await browser.press(shown, 'Undo')).text).toContain('49 hidden.')
  expect(await hiddenOf()).toEqual([true, true])
})

test('takes back price and stock of several, and names those whose price somebody has changed since', async ({
  shop,
}) => {
  const names = ['Cello', 'Oboe', ...Array.from({ length: 23 }, (_, n) => `Tuba ${10 + n}`)]
  const ids = await Promise.all(names.map((name) => shop.sells({ name, price: 100_00, stock: 10 })))
  const browser = await shop.signedIn(await shop.admin())
  const several = async (which: string[], fields: Record<string, string>) => {
    const ticked = new URLSearchParams([['q', 'o'], ...which.map((id): [string, string] => ['product', id])])
    return browser.press(await browser.get(`${list}/several?${ticked.toString()}`), 'Save', fields)
  }
  const now = async () =>
    Promise.all(
      [0, 1, 24].map(async (nth) => {
        const { priceCents, availableQuantity } = (await findManagedInstrument(shop.deps, ids[nth]!))!
        return [priceCents / 100, availableQuantity]
      }),
    )
  const prices = Object.fromEntries(ids.map((_, nth) => [`price${nth + 1}`, '1200']))
  const saved = await several(ids, { ...prices, stock2: '4', stock25: '12' })
  expect(await now()).toEqual([
    [1200, 10],
    [1200, 4],
    [1200, 12],
  ])
  // Another price of the cello; two more oboes.
  await several([ids[0]!], { price1: '130' })
  await several([ids[1]!], { stock1: '6' })
  const undone = await browser.press(saved, 'Undo')
  expect(undone.text).toContain('Cello: Somebody has changed it since: it costs $130.00.')
  expect(undone.page.querySelector(`a[href="${list}?q=o"]`)!.text).toBe('Back to the products')
  const after = [
    [130, 10],
    [100, 12],
    [100, 10],
  ]
  expect(await now()).toEqual(after)
  // The same press again is the same submission.
  await browser.press(saved, 'Undo')
  expect(await now()).toEqual(after)
  expect((await several([ids[1]!], {})).page.querySelector('.toast-undo')).toBeNull()
})

test('opens messages again that were marked as done by mistake', async ({ shop }) => {
  const names = ['Zoe', 'Yan', 'Xia']
  const rows = names.map((name, n) => ({ id: `m${n}`, name, email: 'zoe@example.com', message: 'Hello', copy: 0 }))
  await shop.deps.db.insert(contactMessages).values(rows.map((row) => ({ ...row, createdAt: Date.now() })))
  const browser = await shop.signedIn(await shop.admin())
  const path = '/dashboard/messages'
  const open = async () =>
    (await browser.get(path)).page
      .querySelectorAll('.entries h2')
      .map(({ text }) => text)
      .sort()
  const ticked = (await browser.get(`${path}?select=all`)).page.querySelectorAll('[name=messageId][checked]')
  expect(ticked).toHaveLength(3)
  expect((await browser.post(path, { isDone: 'yes' })).text).toContain('Select the messages first.')
  expect((await browser.post(path, { isDone: 'yes', messageId: 'none' })).status).toBe(404)
  const one = await browser.press(await browser.get(path), 'Done')
  expect(await open()).toEqual(['Yan', 'Zoe'])
  const all: [string, string][] = [...rows.map(({ id }): [string, string] => ['messageId', id]), ['isDone', 'yes']]
  const done = await browser.post(path, all)
  expect(done.text).toContain('2 messages are done.')
  // The same press again marks nothing, so there is nothing to take back.
  expect((await browser.post(path, all)).page.querySelector('.toast-undo')).toBeNull()
  expect((await browser.press(done, 'Undo')).text).toContain('2 messages are open.')
  expect(await open()).toEqual(['Yan', 'Zoe'])
  expect((await browser.press(one, 'Undo')).text).toContain('The message is open.')
  expect(await open()).toEqual(['Xia', 'Yan', 'Zoe'])
})
