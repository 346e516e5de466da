import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { refunds } from '../../app/db/schema'
import { cancelOrder } from '../../app/store/ordering/cancel-order.server'
import { newId } from '../../app/store/ids.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { Refusal } from '../../app/store/refusal'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { payAt } from '../support/hosted-page'
import { anOrder, checkoutsAtStripe, later, stateOf } from '../support/payments'
import { test, type Shop } from '../support/shop'

const wants = (instrumentId: string, orderQuantity: number) => ({
  instrumentId,
  orderQuantity,
  customerAddress: '1 Bow Lane',
  customerPhone: '07700 900123',
  submissionId: newId(),
})

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

test('cancel against pay has one winner, every time', async ({ shop }) => {
  for (let race = 0; race < 12; race++) {
    const { violin, customer, id } = await anOrder(shop)
    const { url } = await startCheckout(shop.deps, customer, id)
    await Promise.all([payAt(url).catch(() => undefined), cancelOrder(shop.deps, customer, id).catch(() => undefined)])
    await confirmOrderPayment(shop.deps, id)
    const state = await stateOf(shop, customer, id)
    expect(['paid', 'gone']).toContain(state)
    expect(await shop.stockOf(violin)).toBe(state === 'paid' ? 8 : 10)
  }
  expect(await shop.deps.db.select().from(refunds)).toEqual([])
})

test('cancelling while a checkout is being opened leaves nothing that can be paid', async ({ shop }) => {
  for (let race = 0; race < 12; race++) {
    const { violin, customer, id } = await anOrder(shop)
    await Promise.allSettled([startCheckout(shop.deps, customer, id), cancelOrder(shop.deps, customer, id)])
    const payable = (await checkoutsAtStripe(shop)).filter(
      ({ client_reference_id: order, status }) => order === id && status === 'open',
    )
    const state = await stateOf(shop, customer, id)
    expect(state === 'gone' ? payable.length : 0).toBe(0)
    expect(await shop.stockOf(violin)).toBe(state === 'gone' ? 10 : 8)
  }
})

test('many customers who want the pieces of expired holds at once get exactly those', async ({ shop }) => {
  const { violin } = await anOrder(shop, { stock: 5, quantity: 5 })
  const buyers = await Promise.all(Array.from({ length: 12 }, () => shop.customer()))
  const results = await Promise.allSettled(
    buyers.map((buyer) => placeOrder(later(shop, 73 * 60), buyer, wants(violin, 1))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await shop.stockOf(violin)).toBe(0)
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(5)
})

test('the customer’s own order is found among however many that have expired', async ({ shop }) => {
  const violin = await shop.sells({ stock: 300 })
  const [other, ada] = [await shop.customer(), await shop.customer()]
  for (let nth = 0; nth < 201; nth++) await placeOrder({ ...shop.deps, holdMs: 1 }, other, wants(violin, 1))
  const { id } = await placeOrder(shop.deps, ada, wants(violin, 5))
  await placeOrder(later(shop, 60), ada, { ...wants(violin, 6), replaceUnpaid: true })
  expect(await stateOf(shop, ada, id)).toBe('gone')
})

test('replacing with one form in two windows at once leaves one order', async ({ shop }) => {
  for (let race = 0; race < 6; race++) {
    const { violin, customer: holder } = await anOrder(shop, { stock: 5, quantity: 3 })
    const wanted = { ...wants(violin, 5), replaceUnpaid: true }
    const both = await Promise.all([placeOrder(shop.deps, holder, wanted), placeOrder(shop.deps, holder, wanted)])
    expect(both[0].id).toBe(both[1].id)
    expect(await shop.piecesIn(violin, 'unpaid')).toBe(5)
    expect(await shop.stockOf(violin)).toBe(0)
  }
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

/** What was received is what is left, held and sold: by the audit log as well as by the orders. */
async function expectTheBooksToBalance(shop: Shop, instrument: string, received: number) {
  const available = await shop.stockOf(instrument)
  const lines = await shop.journalOf(instrument)
  expect(lines.reduce((sum, { stockDelta }) => sum + stockDelta, 0)).toBe(available)
  expect(available + (await shop.piecesIn(instrument, 'unpaid', 'paid', 'shipped'))).toBe(received)
}
