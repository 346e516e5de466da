import { eq, sql } from 'drizzle-orm'
import { at, day, expect, orderInput, test, type Store } from '../../../../tests/support/store'
import { instruments } from '../../../db/schema'
import { placeOrder } from '../../ordering/place-order.server'
import { removeInstrument, setHidden } from '../manage-instruments.server'
import { managedWindow, readProductQuery } from './managed-search'
import { searchManaged } from './search-managed.server'

/** The ids of the products of a page of the list, as its address asks for them. */
async function listed(shop: Store, query: string, size = 9, now = Date.now()) {
  const found = await searchManaged(at(shop, now), readProductQuery(new URLSearchParams(query)), size)
  return [found.instruments.map(({ id }) => id).join(' '), found.hasMore]
}

async function sells(
  shop: Store,
  id: string,
  columns: Partial<typeof instruments.$inferInsert>,
  stock = 9,
): Promise<void> {
  await shop.sells({ id, stock, minimum: 2 })
  await shop.deps.db.update(instruments).set(columns).where(eq(instruments.id, id))
}

async function fill(shop: Store): Promise<void> {
  await sells(shop, 'a', { name: 'Viola', brand: 'Amati', family: 'strings', priceCents: 300_00, listedAt: 4 }, 8)
  await sells(shop, 'b', { name: 'bugle 100%', family: 'brass', priceCents: 500_00, listedAt: 3 }, 0)
  await sells(shop, 'c', { name: 'Amati_case', priceCents: 300_00, lowStock: 7, listedAt: 2 }, 7)
  await sells(shop, 'd', { name: 'Double bass', family: 'strings', priceCents: 900_00, listedAt: 1 }, 1)
  await sells(shop, 'e', { name: 'Viola of old', listedAt: 0 }, 3)
  await setHidden(shop.deps, { id: 'test' }, 'd', true)
  await removeInstrument(shop.deps, 'test', 'e')
}

test.for([
  ['', 'd c b a'],
  ['q=VIOLA', 'a'],
  ['q=amati', 'c a'],
  ['q=amati viola', 'a'],
  ['q=100%25', 'b'],
  ['q=i_c', 'c'],
  ['family=strings', 'd a'],
  ['family=strings&q=viola', 'a'],
  ['state=on-sale', 'c b a'],
  ['state=hidden', 'd'],
  ['state=sold-out', 'b'],
  // At the number that the shop wants to know of, or too few for an order; a hidden one is not.
  ['state=low', 'c b'],
  ['sort=name', 'c b d a'],
  ['sort=price', 'd b a c'],
  ['sort=stock', 'b d c a'],
] as const)('for "%s" lists %s', async ([query, ids], { shop }) => {
  await fill(shop)
  expect(await listed(shop, query)).toEqual([ids, false])
})

test('finds products by article number, id and any spelling of their words', async ({ shop }) => {
  await sells(shop, 'gross-1', { name: 'Große Trommel ¾', brand: 'Sørensen', attributes: [['Article', 'PX-77/b']] })
  await sells(shop, 'gross-2', { name: 'Gros Tambour', attributes: [['Article', 'PX-78']] })
  await sells(shop, 'etude', { name: 'E\u0301tui d’étude', listedAt: 9 })
  for (const [q, ids] of [
    ['px-77', 'gross-1'],
    ['PX–78', 'gross-2'],
    ['gross-2', 'gross-2'],
    ['GROSSE', 'gross-1'],
    ['trommel große', 'gross-1'],
    ['3/4 sorensen', 'gross-1'],
    ["etui d'etude", 'etude'],
    ['Étui', 'etude'],
    ['ｔａｍｂｏｕｒ', 'gross-2'],
    ['tambour 77', ''],
    ['-', ''],
  ] as const)
    expect([q, ...(await listed(shop, new URLSearchParams({ q }).toString()))]).toEqual([q, ids, false])
})

test('lists products page by page', async ({ shop }) => {
  await fill(shop)
  expect(await listed(shop, 'sort=name', 4)).toEqual(['c b d a', false])
  expect(await listed(shop, 'sort=name', 3)).toEqual(['c b d', true])
  expect(await listed(shop, 'sort=name&page=2', 3)).toEqual(['a', false])
})

test('counts what an expired order held as available', async ({ shop }) => {
  await shop.sells({ id: 'a', stock: 2 })
  await placeOrder(shop.deps, await shop.customer(), orderInput('a', 2))
  for (const state of ['sold-out', 'low']) {
    expect(await listed(shop, `state=${state}`)).toEqual(['a', false])
    expect(await listed(shop, `state=${state}`, 9, Date.now() + 4 * day)).toEqual(['', false])
  }
})

test('looks at the first ten thousand that were listed', async ({ shop }) => {
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${managedWindow})
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at) SELECT 'k' || i, 'Kazoo', '/a.svg', i, 1, i FROM n`)
  const found = await searchManaged(shop.deps, readProductQuery(new URLSearchParams('sort=price')), 1)
  expect(found.instruments.map(({ priceCents }) => priceCents)).toEqual([managedWindow])
})
