import { asc, eq } from 'drizzle-orm'
import { at, expect, noon, orderInput, test, type Store } from '../../../tests/support/store'
import { auditLog, instruments } from '../../db/schema'
import { placeOrder } from '../ordering/place-order.server'
import { newId } from '../shared/ids.server'
import { changeMany, findSeveral, type BulkChange, type BulkErrors } from './bulk-changes.server'
import { importColumns, importInstruments, type ImportLine } from './import-instruments.server'
import { findManagedInstrument } from './instruments.server'
import { removeInstrument, setHidden } from './manage-instruments.server'
import { searchList } from './search/search-instruments.server'

test('changes each part of a row once for its key, whatever has changed since', async ({ shop }) => {
  const admin = await shop.admin()
  let at = Date.now()
  const deps = { ...shop.deps, now: () => ++at }
  const id = await shop.sells({ price: 100_00, stock: 5 })
  const rows: BulkChange[] = [
    { instrumentId: id, priceCents: 120_00, isHidden: true, stockChange: -5, reason: 'Broken' },
    { instrumentId: id, priceCents: 1 },
  ]
  const key = newId()
  const twice = [{}, { instrument: 'Row 1 has the same product.' }]
  shop.invalidated.length = 0
  expect(await changeMany(deps, admin, rows, key)).toEqual(twice)
  expect([await findManagedInstrument(deps, id), shop.invalidated]).toMatchObject([
    { priceCents: 120_00, hidden: 1, availableQuantity: 0, version: 2 },
    ['catalogue'],
  ])
  const since: BulkChange = { instrumentId: id, priceCents: 130_00, isHidden: false, stockChange: 2, reason: 'Found' }
  expect(await changeMany(deps, admin, [since], newId())).toEqual([{}])
  expect(await changeMany(deps, admin, rows, key)).toEqual(twice)
  expect(await findManagedInstrument(deps, id)).toMatchObject({
    ...{ priceCents: 130_00, hidden: 0, availableQuantity: 2, version: 3 },
  })
  await setHidden(deps, admin, id, true)
  await changeMany(deps, admin, [{ instrumentId: id, isHidden: false }], newId())
  expect((await searchList(deps, { q: 'violin', limit: 9 })).instruments).toMatchObject([{ id }])
  expect(await changeMany(deps, admin, [{ ...rows[0]!, stockChange: -3 }], key)).toEqual([
    { stock: 'You can remove at most 2.' },
  ])
})

test('a count is taken if the stock is still as it was', async ({ shop }) => {
  const admin = await shop.admin()
  const id = await shop.sells({ stock: 5 })
  const count = (quantity: number, expected: number) =>
    changeMany(
      shop.deps,
      admin,
      [{ instrumentId: id, stockChange: quantity - expected, expected, reason: 'Counted' }],
      newId(),
    )
  expect([await count(7, 5), await count(6, 5), await count(7, 7), await count(6, 6)].flat()).toEqual([
    {},
    { stock: 'The stock is 7 now.' },
    {},
    { stock: 'The stock is 7 now.' },
  ])
  expect(await shop.stockOf(id)).toBe(7)
  expect(await shop.auditLogOf(id)).toHaveLength(2)
  // Four are in an order whose hold expires.
  await placeOrder({ ...at(shop, 1000), holdMs: 500 }, await shop.customer(), orderInput(id, 4))
  expect([await count(4, 3), await count(8, 7)].flat()).toEqual([{ stock: 'The stock is 7 now.' }, {}])
  expect(await shop.stockOf(id)).toBe(4)
})

test('names what it could not change of each row, and changes everything else', async ({ shop }) => {
  const admin = await shop.admin()
  const priceBreaks = [{ from: 5, priceCents: 80_00 }]
  const reason = 'Counted'
  const sold = { price: 100_00, stock: 5, priceBreaks }
  const [a, b, c, gone] = [await shop.sells(sold), await shop.sells(sold), await shop.sells(sold), await shop.sells()]
  await removeInstrument(shop.deps, admin.id, gone)
  const changes: [BulkChange, BulkErrors][] = [
    [{ instrumentId: gone, priceCents: 1 }, { instrument: 'This product is no longer on sale.' }],
    [
      { instrumentId: a, priceCents: 80_00, isHidden: true, stockChange: -6, reason },
      { price: 'The price must be above $80.00, that of its price breaks.', stock: 'You can remove at most 5.' },
    ],
    [
      { instrumentId: b, priceCents: 100_00, stockChange: 999_996, reason },
      { stock: 'Stock can be at most 1,000,000 pieces, unpaid orders included' },
    ],
    [{ instrumentId: c, priceCents: 80_01, stockChange: 0 }, {}],
  ]
  const errors = await changeMany(
    shop.deps,
    admin,
    changes.map(([change]) => change),
    newId(),
  )
  expect(errors).toEqual(changes.map(([, each]) => each))
  expect(await Promise.all([a, b, c].map((id) => findManagedInstrument(shop.deps, id)))).toMatchObject([
    { priceCents: 100_00, hidden: 1, availableQuantity: 5, version: 1 },
    { priceCents: 100_00, hidden: 0, availableQuantity: 5, version: 1 },
    { priceCents: 80_01, hidden: 0, availableQuantity: 5, version: 2 },
  ])
  const last = { instrumentId: b, stockChange: 999_995, reason }
  expect(await changeMany(shop.deps, admin, [last, { instrumentId: c, priceCents: 90_00 }], newId())).toEqual([{}, {}])
  expect(await shop.stockOf(b)).toBe(1_000_000)
})

test('writes 100 rows at a time', async ({ shop }) => {
  const admin = await shop.admin()
  const blank = Object.fromEntries(importColumns.map((column) => [column, ''])) as ImportLine['cells']
  const cells = { ...blank, name: 'Rebec', img: '/r.svg', price: '1', minQuantity: '1', availableQuantity: '1' }
  const lines = Array.from({ length: 200 }, (_, line) => ({ line, cells: { ...cells, description: `No. ${line}` } }))
  await importInstruments(shop.deps, admin, lines)
  const ids = (await shop.deps.db.select({ id: instruments.id }).from(instruments)).map(({ id }) => id)
  let at = Date.now()
  const changes = ids.map((instrumentId) => ({ instrumentId, priceCents: 2_00 }))
  const from = at
  await changeMany({ ...shop.deps, now: () => ++at }, admin, changes, newId())
  const rows = await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'instrument changed'))
  expect(rows.map((row) => row.at - from)).toEqual([...ids].map((_, nth) => (nth < 100 ? 1 : 2)))
  expect(at - from).toBe(2)
})

const img = '/plates/violin-4-4.svg'
const breaks = [{ from: 5, priceCents: 80_00 }]

/** Each with its name as its id. */
async function sellsAll(shop: Store, ...names: string[]): Promise<void> {
  for (const name of names) {
    const priceBreaks = name === 'Flute' ? breaks : []
    await shop.sells({ id: name, name, price: 100_00, stock: 10, priceBreaks })
  }
}

async function rowsOf({ deps }: Store) {
  const rows = await deps.db.select().from(instruments).orderBy(asc(instruments.name))
  return rows.map((row) => [row.name, row.priceCents, row.availableQuantity, row.img, row.version])
}

test('changes price, stock and picture of products as a form showed them, each once for a press', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Cello', 'Oboe', 'Tuba', 'Viola')
  shop.invalidated.length = 0
  const reason = 'in the list'
  const changes = [
    { instrumentId: 'Cello', version: 1, priceCents: 1250_50, stockChange: 999_990, img: '/b.svg', reason },
    { instrumentId: 'Oboe', version: 1, priceCents: 100_00, stockChange: -10, reason },
    { instrumentId: 'Tuba', version: 1, priceCents: 100_00, stockChange: 0, img: '/c.svg' },
  ]
  const key = newId()
  for (const press of [0, 1])
    expect([press, await changeMany(at(shop, noon), admin, changes, key)]).toEqual([press, [{}, {}, {}]])
  expect(await rowsOf(shop)).toEqual([
    ['Cello', 1250_50, 1_000_000, '/b.svg', 2],
    ['Oboe', 100_00, 0, img, 1],
    ['Tuba', 100_00, 10, '/c.svg', 2],
    ['Viola', 100_00, 10, img, 1],
  ])
  const events = await Promise.all(['Cello', 'Oboe', 'Tuba', 'Viola'].map((id) => shop.auditLogOf(id)))
  const by = { at: noon, actor: admin.id }
  expect(events.map((each) => each.slice(1))).toMatchObject([
    [
      { ...by, event: 'instrument changed', stockDelta: 0, note: 'price $100.00 → $1,250.50; picture' },
      { ...by, event: 'stock counted', stockDelta: 999_990, note: 'in the list' },
    ],
    [{ ...by, event: 'stock counted', stockDelta: -10, note: 'in the list' }],
    [{ ...by, event: 'instrument changed', note: 'picture' }],
    [],
  ])
  expect(shop.invalidated).toEqual(['catalogue', 'catalogue'])
  expect(await changeMany(shop.deps, admin, [], key)).toEqual([])
  expect(shop.invalidated).toHaveLength(2)
})

test('leaves price and picture of a product that somebody has changed since, and changes everything else', async ({
  shop,
}) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Bugle', 'Cello', 'Flute', 'Gong', 'Oboe', 'Piccolo', 'Tuba', 'Viola')
  const change = { version: 1, priceCents: 70_00, reason: 'in the list' }
  const before = ['Bugle', 'Cello'].map((instrumentId) => ({ ...change, instrumentId, priceCents: 90_00 }))
  expect(await changeMany(shop.deps, admin, before, newId())).toEqual([{}, {}])
  await removeInstrument(shop.deps, admin.id, 'Gong')
  await setHidden(shop.deps, admin, 'Viola', true)
  const changes = [
    { ...change, instrumentId: 'Bugle', priceCents: 90_00, img: '/b.svg' },
    { ...change, instrumentId: 'Cello', stockChange: -11 },
    { ...change, instrumentId: 'Flute', priceCents: 80_00, stockChange: 1 },
    { ...change, instrumentId: 'Gong', stockChange: 1 },
    { ...change, instrumentId: 'Oboe', stockChange: -11 },
    { ...change, instrumentId: 'Piccolo' },
    { ...change, instrumentId: 'Tuba', stockChange: 999_991 },
    { ...change, instrumentId: 'Viola', img: '/plates/flute-c.svg' },
    { ...change, instrumentId: 'none' },
  ]
  expect(await changeMany(shop.deps, admin, changes, newId())).toEqual([
    { price: 'Somebody has changed it since: it costs $90.00.' },
    { price: 'Somebody has changed it since: it costs $90.00.', stock: 'You can remove at most 10.' },
    { price: 'The price must be above $80.00, that of its price breaks.' },
    { instrument: 'This product is no longer on sale.' },
    { stock: 'You can remove at most 10.' },
    {},
    { stock: 'Stock can be at most 1,000,000 pieces, unpaid orders included' },
    {},
    { instrument: 'This product is no longer on sale.' },
  ])
  expect(await rowsOf(shop)).toEqual([
    ['Bugle', 90_00, 10, img, 2],
    ['Cello', 90_00, 10, img, 2],
    ['Flute', 100_00, 11, img, 1],
    ['Gong', 100_00, 10, img, 1],
    ['Oboe', 70_00, 10, img, 2],
    ['Piccolo', 70_00, 10, img, 2],
    ['Tuba', 70_00, 10, img, 2],
    ['Viola', 70_00, 10, '/plates/flute-c.svg', 2],
  ])
  const flute = { ...change, instrumentId: 'Flute', priceCents: 80_01 }
  expect(await changeMany(shop.deps, admin, [flute], newId())).toEqual([{}])
})

test('finds several products by name, hidden ones too', async ({ shop }) => {
  const admin = await shop.admin()
  await sellsAll(shop, 'Viola', 'Gong', 'Oboe', 'Cello')
  await setHidden(shop.deps, admin, 'Oboe', true)
  await removeInstrument(shop.deps, admin.id, 'Gong')
  await shop.sells({ id: 'a', name: 'Viola' })
  const found = await findSeveral(shop.deps, ['Viola', 'a', 'Oboe', 'Gong', 'none'])
  expect(found.map(({ id, hidden }) => [id, hidden])).toEqual([
    ['Oboe', 1],
    ['Viola', 0],
    ['a', 0],
  ])
})
