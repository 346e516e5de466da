import { sql } from 'drizzle-orm'
import { expect, test, type Shop } from '../support/shop'

const path = '/dashboard/manageProduct/several'

const rowsOf = ({ deps }: Shop) =>
  deps.db.all<Record<string, unknown>>(
    sql`SELECT name, price_cents AS price, available_quantity AS stock, version FROM instruments ORDER BY name`,
  )

test('changes price and stock of the selected products with one press, and leaves the others alone', async ({
  shop,
}) => {
  const names = ['Cello', 'Oboe', 'Violin']
  const ids = await Promise.all(names.map((name) => shop.sells({ name, price: 100_00, stock: 10 })))
  const browser = await shop.signedIn(await shop.admin())
  const ticked = new URLSearchParams([['q', 'o'], ...ids.map((id): [string, string] => ['product', id])])
  const form = await browser.get(`${path}?${ticked.toString()}`)
  expect(form.page.querySelectorAll('fieldset legend').map(({ text }) => text.trim())).toEqual(names)
  const refused = await browser.press(form, 'Save', { price1: '12.345', stock2: '-1' })
  expect([refused.status, refused.text.includes('Price must be in whole cents')]).toEqual([422, true])
  const [before] = await rowsOf(shop)
  const saved = await browser.press(form, 'Save', { price1: '1,250.50', stock1: '12', stock2: '0' })
  expect([saved.path, saved.text.includes('Products updated.')]).toEqual(['/dashboard/manageProduct?q=o', true])
  const version = Number(before!.version)
  expect(await rowsOf(shop)).toEqual([
    { name: 'Cello', price: 1250_50, stock: 12, version: version + 1 },
    { name: 'Oboe', price: 100_00, stock: 0, version },
    { name: 'Violin', price: 100_00, stock: 10, version },
  ])
  expect((await shop.auditLogOf(ids[0]!)).slice(-2)).toMatchObject([
    { event: 'instrument changed', note: 'price $100.00 → $1,250.50' },
    { event: 'stock counted', stockDelta: 2 },
  ])
  // The same press again.
  await browser.press(form, 'Save', { price1: '1,250.50', stock1: '12', stock2: '0' })
  expect((await rowsOf(shop)).map(({ stock }) => stock)).toEqual([12, 0, 10])
  expect((await browser.get(path)).text).toContain('No product is selected')
  const select = (more: number) => {
    const selected = [...ids, ...Array.from({ length: more }, (_, nth) => `gone-${nth}`)]
    return browser.get(`${path}?${new URLSearchParams(selected.map((id) => ['product', id])).toString()}`)
  }
  const isCut = ({ text }: { text: string }) => text.includes('These are the first 25. Change the others afterwards.')
  expect([isCut(await select(22)), isCut(await select(23))]).toEqual([false, true])
})

test('saves as many products as the form shows', async ({ shop }) => {
  const ids = await Promise.all(Array.from({ length: 25 }, () => shop.sells({ price: 100_00 })))
  const browser = await shop.signedIn(await shop.admin())
  const form = await browser.get(`${path}?${new URLSearchParams(ids.map((id) => ['product', id])).toString()}`)
  expect((await browser.press(form, 'Save', { price25: '120' })).text).toContain('Products updated.')
})
