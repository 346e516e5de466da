import { eq, isNotNull } from 'drizzle-orm'
import { expect } from 'vitest'
import { orders, paymentAttempts, refunds, stripeEvents } from '../db/schema'
import { confirm } from '../../tests/card-form'
import { payAt } from '../../tests/hosted-page'
import { test, type Customer, type Shop } from '../../tests/shop'
import { stripeSecretKey } from '../../sandbox/keys'
import { ProviderError } from './deps'
import { newId } from './ids.server'
import { cancelOrder } from './cancelling.server'
import { findOrder } from './orders.server'
import { reconcilePayments, settleOrder, startCheckout, startIntent } from './payments.server'
import { placeOrder } from './placing.server'
import { receiveEvent } from './provider-events.server'
import { makeOwedRefunds } from './refunds.server'

async function anOrder(shop: Shop, { stock = 10, quantity = 2 } = {}) {
  const violin = await shop.sells({ price: 250_00, stock })
  const customer = await shop.customer()
  const { id } = await placeOrder(shop.deps, customer, {
    instrumentId: violin,
    submissionId: newId(),
    orderQuantity: quantity,
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
  })
  return { violin, customer, id }
}

const stateOf = async (shop: Shop, customer: Customer, id: string) =>
  (await findOrder(shop.deps, customer, id))?.state ?? 'gone'

/** As if the payment had been given up without the provider. */
async function cancelBehindItsBack(shop: Shop, id: string): Promise<void> {
  const { db } = shop.deps
  await db.update(paymentAttempts).set({ state: 'closed' }).where(eq(paymentAttempts.orderId, id))
  await db.update(orders).set({ state: 'cancelled', cancelledAt: Date.now(), movedBy: 'test' }).where(eq(orders.id, id))
}

/** The shop so many minutes from now. */
const later = ({ deps }: Shop, minutes: number) => ({ ...deps, now: () => Date.now() + minutes * 60_000 })

/** The event that the provider would send of an order's last checkout. */
async function eventOf(shop: Shop, orderId: string, id = 'evt_1') {
  const attempts = await shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId))
  return {
    id,
    type: 'checkout.session.completed',
    about: { kind: 'checkout' as const, id: attempts.at(-1)!.providerId! },
  }
}

test('a paid checkout makes its order paid, with the transaction id, and keeps its pieces', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  expect((await payAt(url)).location).toContain(`/dashboard/myOrders/payment/${id}`)

  expect(await settleOrder(shop.deps, id)).toBe('paid')
  expect(await findOrder(shop.deps, customer, id)).toMatchObject({
    state: 'paid',
    transactionId: expect.stringMatching(/^pi_/) as string,
    totalCents: 500_00,
  })
  expect(await shop.stockOf(violin)).toBe(8)
  expect((await shop.journalOf(violin, id)).map(({ event }) => event)).toEqual(['order placed', 'order paid'])
})

test('a checkout that nobody has paid leaves the order unpaid', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  expect(await settleOrder(shop.deps, id)).toBe('not-paid')
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await settleOrder(shop.deps, id)).toBe('not-paid')
  expect((await payAt(url, '4000 0000 0000 0002')).text).toContain('declined')
  expect(await settleOrder(shop.deps, id)).toBe('not-paid')
  expect(await stateOf(shop, customer, id)).toBe('unpaid')
})

test('two tabs that set out to pay get the same checkout, however close together', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const urls = await Promise.all(Array.from({ length: 6 }, () => startCheckout(shop.deps, customer, id)))
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1)
  expect(await startCheckout(shop.deps, customer, id)).toEqual(urls[0])
})

test('the return, the signed event and a second look make it paid once, in any order', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  const event = await eventOf(shop, id)
  await Promise.all([
    settleOrder(shop.deps, id),
    receiveEvent(shop.deps, event),
    receiveEvent(shop.deps, event),
    settleOrder(shop.deps, id),
    receiveEvent(shop.deps, { ...event, id: 'evt_2' }),
  ])
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect((await shop.journalOf(violin, id)).filter(({ event: what }) => what === 'order paid')).toHaveLength(1)
  expect(await shop.deps.db.select().from(stripeEvents)).toHaveLength(2)
  expect(await shop.deps.db.select().from(refunds)).toEqual([])
})

test('a paid order can be neither paid again nor cancelled', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await settleOrder(shop.deps, id)
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
})

test('cancelling gives the pieces back once, and makes the checkout unpayable first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  await Promise.all(
    [cancelOrder(shop.deps, customer, id), cancelOrder(shop.deps, customer, id)].map((task) =>
      task.catch(() => undefined),
    ),
  )

  expect(await stateOf(shop, customer, id)).toBe('gone')
  expect(await shop.stockOf(violin)).toBe(10)
  await expect(payAt(url)).rejects.toThrow('nothing to pay')
})

test('an order that was paid a moment before it is cancelled is paid, and the customer is told', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is paid and can no longer be cancelled.',
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect(await shop.stockOf(violin)).toBe(8)
})

test('cancel against pay has one winner, every time', async ({ shop }) => {
  for (let race = 0; race < 12; race++) {
    const { violin, customer, id } = await anOrder(shop)
    const { url } = await startCheckout(shop.deps, customer, id)
    await Promise.all([payAt(url).catch(() => undefined), cancelOrder(shop.deps, customer, id).catch(() => undefined)])
    await settleOrder(shop.deps, id)
    const state = await stateOf(shop, customer, id)
    expect(['paid', 'gone']).toContain(state)
    expect(await shop.stockOf(violin)).toBe(state === 'paid' ? 8 : 10)
  }
  expect(await shop.deps.db.select().from(refunds)).toEqual([])
})

test('money that comes for an order that is gone is sent back once', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await cancelBehindItsBack(shop, id)
  const event = await eventOf(shop, id)
  await receiveEvent(shop.deps, event)
  await receiveEvent(shop.deps, { ...event, id: 'evt_2' })

  const owed = await shop.deps.db.select().from(refunds)
  expect(owed).toMatchObject([{ orderId: id, amountCents: 500_00, refundId: expect.stringMatching(/^re_/) as string }])
})

test('a checkout that the provider does not know any more is over: another one can be opened, or the order cancelled', async ({
  shop,
}) => {
  shop.breaks('the shop is made to forget checkouts that the provider keeps')
  const { violin, customer, id } = await anOrder(shop)
  await startCheckout(shop.deps, customer, id)
  const forget = () =>
    shop.deps.db
      .update(paymentAttempts)
      .set({ providerId: `cs_test_gone_${newId()}` })
      .where(eq(paymentAttempts.state, 'open'))
  await forget()
  expect((await startCheckout(shop.deps, customer, id)).url).toContain('/checkout/')
  await forget()
  await cancelOrder(shop.deps, customer, id)
  expect(await shop.stockOf(violin)).toBe(10)
})

test('nobody pays for, or cancels, the order of somebody else', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const other = await shop.customer()
  await expect(startCheckout(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(cancelOrder(shop.deps, other, id)).rejects.toMatchObject({ code: 'not-found' })
})

test('a provider that is away is said as it is, changes nothing, and works again afterwards', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stateOf(shop, customer, id)).toBe('unpaid')

  const { url } = await startCheckout(shop.deps, customer, id)
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await expect(cancelOrder(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await shop.stockOf(violin)).toBe(8)
  await payAt(url)
  expect(await settleOrder(shop.deps, id)).toBe('paid')
})

test('an answer that got lost on the way opens no second checkout', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 503, when: 'after' } })
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await checkoutsAtStripe(shop)).toEqual([expect.objectContaining({ url, status: 'open' })])
  await payAt(url)
  expect(await settleOrder(shop.deps, id)).toBe('paid')
})

test('a failure that the provider keeps is got round by a new attempt, and only the new checkout can be known', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  await shop.faults({ stripe: { failNext: 1, status: 500 } })
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  const { url } = await startCheckout(shop.deps, customer, id)
  await payAt(url)
  expect(await settleOrder(shop.deps, id)).toBe('paid')
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

test('without any word from provider or customer, the cron trigger finds what was paid', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await reconcilePayments(later(shop, 6), 10)
  expect(await stateOf(shop, customer, id)).toBe('paid')
})

test('a refund that failed is made up for, and one that the shopkeeper made is taken for done', async ({ shop }) => {
  const [first, second] = [await anOrder(shop), await anOrder(shop)]
  for (const { customer, id } of [first, second]) {
    await payAt((await startCheckout(shop.deps, customer, id)).url)
    await cancelBehindItsBack(shop, id)
  }
  const done = await eventOf(shop, second.id)
  const paid = await shop.deps.payments.find('checkout', done.about.id)
  const { refundId } = await shop.deps.payments.refund(
    paid.state === 'paid' ? paid.payment : { transactionId: '', amountCents: 1 },
  )
  await shop.faults({ stripe: { failNext: 2, status: 503 } })
  await receiveEvent(shop.deps, await eventOf(shop, first.id)).catch(() => undefined)
  await receiveEvent(shop.deps, done)

  await makeOwedRefunds(shop.deps, 10)
  const rows = await shop.deps.db.select().from(refunds)
  expect(rows.every((row) => row.refundId?.startsWith('re_'))).toBe(true)
  expect(rows.find(({ orderId }) => orderId === second.id)?.refundId).toBe(refundId)
})

test('an intent carries the total, and the same one is answered on repeat and in a second tab', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const secrets = await Promise.all(Array.from({ length: 4 }, () => startIntent(shop.deps, customer, id)))
  expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1)
  expect(await startIntent(shop.deps, customer, id)).toEqual(secrets[0])
  expect(await intentsAtStripe(shop)).toMatchObject([
    { amount: 500_00, currency: 'usd', metadata: { order: id, customer: customer.id } },
  ])
})

test('a card that pays the intent makes its order paid; one that is declined does not', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  expect(await confirm(shop, clientSecret, '4000000000000002')).toMatchObject({ error: { code: 'card_declined' } })
  expect(await settleOrder(shop.deps, id)).toBe('not-paid')
  expect(await confirm(shop, clientSecret)).toMatchObject({ status: 'succeeded' })
  expect(await settleOrder(shop.deps, id)).toBe('paid')
  expect(await findOrder(shop.deps, customer, id)).toMatchObject({
    state: 'paid',
    transactionId: clientSecret.split('_secret')[0],
  })
  expect(await shop.stockOf(violin)).toBe(8)
})

test('only one thing can be paid at a time: the hosted page closes the card form, and the other way round', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  const first = await startIntent(shop.deps, customer, id)
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await confirm(shop, first.clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  const second = await startIntent(shop.deps, customer, id)
  expect(second).not.toEqual(first)
  await expect(payAt(url)).rejects.toThrow('nothing to pay')
  await confirm(shop, second.clientSecret)
  await expect(startCheckout(shop.deps, customer, id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await stateOf(shop, customer, id)).toBe('paid')
})

/** The shop in a window beside which another one opens an intent whenever this one has made something unpayable. */
function besideAnother(shop: Shop, customer: Customer, id: string, { times }: { times: number }) {
  const { payments } = shop.deps
  const close: typeof payments.close = async (...what) => {
    const closed = await payments.close(...what)
    if (times-- > 0) await startIntent(shop.deps, customer, id)
    return closed
  }
  return { ...shop.deps, payments: { ...payments, close } }
}

test('a window that was a moment faster does not keep the customer from the hosted page', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  const { url } = await startCheckout(besideAnother(shop, customer, id, { times: 1 }), customer, id)
  const attempts = await shop.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, id))
  expect(attempts.map(({ kind, state }) => [kind, state])).toEqual([
    ['intent', 'closed'],
    ['intent', 'closed'],
    ['checkout', 'open'],
  ])
  await payAt(url)
  expect(await settleOrder(shop.deps, id)).toBe('paid')
})

test('a window that is faster again and again is said to be there, and is the only one that can pay', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  await expect(startCheckout(besideAnother(shop, customer, id, { times: 9 }), customer, id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is being paid in another window. Try again in a moment.',
  })
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await confirm(shop, clientSecret)
  expect(await settleOrder(shop.deps, id)).toBe('paid')
})

test('a tab that the provider answers with an error does not give up what another tab has opened', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await startCheckout(shop.deps, customer, id)
  const { payments } = shop.deps
  const slowTab = {
    ...shop.deps,
    payments: {
      ...payments,
      close: async (...what: Parameters<typeof payments.close>) => {
        const closed = await payments.close(...what)
        await startIntent(shop.deps, customer, id)
        return closed
      },
      openIntent: () => Promise.reject(new ProviderError('Stripe: 500', { final: true })),
    },
  }
  await expect(startIntent(slowTab, customer, id)).rejects.toMatchObject({ code: 'unavailable' })
  await startIntent(shop.deps, customer, id)
  expect(await intentsAtStripe(shop)).toHaveLength(1)
})

test('cancelling makes the intent unpayable first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  await cancelOrder(shop.deps, customer, id)
  expect(await confirm(shop, clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  expect(await shop.stockOf(violin)).toBe(10)
})

test('a paid intent that was never written down pays its order when the provider tells of it', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  const intentId = clientSecret.split('_secret')[0]!
  await shop.deps.db.update(paymentAttempts).set({ providerId: 'pi_forgotten' }).where(eq(paymentAttempts.orderId, id))
  await confirm(shop, clientSecret)
  await receiveEvent(shop.deps, {
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    about: { kind: 'intent', id: intentId },
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect(await shop.deps.db.select({ state: paymentAttempts.state }).from(paymentAttempts)).toEqual([
    { state: 'closed' },
  ])
})

test('a payment of another amount, or of another customer, pays nothing and is sent back', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  for (const made of [
    { amount: 499_99, customer: customer.id },
    { amount: 500_00, customer: 'somebody else' },
  ]) {
    const intentId = await payElsewhere(shop, made.amount, { order: id, customer: made.customer })
    await receiveEvent(shop.deps, {
      id: newId(),
      type: 'payment_intent.succeeded',
      about: { kind: 'intent', id: intentId },
    })
  }
  expect(await stateOf(shop, customer, id)).toBe('unpaid')
  const back = await shop.deps.db.select().from(refunds)
  expect(back.map(({ amountCents }) => amountCents).sort()).toEqual([499_99, 500_00])
  expect(back.every(({ refundId }) => refundId?.startsWith('re_'))).toBe(true)
})

test('money that was sent back pays nothing afterwards, whatever is written on it at the provider', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  const intentId = await payElsewhere(shop, 500_00, { order: id, customer: 'somebody else' })
  const news = { id: 'evt_1', type: 'payment_intent.succeeded', about: { kind: 'intent' as const, id: intentId } }
  await receiveEvent(shop.deps, news)
  await fetch(`${shop.sandbox.url}/v1/payment_intents/${intentId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecretKey}` },
    body: new URLSearchParams({ 'metadata[customer]': customer.id }),
  })
  await receiveEvent(shop.deps, { ...news, id: 'evt_2' })
  expect(await stateOf(shop, customer, id)).toBe('unpaid')
  expect(await shop.deps.db.select().from(refunds)).toHaveLength(1)
})

test('a refund that the provider will not make stands in the way of nothing else', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const [disputed, ordinary] = [
    await payElsewhere(shop, 1_00, { order: id, customer: customer.id }),
    await payElsewhere(shop, 2_00, { order: id, customer: customer.id }),
  ]
  const { payments } = shop.deps
  const refund: typeof payments.refund = (payment) =>
    payment.transactionId === disputed
      ? Promise.reject(new ProviderError('Stripe: charge_disputed', { final: true }))
      : payments.refund(payment)
  const deps = { ...shop.deps, payments: { ...payments, refund } }
  const news = (intentId: string) => ({
    id: newId(),
    type: 'payment_intent.succeeded',
    about: { kind: 'intent' as const, id: intentId },
  })
  await receiveEvent(deps, news(disputed))
  await shop.faults({ stripe: { failNext: 4, status: 503, only: 'GET /v1/refunds' } })
  await receiveEvent(deps, news(ordinary))
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })

  const made = () => shop.deps.db.select({ id: refunds.refundId }).from(refunds).where(isNotNull(refunds.refundId))
  for (let runs = 0; runs < 60 && (await made()).length === 0; runs++) await makeOwedRefunds(deps, 1)
  expect(await made()).toHaveLength(1)
  expect(await shop.deps.db.select().from(stripeEvents)).toHaveLength(2)
})

test('an attempt that nothing is heard of is looked at often at first, then less and less, and never for nothing', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  await startIntent(shop.deps, customer, id)
  const looks: number[] = []
  for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
    const [before] = await shop.deps.db.select({ askAt: paymentAttempts.askAt }).from(paymentAttempts)
    await reconcilePayments(later(shop, minutes), 10)
    const [after] = await shop.deps.db.select({ askAt: paymentAttempts.askAt }).from(paymentAttempts)
    if (after!.askAt !== before!.askAt) looks.push(minutes)
  }
  expect(looks[0]).toBeLessThanOrEqual(10)
  expect(looks.length).toBeGreaterThan(8)
  expect(looks.length).toBeLessThan(25)
})

interface IntentAtStripe {
  id: string
  amount: number
  currency: string
  metadata: Record<string, string>
}

async function intentsAtStripe(shop: Shop): Promise<IntentAtStripe[]> {
  const answer = await fetch(`${shop.sandbox.url}/v1/payment_intents?limit=100`, {
    headers: { authorization: `Bearer ${stripeSecretKey}` },
  })
  return (await answer.json<{ data: IntentAtStripe[] }>()).data
}

/** A payment that our shop did not open. */
async function payElsewhere(shop: Shop, amount: number, metadata: Record<string, string>): Promise<string> {
  const answer = await fetch(`${shop.sandbox.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeSecretKey}` },
    body: new URLSearchParams({
      amount: String(amount),
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      'metadata[order]': metadata.order!,
      'metadata[customer]': metadata.customer!,
    }),
  })
  return (await answer.json<{ id: string }>()).id
}

interface CheckoutAtStripe {
  client_reference_id: string
  url: string
  status: string
}

/** Every checkout that the provider knows. */
async function checkoutsAtStripe(shop: Shop): Promise<CheckoutAtStripe[]> {
  const answer = await fetch(`${shop.sandbox.url}/v1/checkout/sessions?limit=100`, {
    headers: { authorization: `Bearer ${stripeSecretKey}` },
  })
  return (await answer.json<{ data: CheckoutAtStripe[] }>()).data
}
