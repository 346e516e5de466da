import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { confirm } from '../../../tests/support/card-form'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { test, type Customer, type Store } from '../../../tests/support/store'
import { orders } from '../../db/schema'
import { findInstrument } from '../catalog/instruments.server'
import { ProviderError, type Deps } from '../deps'
import { releaseExpiredHolds } from './holds.server'
import { newId } from '../ids.server'
import { findOrder } from '../orders/orders.server'
import { startIntent } from '../payments/payments.server'
import { placeOrder } from './place-order.server'
import { readOrderForm } from './order-form.server'
import { confirmOrderPayment } from '../payments/confirm-payment.server'

const hour = 60 * 60 * 1000

/** The shop so many hours from now. */
const in_ = (hours: number, { deps }: Store) => ({ ...deps, now: () => Date.now() + hours * hour })

const wish = (instrumentId: string, orderQuantity: number) => ({
  instrumentId,
  submissionId: newId(),
  orderQuantity,
  customerAddress: '1 Bow Lane',
  customerPhone: '07700 900123',
})

async function aHold(shop: Store, { stock = 1, quantity = 1 } = {}) {
  const violin = await shop.sells({ price: 250_00, stock })
  const holder = await shop.customer()
  const { id } = await placeOrder(shop.deps, holder, wish(violin, quantity))
  return { violin, holder, id }
}

const stateOf = async (shop: Store, customer: Customer, id: string) =>
  (await findOrder(shop.deps, customer, id))?.state ?? 'gone'

test('an unpaid order keeps its pieces for 72 hours, and says until when', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  const order = await findOrder(shop.deps, holder, id)
  expect(order!.holdUntil! - order!.createdAt).toBe(72 * hour)
  await releaseExpiredHolds(in_(71.9, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
  await expect(placeOrder(in_(71.9, shop), await shop.customer(), wish(violin, 1))).rejects.toMatchObject({
    fields: { orderQuantity: ['Cannot be more than available'] },
  })
})

test('a hold of 0 hours lasts until the order is cancelled', async ({ shop }) => {
  const violin = await shop.sells({ stock: 1 })
  const holder = await shop.customer()
  const { id } = await placeOrder({ ...shop.deps, holdMs: 0 }, holder, wish(violin, 1))
  await releaseExpiredHolds(in_(100_000, shop), 10)
  expect(await findOrder(shop.deps, holder, id)).toMatchObject({ state: 'unpaid', holdUntil: null })
})

test('the cron trigger cancels an order whose hold has expired, as its customer would: unpayable first', async ({
  shop,
}) => {
  const { violin, holder, id } = await aHold(shop)
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  await releaseExpiredHolds(in_(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  expect((await shop.journalOf(violin, id)).at(-1)).toMatchObject({ event: 'order cancelled', actor: 'hold expiry' })
})

test('an order that is paid when its hold expires is paid, and keeps its pieces', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await releaseExpiredHolds(in_(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(0)
})

test('while the provider is away an expired hold stays, and is released afterwards', async ({ shop }) => {
  const { holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await releaseExpiredHolds(in_(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
  await releaseExpiredHolds(in_(73, shop), 10)
  expect(await stateOf(shop, holder, id)).toBe('gone')
})

test('a hold that the provider never answers for keeps no other from being released', async ({ shop }) => {
  const [stuck, other] = [await aHold(shop), await aHold(shop)]
  const { clientSecret } = await startIntent(shop.deps, stuck.holder, stuck.id)
  const { payments } = shop.deps
  const close: typeof payments.close = (kind, id) =>
    clientSecret.startsWith(id)
      ? Promise.reject(new ProviderError('Stripe: 500', { final: true }))
      : payments.close(kind, id)
  const deps = { ...in_(73, shop), payments: { ...payments, close } }
  for (let runs = 0; runs < 60 && (await stateOf(shop, other.holder, other.id)) !== 'gone'; runs++) {
    await releaseExpiredHolds(deps, 1)
  }
  expect(await stateOf(shop, other.holder, other.id)).toBe('gone')
  expect(await stateOf(shop, stuck.holder, stuck.id)).toBe('unpaid')
})

test('whoever wants a piece gets it the moment its hold has expired, without the cron trigger', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 3, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  const buyer = await shop.customer()
  expect(await findInstrument(shop.deps, violin)).toMatchObject({ availableQuantity: 0 })
  expect(await findInstrument(in_(73, shop), violin)).toMatchObject({ availableQuantity: 3 })

  const bought = await placeOrder(in_(73, shop), buyer, wish(violin, 2))
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await stateOf(shop, buyer, bought.id)).toBe('unpaid')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
})

test('an expired hold that was paid is no room for somebody else', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await expect(placeOrder(in_(73, shop), await shop.customer(), wish(violin, 1))).rejects.toMatchObject({
    fields: { orderQuantity: ['Cannot be more than available'] },
  })
  expect(await stateOf(shop, holder, id)).toBe('paid')
})

test('when the provider cannot say whether an expired hold is paid, nobody gets its piece, and that is said', async ({
  shop,
}) => {
  const { violin, holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(placeOrder(in_(73, shop), await shop.customer(), wish(violin, 1))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('only as many expired holds give way as are needed, the oldest first', async ({ shop }) => {
  const violin = await shop.sells({ stock: 3 })
  const holders = await Promise.all([shop.customer(), shop.customer(), shop.customer()])
  const held: string[] = []
  for (const [index, holder] of holders.entries()) {
    held.push((await placeOrder(in_(index, shop), holder, wish(violin, 1))).id)
  }
  await placeOrder(in_(80, shop), await shop.customer(), wish(violin, 2))
  const states = await Promise.all(held.map((id, index) => stateOf(shop, holders[index]!, id)))
  expect(states).toEqual(['gone', 'gone', 'unpaid'])
})

test('an order whose hold has expired can still be paid by its customer while nobody wants the pieces', async ({
  shop,
}) => {
  const { holder, id } = await aHold(shop)
  const { clientSecret } = await startIntent(in_(73, shop), holder, id)
  await confirm(shop, clientSecret)
  expect(await confirmOrderPayment(in_(73, shop), id)).toBe('paid')
})

test('a customer is never blocked by pieces of their own: a new order can take the place of the unpaid one', async ({
  shop,
}) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  expect(await readOrderForm(shop.deps, holder, violin)).toMatchObject({ held: 3 })
  await expect(placeOrder(shop.deps, holder, wish(violin, 4))).rejects.toMatchObject({ code: 'invalid' })

  const wanted = { ...wish(violin, 4), replaceUnpaid: true }
  const replaced = await placeOrder(shop.deps, holder, wanted)
  expect(await stateOf(shop, holder, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(1)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  // The same form once more, as a double click sends it, is the same order: it does not take the place of itself.
  expect(await placeOrder(shop.deps, holder, wanted)).toEqual({ ...replaced, isRepeat: true })
  expect(await shop.ordersOf(holder)).toHaveLength(2)
})

test('a customer’s own expired order gives way no sooner than an older one of somebody else’s', async ({ shop }) => {
  const violin = await shop.sells({ stock: 2 })
  const [other, ada] = [await shop.customer(), await shop.customer()]
  const older = await placeOrder({ ...shop.deps, holdMs: 1 }, other, wish(violin, 1))
  const own = await placeOrder({ ...shop.deps, holdMs: 1000 }, ada, wish(violin, 1))
  await placeOrder(in_(1, shop), ada, wish(violin, 1))
  expect([await stateOf(shop, other, older.id), await stateOf(shop, ada, own.id)]).toEqual(['gone', 'unpaid'])
})

test('a provider that hangs is asked about two expired holds, not about each', async ({ shop }) => {
  const violin = await shop.sells({ price: 250_00, stock: 9 })
  for (let nth = 0; nth < 9; nth++) {
    const holder = await shop.customer()
    await startIntent(shop.deps, holder, (await placeOrder(shop.deps, holder, wish(violin, 1))).id)
  }
  let asked = 0
  const close = () => {
    asked += 1
    return Promise.reject(new ProviderError('no answer', { final: false }))
  }
  const deps = { ...in_(73, shop), payments: { ...shop.deps.payments, close } }
  await expect(placeOrder(deps, await shop.customer(), wish(violin, 9))).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked).toBe(2)
})

test('a new order that cannot be placed leaves the unpaid one as it was', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  for (const impossible of [{ orderQuantity: 6 }, { unitPrice: 1 }]) {
    const wanted = { ...wish(violin, 2), replaceUnpaid: true, ...impossible }
    await expect(placeOrder(shop.deps, holder, wanted)).rejects.toThrow()
    expect(await stateOf(shop, holder, id)).toBe('unpaid')
    expect(await shop.stockOf(violin)).toBe(2)
  }
})

test('an order that cannot be placed at any rate closes nobody’s way to pay, and is refused for what is wrong with it', async ({
  shop,
}) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  const { clientSecret } = await startIntent(shop.deps, holder, id)
  const dearer = { ...wish(violin, 4), unitPrice: 1 }
  const refusal = { message: 'The price is now $250.00 each. Nothing was ordered.' }
  await expect(placeOrder(shop.deps, holder, { ...dearer, replaceUnpaid: true })).rejects.toMatchObject(refusal)
  await expect(placeOrder(in_(73, shop), await shop.customer(), dearer)).rejects.toMatchObject(refusal)
  expect(await confirm(shop, clientSecret)).toMatchObject({ status: 'succeeded' })
})

test('a new order does not take the place of one that is paid meanwhile', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  await confirm(shop, (await startIntent(shop.deps, holder, id)).clientSecret)
  await expect(placeOrder(shop.deps, holder, { ...wish(violin, 2), replaceUnpaid: true })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Your earlier order of this has been paid meanwhile, so it stays. Nothing more was ordered.',
  })
  expect(await stateOf(shop, holder, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(2)
})

test('an order that its customer sets out to pay at that very moment is not left beside the one that is to replace it', async ({
  shop,
}) => {
  const { violin, holder, id } = await aHold(shop, { stock: 9, quantity: 3 })
  await startIntent(shop.deps, holder, id)
  const { payments } = shop.deps
  // Between what makes the old order unpayable and the batch, another window opens a new intent for it.
  const close: typeof payments.close = async (...what) => {
    const closed = await payments.close(...what)
    await startIntent(shop.deps, holder, id)
    return closed
  }
  const deps = { ...shop.deps, payments: { ...payments, close } }
  await expect(placeOrder(deps, holder, { ...wish(violin, 2), replaceUnpaid: true })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await shop.ordersOf(holder)).toHaveLength(1)
})

test('nobody else’s unpaid order gives way', async ({ shop }) => {
  const { violin, holder, id } = await aHold(shop)
  await expect(
    placeOrder(shop.deps, await shop.customer(), { ...wish(violin, 1), replaceUnpaid: true }),
  ).rejects.toMatchObject({ code: 'invalid' })
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('the database itself refuses to cancel an order that can still be paid, and to change until when it is kept', async ({
  shop,
}) => {
  const { holder, id } = await aHold(shop)
  await startIntent(shop.deps, holder, id)
  const { db } = shop.deps
  await expect(
    db.update(orders).set({ state: 'cancelled', cancelledAt: 1, movedBy: 'test' }).where(eq(orders.id, id)),
  ).rejects.toThrow()
  await expect(db.update(orders).set({ holdUntil: 1 }).where(eq(orders.id, id))).rejects.toThrow()
})

const away =
  'Some of these pieces wait for a card payment, and the payment service does not answer just now. Try again in a minute.'

/** Orders whose holds have expired after a second, the first the oldest, with an intent open for each. */
async function expiredHolds(shop: Store, deps: Deps, violin: string, pieces: number[]) {
  const orders: { id: string; holder: Customer }[] = []
  for (const [index, quantity] of pieces.entries()) {
    const holder = await shop.customer()
    const placed = { ...deps, now: () => index, holdMs: 1000 }
    const { id } = await placeOrder(placed, holder, wish(violin, quantity))
    await startIntent(deps, holder, id)
    orders.push({ id, holder })
  }
  return orders
}

test('an own order gives way only where that was asked for, and counts once', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const violin = await shop.sells({ stock: 4 })
  const [other, ada] = [await shop.customer(), await shop.customer()]
  const place = (who: Customer, pieces: number, holdMs: number, more = {}) =>
    placeOrder({ ...deps, now: () => 5000, holdMs }, who, { ...wish(violin, pieces), ...more })
  const endless = await place(ada, 1, 0)
  const first = await placeOrder({ ...deps, now: () => 1, holdMs: 1 }, other, wish(violin, 3))
  await startIntent(deps, ada, endless.id)
  calls.length = 0
  const own = await place(ada, 2, 1)
  expect([await stateOf(shop, ada, endless.id), await stateOf(shop, other, first.id)]).toEqual(['unpaid', 'gone'])
  expect(calls).toEqual([])
  const second = await place(other, 1, 1)
  const late = { ...deps, now: () => 9000 }
  await placeOrder(late, ada, { ...wish(violin, 4), replaceUnpaid: true })
  expect(await stateOf(shop, ada, own.id)).toBe('gone')
  expect(await stateOf(shop, other, second.id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(0)
})

test('an answer that is final keeps nobody from asking about the next hold; enough of the others is enough', async ({
  shop,
}) => {
  const { deps, calls, errors } = fakeProvider(shop)
  const violin = await shop.sells({ price: 250_00, stock: 5 })
  const held = await expiredHolds(shop, deps, violin, [1, 1, 1, 1, 1])
  const close: typeof deps.payments.close = (kind, id) =>
    id === 'pi_1' ? Promise.reject(new ProviderError('Stripe: 500', { final: true })) : deps.payments.close(kind, id)
  const partly = { ...deps, payments: { ...deps.payments, close } }
  await placeOrder(partly, await shop.customer(), wish(violin, 2))
  const states = await Promise.all(held.map(({ id, holder }) => stateOf(shop, holder, id)))
  expect(states).toEqual(['unpaid', 'gone', 'gone', 'unpaid', 'unpaid'])

  errors.close = new ProviderError('Stripe: 500', { final: true })
  calls.length = 0
  const refused = { code: 'unavailable', message: away, cause: errors.close }
  await expect(placeOrder(deps, await shop.customer(), wish(violin, 3))).rejects.toMatchObject(refused)
  expect(calls).toHaveLength(3)
  errors.close = new TypeError('a bug')
  await expect(placeOrder(deps, await shop.customer(), wish(violin, 3))).rejects.toThrow(TypeError)
})

test('an own order is not replaced while the provider is away', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  const { violin, holder, id } = await aHold(shop, { stock: 5, quantity: 3 })
  await startIntent(deps, holder, id)
  const replace = () => placeOrder(deps, holder, { ...wish(violin, 2), replaceUnpaid: true })
  errors.close = new ProviderError('no answer', { final: false })
  await expect(replace()).rejects.toMatchObject({ code: 'unavailable', message: away, cause: errors.close })
  errors.close = new TypeError('a bug')
  await expect(replace()).rejects.toThrow(TypeError)
  expect(await stateOf(shop, holder, id)).toBe('unpaid')
})

test('the cron tells the cache of what it has released, and the operators of what it could not', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  const violin = await shop.sells()
  const [stuck] = await expiredHolds(shop, deps, violin, [1])
  const free = await shop.customer()
  const { id } = await placeOrder({ ...deps, now: () => 5, holdMs: 1000 }, free, wish(violin, 1))
  errors.close = new ProviderError('no answer', { final: false })
  shop.told.length = 0
  await releaseExpiredHolds(deps, 9)
  expect(shop.told).toEqual(['stock'])
  expect(shop.reported).toEqual([`releasing ${stuck!.id}`])
  expect(await stateOf(shop, free, id)).toBe('gone')
})
