import { sql } from 'drizzle-orm'
import { anOrder } from '../../../tests/support/payments'
import { expect, orderInput, test, type Store } from '../../../tests/support/store'
import { placeOrder } from '../ordering/place-order.server'
import { listChangedOrders } from './changed-orders.server'

const admin = { role: 'admin' as const }

/** As a program does: page by page, until there is no more. */
async function readAll({ deps }: Store, after?: string, limit = 100) {
  const ids: string[] = []
  for (let calls = 1; calls <= 100; calls++) {
    const page = await listChangedOrders(deps, admin, { after, limit })
    expect(page.orders.length).toBeLessThanOrEqual(limit)
    ids.push(...page.orders.map(({ id }) => id))
    after = page.next
    if (!page.hasMore) return { ids, next: after }
  }
  throw new Error('The list does not end.')
}

const touch = ({ deps }: Store, id: string) =>
  deps.db.run(sql`INSERT INTO audit_log (at, event, actor, order_id) VALUES (1, 'note changed', 'test', ${id})`)

test('lists each order once, in the order of its last change, also of changes in one millisecond', async ({ shop }) => {
  const [violin, ada] = [await shop.sells({ stock: 100 }), await shop.customer()]
  const at = { ...shop.deps, now: () => 1_000_000 }
  const placed = []
  for (let count = 0; count < 5; count++) placed.push((await placeOrder(at, ada, orderInput(violin, 1))).id)
  const [first, second, ...others] = placed
  await touch(shop, second!)
  await touch(shop, first!)
  const inOrder = [...others, second, first]
  for (const limit of [1, 2, 3, 5, 100]) expect((await readAll(shop, undefined, limit)).ids).toEqual(inOrder)
})

test('has nothing after the last cursor until an order changes, which then comes alone', async ({ shop }) => {
  const [{ id }, other] = [await anOrder(shop), await anOrder(shop)]
  const { ids, next } = await readAll(shop)
  expect(ids).toEqual([id, other.id])
  expect(await listChangedOrders(shop.deps, admin, { after: next, limit: 9 })).toEqual({
    orders: [],
    next,
    hasMore: false,
  })
  await touch(shop, id)
  expect((await listChangedOrders(shop.deps, admin, { after: next, limit: 9 })).orders).toMatchObject([
    { id, changedAt: 1 },
  ])
  const later = await readAll(shop, next)
  expect(later.ids).toEqual([id])
  expect((await readAll(shop, later.next)).ids).toEqual([])
})

test('ends in an empty shop, and passes many events that no order has', async ({ shop }) => {
  expect(await readAll(shop)).toEqual({ ids: [], next: '0-0' })
  await shop.deps.db.run(sql`
    INSERT INTO audit_log (at, event, actor)
    SELECT 1, 'settings changed', 'test' FROM json_each(${JSON.stringify(Array.from({ length: 450 }))})`)
  const { id } = await anOrder(shop)
  expect((await readAll(shop, '0-0')).ids).toEqual([id])
})

test('misses no order that is placed or changed while programs read', async ({ shop }) => {
  const [violin, ada] = [await shop.sells({ stock: 1000 }), await shop.customer()]
  const writers = { areDone: false }
  const placed: string[] = []
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 15; count++) {
        const { id } = await placeOrder(shop.deps, ada, orderInput(violin, 1))
        placed.push(id)
        await touch(shop, placed[Math.floor(placed.length / 2)]!)
      }
    }),
  ).then(() => (writers.areDone = true))
  const seen: string[] = []
  let next: string | undefined
  for (;;) {
    const isLast = writers.areDone
    const page = await readAll(shop, next, 7)
    seen.push(...page.ids)
    next = page.next
    // So that the writers come to their turn.
    await new Promise((resolve) => setTimeout(resolve))
    if (isLast) break
  }
  await writing
  expect(new Set(seen)).toEqual(new Set(placed))
  // Not more often than there are changes.
  expect(seen.length).toBeLessThanOrEqual(2 * placed.length)
})

test('refuses a cursor of events that a restore has taken back', async ({ shop }) => {
  await anOrder(shop)
  const { next } = await readAll(shop)
  const [id, at] = next.split('-').map(Number)
  for (const after of [`${id}-${at! + 1}`, `${id! + 1}-${at}`])
    await expect(listChangedOrders(shop.deps, admin, { after, limit: 1 })).rejects.toMatchObject({ code: 'conflict' })
})
