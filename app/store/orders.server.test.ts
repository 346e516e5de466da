import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { instruments } from '../db/schema'
import { test } from '../../tests/store'
import { newId } from './ids.server'
import { cancelOrder } from './cancelling.server'
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
