import { sql } from 'drizzle-orm'
import { cancelOrder } from '../../app/store/ordering/cancel-order.server'
import { newId } from '../../app/store/shared/ids.server'
import { startCheckout } from '../../app/store/payments/payments.server'
import { acceptQuote } from '../../app/store/ordering/accept-quote.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { askForPrice, declineQuote, offerPrice } from '../../app/store/quotes/quotes.server'
import { Refusal } from '../../app/store/shared/refusal'
import { anOrder, checkoutsAtStripe, later, stateOf } from '../support/payments'
import { expect, test, type Shop, orderInput, parcel } from '../support/shop'

const outcomes = (results: PromiseSettledResult<unknown>[]) => ({
  placed: results.filter(({ status }) => status === 'fulfilled').length,
  refused: results.filter((result) => result.status === 'rejected' && result.reason instanceof Refusal).length,
})

async function settleConcurrently<T>(limit: number, times: number, task: (index: number) => Promise<T>) {
  const results: PromiseSettledResult<T>[] = []
  let next = 0
  const runNext = async () => {
    while (next < times) {
      const index = next++
      results[index] = await task(index).then(
        (value) => ({ status: 'fulfilled' as const, value }),
        (reason: unknown) => ({ status: 'rejected' as const, reason }),
      )
    }
  }
  await Promise.all(Array.from({ length: limit }, runNext))
  return results
}

test('sells exactly 100 of 100 pieces to 64 concurrent customers', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100 })
  const customers = await Promise.all(Array.from({ length: 64 }, () => shop.customer()))
  const results = await settleConcurrently(64, 320, (index) =>
    placeOrder(shop.deps, customers[index % 64]!, orderInput(violin, 1)),
  )

  expect(outcomes(results)).toEqual({ placed: 100, refused: 220 })
  expect(await shop.stockOf(violin)).toBe(0)
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(100)
  await expectStockToBalance(shop, violin, 100)
})

test('an offer makes one order of 32 acceptances at once, and none if the shop withdraws it first', async ({
  shop,
}) => {
  const [customer, admin, oboe] = [await shop.customer(), await shop.admin(), await shop.sells({ stock: 1000 })]
  for (const round of [0, 1, 2]) {
    const request = { submissionId: newId(), instrumentId: oboe, orderQuantity: 20 }
    const { id } = await askForPrice(shop.deps, customer, request)
    await offerPrice(shop.deps, admin, id, { price: 900_00, orderQuantity: 20, validUntil: Date.now() + 60_000 })
    const [withdrawn, ...accepted] = await settleConcurrently(33, 33, async (index) => {
      if (index === 0) return round === 0 ? null : declineQuote(shop.deps, admin, id, { reason: 'No' })
      return acceptQuote(shop.deps, customer, id, parcel)
    })
    const made = accepted.flatMap((result) => (result.status === 'fulfilled' ? [result.value as { id: string }] : []))
    const isAccepted = round === 0 || withdrawn!.status === 'rejected'
    expect([made.length, new Set(made.map((order) => order.id)).size]).toEqual(isAccepted ? [32, 1] : [0, 0])
    expect((await shop.ordersOf(customer)).filter(({ quoteId }) => quoteId === id)).toHaveLength(isAccepted ? 1 : 0)
  }
})

test('sells 33 orders of 3 from a stock of 100 and keeps one piece', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100, minimum: 2 })
  const customers = await Promise.all(Array.from({ length: 16 }, () => shop.customer()))
  const results = await settleConcurrently(64, 80, (index) =>
    placeOrder(shop.deps, customers[index % 16]!, orderInput(violin, 3)),
  )

  expect(outcomes(results)).toEqual({ placed: 33, refused: 47 })
  expect(await shop.stockOf(violin)).toBe(1)
  await expectStockToBalance(shop, violin, 100)
})

test('leaves nothing payable when an order is cancelled while a checkout opens', async ({ shop }) => {
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

test('sells the pieces of expired holds once under concurrency', async ({ shop }) => {
  const { violin } = await anOrder(shop, { stock: 5, quantity: 5 })
  const buyers = await Promise.all(Array.from({ length: 12 }, () => shop.customer()))
  const results = await Promise.allSettled(
    buyers.map((buyer) => placeOrder(later(shop, 73 * 60), buyer, orderInput(violin, 1))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await shop.stockOf(violin)).toBe(0)
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(5)
})

test('finds the customer’s own order among many expired ones', async ({ shop }) => {
  const violin = await shop.sells({ stock: 300 })
  const ada = await shop.customer()
  const others = [await shop.customer(), await shop.customer(), await shop.customer()]
  for (let nth = 0; nth < 201; nth++) {
    await placeOrder({ ...shop.deps, holdMs: 1 }, others[nth % 3]!, orderInput(violin, 1))
  }
  const { id } = await placeOrder(shop.deps, ada, orderInput(violin, 5))
  await placeOrder(later(shop, 60), ada, { ...orderInput(violin, 6), replaceUnpaid: true })
  expect(await stateOf(shop, ada, id)).toBe('gone')
})

test('leaves one order when two windows replace with one form', async ({ shop }) => {
  for (let race = 0; race < 6; race++) {
    const { violin, customer: holder } = await anOrder(shop, { stock: 5, quantity: 3 })
    const input = { ...orderInput(violin, 5), replaceUnpaid: true }
    const both = await Promise.all([placeOrder(shop.deps, holder, input), placeOrder(shop.deps, holder, input)])
    expect(both[0].id).toBe(both[1].id)
    expect(await shop.piecesIn(violin, 'unpaid')).toBe(5)
    expect(await shop.stockOf(violin)).toBe(0)
  }
})

test('loses no acknowledged order when the database is killed', async ({ shop }) => {
  const violin = await shop.sells({ stock: 100_000 })
  const customers = await Promise.all(Array.from({ length: 8 }, () => shop.customer()))
  const acknowledged: string[] = []
  for (let kill = 0; kill < 4; kill++) {
    let killed = false
    const orders = settleConcurrently(8, 400, async (index) => {
      if (killed) return
      const { id } = await placeOrder(shop.deps, customers[index % 8]!, orderInput(violin, 2))
      acknowledged.push(id)
      if (acknowledged.length % 25 === 0) {
        killed = true
        await shop.killDatabase()
      }
    })
    await orders
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)

  const rows = await Promise.all(customers.map((customer) => shop.ordersOf(customer)))
  const ids = new Set(rows.flat().map(({ id }) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  await expectStockToBalance(shop, violin, 100_000)
  expect((await shop.deps.db.all<{ integrity_check: string }>(sql`PRAGMA integrity_check`))[0]).toEqual({
    integrity_check: 'ok',
  })
})

async function expectStockToBalance(shop: Shop, instrument: string, received: number) {
  const available = await shop.stockOf(instrument)
  const lines = await shop.auditLogOf(instrument)
  expect(lines.reduce((sum, { stockDelta }) => sum + stockDelta, 0)).toBe(available)
  expect(available + (await shop.piecesIn(instrument, 'unpaid', 'paid', 'shipped'))).toBe(received)
}
