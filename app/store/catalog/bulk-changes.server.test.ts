import { expect, test } from '../../../tests/support/store'
import { newId } from '../shared/ids.server'
import { changeMany, type BulkChange } from './bulk-changes.server'
import { findManagedInstrument } from './instruments.server'

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
  expect(await changeMany(deps, admin, rows, key)).toEqual(twice)
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
})
