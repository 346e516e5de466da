import { anOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import type { Deps } from '../deps'
import { listChangedOrders } from '../orders/changed-orders.server'
import { readOrderHistory } from '../orders/history.server'
import { findAnyOrder, findOrders, readToShip } from '../orders/orders.server'
import { readOrdersInBatches, searchOrders } from '../orders/search-orders.server'
import { readEmptySearches, readMonths, readReports, readSoldIn } from '../screens/reports.server'
import type { Reader } from './rights.server'
import type { Role } from './sign-in'

/** Every query for colleagues, and who may make it beside admins. */
const queries: [name: string, read: (deps: Deps, reader: Reader, id: string) => Promise<unknown>, roles: Role[]][] = [
  ['searchOrders', (deps, reader) => searchOrders(deps, reader, { limit: 1 }), ['packer', 'bookkeeper']],
  ['listChangedOrders', (deps, reader) => listChangedOrders(deps, reader, { limit: 1 }), ['packer', 'bookkeeper']],
  ['readOrderHistory', readOrderHistory, ['packer', 'bookkeeper']],
  ['findAnyOrder', findAnyOrder, ['packer', 'bookkeeper']],
  ['findOrders', (deps, reader, id) => findOrders(deps, reader, [id]), ['packer']],
  ['readToShip', (deps, reader) => readToShip(deps, reader, 1), ['packer']],
  ['readOrdersInBatches', (deps, reader) => readOrdersInBatches(deps, reader, {}).next(), ['bookkeeper']],
  ['readReports', (deps, reader) => readReports(deps, reader, '2026-11'), ['bookkeeper']],
  ['readMonths', readMonths, ['bookkeeper']],
  ['readSoldIn', (deps, reader) => readSoldIn(deps, reader, '2026-11'), ['bookkeeper']],
  ['readEmptySearches', readEmptySearches, ['bookkeeper']],
]

test.for(queries)('reads by %s for those whose role has the right alone', async ([, read, roles], { shop }) => {
  const { id } = await anOrder(shop)
  for (const role of ['customer', 'packer', 'bookkeeper', 'admin'] as const) {
    const result = await read(shop.deps, { role }, id).catch((error: unknown) => error)
    if (role === 'admin' || roles.includes(role)) expect([role, result]).not.toEqual([role, expect.any(Error)])
    else expect([role, result]).toEqual([role, expect.objectContaining({ code: 'forbidden' })])
  }
})
