import { sql } from 'drizzle-orm'
import { contactMessages, dailySales, instruments, orderRefunds, orders } from '../../db/schema'
import { expect, test, type Store, orderInput } from '../../../tests/support/store'
import { askForPrice } from '../quotes/quotes.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { day } from '../shared/dates'
import { removeInstrument, setHidden } from '../catalog/manage-instruments.server'
import { searchList } from '../catalog/search/search-instruments.server'
import { countText } from '../shared/counts'
import { readOverview } from './overview.server'
import { readProblems, type ProblemEntry } from './problems.server'

/** A Wednesday. */
const now = Date.UTC(2026, 10, 25, 15)

async function sells(shop: Store, paidAt: number, orderQuantity: number) {
  const instrumentId = await shop.sells({ price: 1000 })
  const { id } = await placeOrder(shop.deps, await shop.customer(), orderInput(instrumentId, orderQuantity))
  await shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt, transactionId: `pi_${id}`, movedBy: 'stripe' })
    .where(sql`id = ${id}`)
  await shop.readLog()
  return id
}

test('compares today and this week with the same days of the week before', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  const admin = await shop.admin()
  await sells(shop, now, 1)
  await sells(shop, now - 2 * day, 2)
  await sells(shop, now - 3 * day, 50)
  await sells(shop, now - 7 * day, 3)
  await sells(shop, now - 9 * day, 4)
  await sells(shop, now - 6 * day, 60)
  const { comparisons, days, weeks, counts, ...owner } = await readOverview({ ...shop.deps, now: () => now }, admin)
  expect(owner).toMatchObject({ isVerified: true, hasSecondFactor: false })
  const sums = comparisons.map(({ title, current, before }) => [
    title,
    [current.orders, current.revenueCents],
    [before.orders, before.revenueCents],
  ])
  expect(sums).toEqual([
    ['Today', [1, 1000], [1, 3000]],
    ['This week', [2, 3000], [2, 7000]],
    ['This month', [6, 120_000], [0, 0]],
  ])
  expect([days.length, weeks.length]).toEqual([30, 52])
  expect(days.at(-1)).toMatchObject({ from: Math.floor(now / day), orders: 1 })
  expect(days.reduce((sum, { orders }) => sum + orders, 0)).toBe(6)
  expect(weeks.slice(-2).map(({ revenueCents }) => revenueCents)).toEqual([117_000, 3000])
  expect(counts.toShip).toBe(6)
})

test('shows sales of 52 weeks, the first day of the first week too', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  const admin = await shop.admin()
  const monday = Math.floor(now / day) * day - 2 * day
  const first = monday - 51 * 7 * day
  await sells(shop, first - 1, 50)
  await sells(shop, first, 1)
  await sells(shop, monday - 1, 2)
  const { weeks } = await readOverview({ ...shop.deps, now: () => now }, admin)
  expect(weeks[0]).toMatchObject({ from: first / day, orders: 1, revenueCents: 1000 })
  expect(weeks[50]).toMatchObject({ from: monday / day - 7, orders: 1, revenueCents: 2000 })
  expect(weeks.reduce((sum, { orders }) => sum + orders, 0)).toBe(2)
})

test.for([
  // All of February before March 30, which has no 29th and 30th.
  [
    Date.UTC(2026, 2, 30, 15),
    [
      // Thirty days from February 1 would reach it.
      [2026, 2, 1, 6],
      [2026, 2, 30, 1],
      [2026, 2, 31, 50],
    ],
    [
      [2026, 1, 28, 2],
      [2026, 1, 1, 3],
      [2026, 0, 31, 60],
    ],
    [2, 7000],
    [2, 5000],
  ],
  // December before January.
  [
    Date.UTC(2027, 0, 2, 15),
    [
      [2027, 0, 1, 1],
      [2027, 0, 2, 2],
    ],
    [
      [2026, 11, 1, 3],
      [2026, 11, 2, 4],
      [2026, 11, 3, 60],
    ],
    [2, 3000],
    [2, 7000],
  ],
] as const)(
  'compares the month until %i with the same days of the month before',
  async ([today, own, earlier, sums, before], { shop }) => {
    shop.skipInvariants('payments that never were')
    const admin = await shop.admin()
    for (const [year, month, date, quantity] of [...own, ...earlier])
      await sells(shop, Date.UTC(year, month, date, 12), quantity)
    const { comparisons } = await readOverview({ ...shop.deps, now: () => today }, admin)
    const { current, before: same } = comparisons[2]!
    expect([current, same].map(({ orders, revenueCents }) => [orders, revenueCents])).toEqual([sums, before])
  },
)

test('counts an order as a sale once, on the day that it was paid', async ({ shop }) => {
  shop.skipInvariants('payments that never were')
  await sells(shop, now, 2)
  await sells(shop, now + 1, 3)
  await shop.deps.db.update(orders).set({ state: 'shipped', shippedAt: now + day, movedBy: 'test' })
  expect(await shop.deps.db.select().from(dailySales)).toEqual([
    { day: Math.floor(now / day), orders: 2, revenueCents: 5000 },
  ])
})

test('lists what is at its threshold or too little for an order, and what is to ship, the oldest first', async ({
  shop,
}) => {
  shop.skipInvariants('payments that never were')
  const admin = await shop.admin()
  const short = await shop.sells({ name: 'Rebec', stock: 2, minimum: 3 })
  await shop.sells({ stock: 3, minimum: 3 })
  const [atThreshold, above] = [await shop.sells({ stock: 7 }), await shop.sells({ stock: 8 })]
  for (const id of [atThreshold, above])
    await shop.deps.db
      .update(instruments)
      .set({ lowStock: 7 })
      .where(sql`id = ${id}`)
  const sold: string[] = []
  for (let nth = 0; nth < 6; nth++) sold.push(await sells(shop, now + nth, 1))
  const { lowStock, toShip } = await readOverview(shop.deps, admin)
  expect(lowStock.map(({ id }) => id)).toEqual([short, atThreshold])
  expect(toShip.map(({ id }) => id)).toEqual(sold.slice(0, 5))
})

test('counts all that is low, to 100, and lists five', async ({ shop }) => {
  const admin = await shop.admin()
  const low = async () => {
    const { lowStock, counts } = await readOverview(shop.deps, admin)
    return [lowStock.length, counts.lowStock]
  }
  expect(await low()).toEqual([0, 0])
  const ids: string[] = []
  for (let nth = 0; nth < 8; nth++) ids.push(await shop.sells({ stock: nth, minimum: 9 }))
  expect(await low()).toEqual([5, 8])
  await removeInstrument(shop.deps, 'test', ids[0]!)
  await setHidden(shop.deps, admin, ids[1]!, true)
  expect(await low()).toEqual([5, 6])
  await shop.deps.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 95)
    INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at)
    SELECT 'low-' || i, 'Kazoo', '/a.svg', 50, 1, i FROM n`)
  expect(await low()).toEqual([5, 100])
  expect([0, 99, 100].map(countText)).toEqual(['0', '99', '99+'])
})

test('does not call low what an expired hold gives back, as the shop does not', async ({ shop }) => {
  const admin = await shop.admin()
  const violin = await shop.sells({ stock: 5, minimum: 2 })
  await placeOrder(shop.deps, await shop.customer(), orderInput(violin, 4))
  const shown = async (deps: Store['deps']) => {
    const { lowStock, counts } = await readOverview(deps, admin)
    const [listed] = (await searchList(deps, { limit: 5 })).instruments
    return [counts.lowStock, lowStock.map(({ availableQuantity }) => availableQuantity), listed!.availableQuantity]
  }
  expect(await shown(shop.deps)).toEqual([1, [1], 1])
  const after = { ...shop.deps, now: () => Date.now() + 4 * day }
  expect(await shown(after)).toEqual([0, [], 5])
  await placeOrder(after, await shop.customer(), orderInput(violin, 4))
  // With a threshold above all of it.
  await shop.deps.db.update(instruments).set({ lowStock: 9 })
  expect(await shown(after)).toEqual([1, [1], 1])
})

test('counts what waits: orders to ship, messages, requests, and refunds that are owed or came back', async ({
  shop,
}) => {
  shop.skipInvariants('payments and refunds that never were')
  const [admin, ada] = [await shop.admin(), await shop.customer()]
  const ids: string[] = []
  for (let nth = 0; nth < 5; nth++) ids.push(await sells(shop, now, 2))
  const message = { name: 'Zoe', email: 'zoe@example.com', message: 'Hello', copy: 0, createdAt: 1 }
  await shop.deps.db.insert(contactMessages).values([
    { id: 'm1', ...message },
    { id: 'm2', ...message },
    { id: 'm3', ...message, doneAt: 2 },
  ])
  const instrumentId = await shop.sells({ stock: 9 })
  await askForPrice(shop.deps, ada, { submissionId: newId(), instrumentId, orderQuantity: 3 })
  const refund = { amountCents: 100, reason: 'Dent', movedBy: 'test', createdAt: 1 }
  const refunds = [
    {},
    { refundId: 're_1', madeAt: 2 },
    { refundId: 're_2', madeAt: 2, failedAt: 3 },
    { refundId: 're_3', madeAt: 2, failedAt: 3 },
    { failedAt: 3 },
  ]
  for (const [index, state] of refunds.entries()) {
    const own = { id: `rf${index}`, submissionId: `rf${index}`, orderId: ids[index]! }
    await shop.deps.db.insert(orderRefunds).values({ ...refund, ...own })
    await shop.deps.db
      .update(orderRefunds)
      .set({ ...state, id: own.id })
      .where(sql`id = ${own.id}`)
  }
  const { counts } = await readOverview({ ...shop.deps, now: () => now }, admin)
  expect(counts).toEqual({
    ...{ toShip: 5, lowStock: 0, messages: 2, quotes: 1, failedEmails: 0, owedRefunds: 1, failedRefunds: 2 },
  })
  // The same ones by name.
  const { owedRefunds, failedRefunds } = await readProblems(shop.deps)
  const named = (entries: ProblemEntry[]) => entries.map(({ id, order }) => [id, order?.id]).sort()
  expect([owedRefunds, failedRefunds].map(named)).toEqual([
    [['rf0', ids[0]]],
    [
      ['rf2', ids[2]],
      ['rf3', ids[3]],
    ],
  ])
})
