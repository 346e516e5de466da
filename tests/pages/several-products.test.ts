import { sql } from 'drizzle-orm'
import { changeSeveral } from '../../app/store/catalog/change-several.server'
import { setHidden } from '../../app/store/catalog/manage-instruments.server'
import { newId } from '../../app/store/shared/ids.server'
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
})

test('names what it could not change of several products, and changes everything else', async ({ shop }) => {
  const [admin, id] = [await shop.admin(), newId()]
  const names = ['Cello', 'Flute', 'Oboe', 'Tuba', 'Viola']
  const ids = await Promise.all(names.map((name) => shop.sells({ name, price: 100_00, stock: 10 })))
  const [cello, flute, oboe, tuba, viola] = ids as [string, string, string, string, string]
  await shop.deps.db.run(sql`UPDATE instruments SET version = version + 1, price_cents = 9000 WHERE id = ${cello}`)
  const breaks = JSON.stringify([{ from: 5, priceCents: 80_00 }])
  await shop.deps.db.run(sql`UPDATE instruments SET price_breaks = ${breaks} WHERE id = ${flute}`)
  await setHidden(shop.deps, admin, viola, true)
  const { version } = (await rowsOf(shop)).find(({ name }) => name === 'Oboe') as { version: number }
  const change = { version, priceCents: 70_00, stockChange: 0 }
  const changes = [
    { ...change, id: cello },
    { ...change, id: flute, stockChange: 1 },
    { ...change, id: oboe, stockChange: -11 },
    { ...change, id: tuba, stockChange: 999_991 },
    { ...change, id: viola, img: '/plates/flute-c.svg' },
    { ...change, id: 'none' },
  ]
  expect(await changeSeveral(shop.deps, admin, changes, id)).toEqual([
    { name: 'Cello', why: 'Somebody has changed it since: it costs $90.00.' },
    { name: 'Flute', why: 'The price must be above $80.00, that of its price breaks.' },
    { name: 'Oboe', why: 'Its stock is 10.' },
    { name: 'Tuba', why: 'Its stock is 10.' },
    { name: 'none', why: 'It is deleted.' },
  ])
  expect((await rowsOf(shop)).map(({ name, price, stock }) => [name, price, stock])).toEqual([
    ['Cello', 90_00, 10],
    ['Flute', 100_00, 11],
    ['Oboe', 70_00, 10],
    ['Tuba', 70_00, 10],
    ['Viola', 70_00, 10],
  ])
})
