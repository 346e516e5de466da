import { eq } from 'drizzle-orm'
import { at, expect, orderInput, test } from '../../../tests/support/store'
import { auditLog, instruments } from '../../db/schema'
import { placeOrder } from '../ordering/place-order.server'
import { newId } from '../shared/ids.server'
import { changeMany, type BulkChange, type BulkErrors } from './bulk-changes.server'
import { importColumns, importInstruments, type ImportLine } from './import-instruments.server'
import { findManagedInstrument } from './instruments.server'
import { removeInstrument } from './manage-instruments.server'

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
