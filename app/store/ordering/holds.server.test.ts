import { eq } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { confirm } from '../../../tests/support/card-form'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { stateOf } from '../../../tests/support/payments'
import { expect, test, type Customer, type Store, hour, orderInput, parcel } from '../../../tests/support/store'
import { orders } from '../../db/schema'
import { findInstrument } from '../catalog/instruments.server'
import { ProviderError, type Deps } from '../deps'
import { releaseExpiredHolds } from './holds.server'
import { findOrder } from '../orders/orders.server'
import { startIntent } from '../payments/payments.server'
import { placeOrder } from './place-order.server'
import { readOrderForm } from './order-form.server'
import { confirmOrderPayment } from '../payments/confirm-payment.server'

const inHours = (hours: number, { deps }: Store) => ({ ...deps, now: () => Date.now() + hours * hour })

async function aHold(shop: Store, { stock = 1, quantity = 1 } = {}) {
  const violin = await shop.sells({ price: 250_00, stock })
  const holder = await shop.customer()
  const { id } = await placeOrder(shop.deps, holder, orderInput(violin, quantity))
  return { violin, holder, id }
}

test('holds the stock of an unpaid order for 72 hours', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  const order = await findOrder(shop.deps, holder, id)
  expect(order!.holdUntil! - order!.createdAt).toBe(72 * hour)
  await releaseExpiredHolds(inHours(71.9, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
  await expect(placeOrder(inHours(71.9, shop), await shop.customer(), orderInput(violin, 1))).rejects.toMatchObject({
    fields: { orderQuantity: ['Cannot be more than available'] },
  })
})

test('holds the stock until cancellation when the hold is 0 hours', async ({ shop }) => {
  const violin = await shop.sells({ stock: 1 })
  const holder = await shop.customer()
  const { id } = await placeOrder({ ...shop.deps, holdMs: 0 }, holder, orderInput(violin, 1))
  await releaseExpiredHolds(inHours(100_000, shop), 10)
  expect(await findOrder(shop.deps, holder, id)).toMatchObject({ state: 'unpaid', holdUntil: null })
})

test('expires the payment, then cancels an order whose hold has expired', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  await releaseExpiredHolds(inHours(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  expect((await shop.auditLogOf(violin, id)).at(-1)).toMatchObject({ event: 'order cancelled', actor: 'hold expiry' })
})

test('keeps an order that is paid when its hold expires', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await releaseExpiredHolds(inHours(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(0)
})

test('keeps an expired hold while the provider is down, and releases it afterwards', async ({ shop }) => {
  const { holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await releaseExpiredHolds(inHours(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
  await releaseExpiredHolds(inHours(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('gone')
})

test('releases other holds although the provider fails for one', async ({ shop }) => {
  const [stuck, other] = [await aHold(shop), await aHold(shop)]
  const { clientSecret } = await startIntent(shop.deps, stuck.holder, stuck.id)
  const { payments } = shop.deps
  const close: typeof payments.close = (kind, id) =>
    clientSecret.startsWith(id)
      ? Promise.reject(new ProviderError('Stripe: 500', { final: true }))
      : payments.close(kind, id)
  const deps = { ...inHours(73, shop), payments: { ...payments, close } }
  for (let runs = 0; runs < 60 && (await stateOf(shop, other.holder, other.id)) !== 'gone'; runs++) {
    await releaseExpiredHolds(deps, 1)
  }
  expect(await stateOf(shop, other.holder, other.id)).toBe('gone')
  expect(await stateOf(shop, stuck.holder, stuck.id)).toBe('unpaid')
})

test('sells the stock of an expired hold without the cron trigger', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 3, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  const buyer = await shop.customer()
  expect(await findInstrument(shop.deps, violin)).toMatchObject({ availableQuantity: 0 })
  expect(await findInstrument(inHours(73, shop), violin)).toMatchObject({ availableQuantity: 3 })

  const bought = await placeOrder(inHours(73, shop), buyer, orderInput(violin, 2))
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await stateOf(shop, buyer, bought.id)).toBe('unpaid')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
})

test('does not sell the stock of an expired hold that was paid', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await expect(placeOrder(inHours(73, shop), await shop.customer(), orderInput(violin, 1))).rejects.toMatchObject({
    fields: { orderQuantity: ['Cannot be more than available'] },
  })
  expect(await stateOf(shop, holder, id)).toBe('paid')
})

test('refuses an order when the provider cannot confirm that an expired hold is unpaid', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(placeOrder(inHours(73, shop), await shop.customer(), orderInput(violin, 1))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('releases only as many expired holds as needed, oldest first', async ({ shop }) => {
  const violin = await shop.sells({ stock: 3 })
  const holders = await Promise.all([shop.customer(), shop.customer(), shop.customer()])
  const held: string[] = []
  for (const [index, holder] of holders.entries()) {
    held.push((await placeOrder(inHours(index, shop), holder, orderInput(violin, 1))).id)
  }
  await placeOrder(inHours(80, shop), await shop.customer(), orderInput(violin, 2))
  const states = await Promise.all(held.map((id, index) => stateOf(shop, holders[index]!, id)))
  expect(states).toEqual(['gone', 'gone', 'unpaid'])
})

test('accepts the payment of an expired hold while nobody else orders the stock', async ({ shop }) => {
  const { holder, id } = await aHold(shop)
  const { clientSecret } = await startIntent(inHours(73, shop), holder, id)
  await confirm(shop, clientSecret)
  expect(await confirmOrderPayment(inHours(73, shop), id)).toBe('paid')
})

test('replaces the customer’s own unpaid order', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  expect(await readOrderForm(shop.deps, holder, violin)).toMatchObject({ held: 3 })
  await expect(placeOrder(shop.deps, holder, orderInput(violin, 4))).rejects.toMatchObject({ code: 'invalid' })

  const input = { ...orderInput(violin, 4), replaceUnpaid: true }
  const replaced = await placeOrder(shop.deps, holder, input)
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  // A double click must not replace the order with itself.
  expect(await placeOrder(shop.deps, holder, input)).toEqual({ ...replaced, isRepeat: true })
  expect(await shop.ordersOf(holder)).toHaveLength(2)
})

test('releases an older expired hold before the customer’s own', async ({ shop }) => {
  const violin = await shop.sells({ stock: 2 })
  const [other, ada] = [await shop.customer(), await shop.customer()]
  const older = await placeOrder({ ...shop.deps, holdMs: 1 }, other, orderInput(violin, 1))
  const own = await placeOrder({ ...shop.deps, holdMs: 1000 }, ada, orderInput(violin, 1))
  await placeOrder(inHours(1, shop), ada, orderInput(violin, 1))
  expect([await stateOf(shop, other, older.id), await stateOf(shop, ada, own.id)]).toEqual(['gone', 'unpaid'])
})

test('stops after two provider timeouts', async ({ shop }) => {
  const violin = await shop.sells({ price: 250_00, stock: 9 })
  for (let nth = 0; nth < 9; nth++) {
    const holder = await shop.customer()
    await startIntent(shop.deps, holder, (await placeOrder(shop.deps, holder, orderInput(violin, 1))).id)
  }
  let closeCalls = 0
  const close = () => {
    closeCalls += 1
    return Promise.reject(new ProviderError('no answer', { final: false }))
  }
  const deps = { ...inHours(73, shop), payments: { ...shop.deps.payments, close } }
  await expect(placeOrder(deps, await shop.customer(), orderInput(violin, 9))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(closeCalls).toBe(2)
})

test('keeps the unpaid order when the new one cannot be placed', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  for (const impossible of [{ orderQuantity: 6 }, { unitPrice: 1 }]) {
    const input = { ...orderInput(violin, 2), replaceUnpaid: true, ...impossible }
    await expect(placeOrder(shop.deps, holder, input)).rejects.toThrow()
    expect(await stateOf(shop, holder, id)).toBe('unpaid')
    expect(await shop.stockOf(violin)).toBe(2)
  }
})

test('refuses an order with a wrong price without expiring any payment', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  const dearer = { ...orderInput(violin, 4), unitPrice: 1 }
  const refusal = { message: 'The price is now $250.00 each. Nothing was ordered.' }
  await expect(placeOrder(shop.deps, holder, { ...dearer, replaceUnpaid: true })).rejects.toMatchObject(refusal)
  await expect(placeOrder(inHours(73, shop), await shop.customer(), dearer)).rejects.toMatchObject(refusal)
  expect(await confirm(shop, clientSecret)).toMatchObject({ status: 'succeeded' })
})

test('does not replace an order that has just been paid', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await expect(placeOrder(shop.deps, holder, { ...orderInput(violin, 2), replaceUnpaid: true })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Your earlier order of this instrument was just paid, so we did not replace it. Nothing new was ordered.',
  })
  expect(await stateOf(shop, holder, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(2)
})

test('refuses to replace an order when another window starts to pay for it', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 9, quantity: 3 })
  await startIntent(shop.deps, holder, id)
  const { payments } = shop.deps
  // Another window opens a new intent between the expiry and the batch.
  const close: typeof payments.close = async (...args) => {
    const closed = await payments.close(...args)
    await startIntent(shop.deps, holder, id)
    return closed
  }
  const deps = { ...shop.deps, payments: { ...payments, close } }
  await expect(placeOrder(deps, holder, { ...orderInput(violin, 2), replaceUnpaid: true })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await shop.ordersOf(holder)).toHaveLength(1)
})

test('never releases an active hold of another customer', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await expect(
    placeOrder(shop.deps, await shop.customer(), { ...orderInput(violin, 1), replaceUnpaid: true }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('the database refuses to cancel an order with an open payment, or to change its hold', async ({ shop }) => {
  const { holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  const { db } = shop.deps
  await expect(
    db.update(orders).set({ state: 'cancelled', cancelledAt: 1, movedBy: 'test' }).where(eq(orders.id, id)),
  ).rejects.toThrow()
  await expect(db.update(orders).set({ holdUntil: 1 }).where(eq(orders.id, id))).rejects.toThrow()
})

const providerDown =
  'Some of these pieces may already be paid for, and Stripe is not responding. Try again in a minute.'

/** Orders whose holds expire after a second, oldest first, each with an open intent. */
async function expiredHolds(shop: Store, deps: Deps, violin: string, pieces: number[]) {
  const orders: { id: string; holder: Customer }[] = []
  for (const [index, quantity] of pieces.entries()) {
    const holder = await shop.customer()
    const placed = { ...deps, now: () => index, holdMs: 1000 }
    const { id } = await placeOrder(placed, holder, orderInput(violin, quantity))
    await startIntent(deps, holder, id)
    orders.push({ id, holder })
  }
  return orders
}

test('releases the customer’s own order only with replaceUnpaid, and counts it once', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const violin = await shop.sells({ stock: 4 })
  const [other, ada] = [await shop.customer(), await shop.customer()]
  const place = (who: Customer, pieces: number, holdMs: number, more = {}) =>
    placeOrder({ ...deps, now: () => 5000, holdMs }, who, { ...orderInput(violin, pieces), ...more })
  const endless = await place(ada, 1, 0)
  const first = await placeOrder({ ...deps, now: () => 1, holdMs: 1 }, other, orderInput(violin, 3))
  await startIntent(deps, ada, endless.id)
  calls.length = 0
  const own = await place(ada, 2, 1)
  expect([await stateOf(shop, ada, endless.id), await stateOf(shop, other, first.id)]).toEqual(['unpaid', 'gone'])
  expect(calls).toEqual([])
  const second = await place(other, 1, 1)
  const late = { ...deps, now: () => 9000 }
  await placeOrder(late, ada, { ...orderInput(violin, 4), replaceUnpaid: true })
  expect(await stateOf(shop, ada, own.id)).toBe('gone')
  expect(await stateOf(shop, other, second.id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(0)
})

test('continues with the next hold after a final error', async ({ shop }) => {
  const { deps, calls, errors } = fakeProvider(shop)
  const violin = await shop.sells({ price: 250_00, stock: 5 })
  const held = await expiredHolds(shop, deps, violin, [1, 1, 1, 1, 1])
  const close: typeof deps.payments.close = (kind, id) =>
    id === 'pi_1' ? Promise.reject(new ProviderError('Stripe: 500', { final: true })) : deps.payments.close(kind, id)
  const partly = { ...deps, payments: { ...deps.payments, close } }
  await placeOrder(partly, await shop.customer(), orderInput(violin, 2))
  const states = await Promise.all(held.map(({ id, holder }) => stateOf(shop, holder, id)))
  expect(states).toEqual(['unpaid', 'gone', 'gone', 'unpaid', 'unpaid'])

  errors.close = new ProviderError('Stripe: 500', { final: true })
  calls.length = 0
  const refused = { code: 'unavailable', message: providerDown, cause: errors.close }
  await expect(placeOrder(deps, await shop.customer(), orderInput(violin, 3))).rejects.toMatchObject(refused)
  expect(calls).toHaveLength(3)
  errors.close = new TypeError('a bug')
  await expect(placeOrder(deps, await shop.customer(), orderInput(violin, 3))).rejects.toThrow(TypeError)
})

test('does not replace an order while the provider is down', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  await startIntent(deps, holder, id)
  const replace = () => placeOrder(deps, holder, { ...orderInput(violin, 2), replaceUnpaid: true })
  errors.close = new ProviderError('no answer', { final: false })
  await expect(replace()).rejects.toMatchObject({ code: 'unavailable', message: providerDown, cause: errors.close })
  errors.close = new TypeError('a bug')
  await expect(replace()).rejects.toThrow(TypeError)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('invalidates the cache after a release, and reports a failed one', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  const violin = await shop.sells()
  const [stuck] = await expiredHolds(shop, deps, violin, [1])
  const free = await shop.customer()
  const { id } = await placeOrder({ ...deps, now: () => 5, holdMs: 1000 }, free, orderInput(violin, 1))
  errors.close = new ProviderError('no answer', { final: false })
  shop.invalidated.length = 0
  await releaseExpiredHolds(deps, 9)
  expect(shop.invalidated).toEqual(['stock'])
  expect(shop.reported).toEqual([`hold not released: ${stuck!.id}`])
  expect(await stateOf(shop, free, id)).toBe('gone')
})

test('releases up to 200 expired holds for an order, and no more than it needs', async ({ shop }) => {
  const [violin, holder] = [await shop.sells({ price: 250_00, stock: 202 }), await shop.customer()]
  const one = { productName: 'Violin', unitPriceCents: 250_00, quantity: 1, totalCents: 250_00, movedBy: holder.id }
  const whose = { customerId: holder.id, customerName: 'Ada', customerEmail: holder.email, createdAt: Date.now() }
  const { customerAddress, customerPhone } = parcel
  for (let nth = 0; nth < 202; nth++)
    await shop.deps.db.insert(orders).values({
      ...{
        id: `o${nth}`,
        number: nextOrderNumber,
        submissionId: `o${nth}`,
        instrumentId: violin,
        ...one,
        ...whose,
        customerAddress,
        customerPhone,
      },
      holdUntil: Date.now() + hour,
    })
  const later = inHours(73, shop)
  const buyer = await shop.customer()
  await expect(placeOrder(later, buyer, orderInput(violin, 201))).rejects.toMatchObject({ code: 'invalid' })
  const { id } = await placeOrder(later, buyer, orderInput(violin, 150))
  expect(await stateOf(shop, buyer, id)).toBe('unpaid')
  expect(await shop.piecesIn(violin, 'cancelled')).toBe(150)
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(202)
})
