import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { instruments } from '../db/schema'
import { test, type Shop } from '../../tests/shop'
import { newId } from './ids.server'
import { cancelOrder } from './cancelling.server'
import { Refusal } from './refusal'
import { findOrder, listOrders } from './orders.server'
import { placeOrder } from './placing.server'

function wants(instrumentId: string, quantity: number, more: { submissionId?: string; unitPrice?: number } = {}) {
  return {
    instrumentId,
    orderQuantity: quantity,
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
    submissionId: newId(),
    ...more,
  }
}

const outcomes = (results: PromiseSettledResult<unknown>[]) => ({
  placed: results.filter(({ status }) => status === 'fulfilled').length,
  refused: results.filter((result) => result.status === 'rejected' && result.reason instanceof Refusal).length,
})

/** Runs `task` so often, at most `lanes` at a time, and answers how each went. */
async function inLanes<T>(lanes: number, times: number, task: (index: number) => Promise<T>) {
  const results: PromiseSettledResult<T>[] = []
  let next = 0
  const lane = async () => {
    while (next < times) {
      const index = next++
      results[index] = await task(index).then(
        (value) => ({ status: 'fulfilled' as const, value }),
        (reason: unknown) => ({ status: 'rejected' as const, reason }),
      )
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

test('an order takes its pieces from the stock and freezes name and price', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin', price: 1_450_00, stock: 10 })
  const ada = await shop.customer()
  const { id } = await placeOrder(shop.deps, ada, wants(violin, 3))
  await shop.deps.db.update(instruments).set({ name: 'Fiddle', priceCents: 1 }).where(eq(instruments.id, violin))

  expect(await shop.stockOf(violin)).toBe(7)
  expect(await findOrder(shop.deps, ada, id)).toMatchObject({
    productName: 'Violin',
    unitPriceCents: 1_450_00,
    quantity: 3,
    totalCents: 4_350_00,
    customerEmail: ada.email,
    state: 'unpaid',
    transactionId: null,
  })
})

test.for([
  { what: 'more than available', quantity: 11, message: 'Cannot be more than available', code: 'invalid' },
  { what: 'less than the minimum', quantity: 1, message: 'cannot be less than minimum order', code: 'invalid' },
])('an order of $what is refused and takes nothing', async ({ quantity, message, code }, { shop }) => {
  const violin = await shop.sells({ minimum: 2, stock: 10 })
  const ada = await shop.customer()
  await expect(placeOrder(shop.deps, ada, wants(violin, quantity))).rejects.toMatchObject({
    code,
    fields: { orderQuantity: [message] },
  })
  expect(await shop.stockOf(violin)).toBe(10)
})

test('a price that has changed since the page was shown is said, and nothing is ordered', async ({ shop }) => {
  const violin = await shop.sells({ price: 500_00 })
  const ada = await shop.customer()
  await expect(placeOrder(shop.deps, ada, wants(violin, 1, { unitPrice: 400_00 }))).rejects.toMatchObject({
    code: 'conflict',
    message: 'The price is now $500.00 each. Nothing was ordered.',
  })
  expect(await shop.ordersOf(ada)).toEqual([])
})

test('an instrument that is off the shelves cannot be ordered', async ({ shop }) => {
  const violin = await shop.sells()
  await shop.deps.db.update(instruments).set({ removedAt: Date.now() }).where(eq(instruments.id, violin))
  await expect(placeOrder(shop.deps, await shop.customer(), wants(violin, 1))).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('a total that no card can carry is refused in words', async ({ shop }) => {
  const bassoon = await shop.sells({ price: 900_000_00 })
  await expect(placeOrder(shop.deps, await shop.customer(), wants(bassoon, 2))).rejects.toMatchObject({
    fields: { orderQuantity: ['A card can pay from $0.50 to $999,999.99 in one order'] },
  })
})

test('the same form sent 20 times at once makes one order', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100 })
  const ada = await shop.customer()
  const form = wants(violin, 4)
  const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop.deps, ada, form)))

  expect(new Set(placed.map(({ id }) => id)).size).toBe(1)
  expect(await shop.ordersOf(ada)).toHaveLength(1)
  expect(await shop.stockOf(violin)).toBe(96)
})

test('the same form is the same order even when it took the last pieces', async ({ shop }) => {
  const violin = await shop.sells({ stock: 4 })
  const ada = await shop.customer()
  const form = wants(violin, 4)
  const first = await placeOrder(shop.deps, ada, form)
  expect(await placeOrder(shop.deps, ada, form)).toEqual(first)
})

test('a form whose order was cancelled does not pretend to order again', async ({ shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  const form = wants(violin, 2)
  const { id } = await placeOrder(shop.deps, ada, form)
  await cancelOrder(shop.deps, ada, id)
  await expect(placeOrder(shop.deps, ada, form)).rejects.toMatchObject({ code: 'conflict' })
  expect(await shop.stockOf(violin)).toBe(100)
})

test('a form that was changed and sent again is refused, not silently swallowed', async ({ shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  const form = wants(violin, 4)
  await placeOrder(shop.deps, ada, form)
  await expect(placeOrder(shop.deps, ada, { ...form, orderQuantity: 5 })).rejects.toMatchObject({ code: 'conflict' })
  expect(await shop.ordersOf(ada)).toHaveLength(1)
})

test('another customer may send a form with the same number', async ({ shop }) => {
  const violin = await shop.sells()
  const form = wants(violin, 1)
  const first = await placeOrder(shop.deps, await shop.customer(), form)
  const second = await placeOrder(shop.deps, await shop.customer(), form)
  expect(second.id).not.toBe(first.id)
})

test('64 customers ordering at once on a stock of 100 buy exactly 100', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100 })
  const customers = await Promise.all(Array.from({ length: 64 }, () => shop.customer()))
  const results = await inLanes(64, 320, (index) => placeOrder(shop.deps, customers[index % 64]!, wants(violin, 1)))

  expect(outcomes(results)).toEqual({ placed: 100, refused: 220 })
  expect(await shop.stockOf(violin)).toBe(0)
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(100)
  await expectTheBooksToBalance(shop, violin, 100)
})

test('customers who want 3 of a stock of 100 get 33 orders, and one piece stays', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100, minimum: 2 })
  const customers = await Promise.all(Array.from({ length: 16 }, () => shop.customer()))
  const results = await inLanes(64, 80, (index) => placeOrder(shop.deps, customers[index % 16]!, wants(violin, 3)))

  expect(outcomes(results)).toEqual({ placed: 33, refused: 47 })
  expect(await shop.stockOf(violin)).toBe(1)
  await expectTheBooksToBalance(shop, violin, 100)
})

test('a database that is killed while orders are placed loses none that was acknowledged', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100_000 })
  const customers = await Promise.all(Array.from({ length: 8 }, () => shop.customer()))
  const acknowledged: string[] = []
  for (let kill = 0; kill < 4; kill++) {
    let killed = false
    const orders = inLanes(8, 400, async (index) => {
      if (killed) return
      const { id } = await placeOrder(shop.deps, customers[index % 8]!, wants(violin, 2))
      acknowledged.push(id)
      if (acknowledged.length % 25 === 0) {
        killed = true
        await shop.killDatabase()
      }
    })
    await orders
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)

  const stored = await Promise.all(customers.map((customer) => shop.ordersOf(customer)))
  const ids = new Set(stored.flat().map(({ id }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  await expectTheBooksToBalance(shop, violin, 100_000)
  expect((await shop.deps.db.all<{ integrity_check: string }>(sql`PRAGMA integrity_check`))[0]).toEqual({
    integrity_check: 'ok',
  })
})

test('a list of orders is told in pages, newest first, and never another customer’s', async ({ shop }) => {
  const violin = await shop.sells()
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  for (let at = 1; at <= 5; at++) await placeOrder({ ...shop.deps, now: () => at }, ada, wants(violin, at))
  await placeOrder(shop.deps, bea, wants(violin, 9))

  const first = await listOrders(shop.deps, ada, { limit: 3 })
  const second = await listOrders(shop.deps, ada, { limit: 3, before: first.next! })
  expect([first, second].map(({ orders }) => orders.map(({ quantity }) => quantity))).toEqual([
    [5, 4, 3],
    [2, 1],
  ])
  expect(second.next).toBeNull()
  expect(await findOrder(shop.deps, bea, first.orders[0]!.id)).toBeNull()
})

/** What was received is what is left, held and sold: by the journal as well as by the orders. */
async function expectTheBooksToBalance(shop: Shop, instrument: string, received: number) {
  const available = await shop.stockOf(instrument)
  const lines = await shop.journalOf(instrument)
  expect(lines.reduce((sum, { stockDelta }) => sum + stockDelta, 0)).toBe(available)
  expect(available + (await shop.piecesIn(instrument, 'unpaid', 'paid', 'shipped'))).toBe(received)
}
