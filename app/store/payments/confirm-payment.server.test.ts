import { eq, like } from 'drizzle-orm'
import { emails, orders, paymentAttempts, refunds, unmatchedPayments, webhookEvents } from '../../db/schema'
import { confirm } from '../../../tests/support/card-form'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, stateOf, later, eventOf, intentsAtStripe, refundAtStripe } from '../../../tests/support/payments'
import { expect, test, type Store } from '../../../tests/support/store'
import { beginAttempt, findAttempt } from './attempts.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { ProviderError } from '../deps'
import { findOrder } from '../orders/orders.server'
import { startCheckout, startIntent } from './payments.server'
import { deleteExpiredEvents, handleWebhookEvent } from './stripe-events.server'
import { expirePayment, checkOpenPayments, confirmOrderPayment, handlePayment } from './confirm-payment.server'

test('marks the order of a paid checkout as paid, with its transaction id, and keeps the stock', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  expect((await payAt(url)).location).toContain(`/dashboard/myOrders/payment/${id}`)

  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
  expect(await findOrder(shop.deps, customer, id)).toMatchObject({
    state: 'paid',
    transactionId: expect.stringMatching(/^pi_/) as string,
    totalCents: 500_00,
  })
  expect(await shop.stockOf(violin)).toBe(8)
  expect((await shop.auditLogOf(violin, id)).map(({ event }) => event)).toEqual(['order placed', 'order paid'])
})

test('leaves the order of an unpaid checkout unpaid', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('not-paid')
  const { url } = await startCheckout(shop.deps, customer, id)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('not-paid')
  expect((await payAt(url, '4000 0000 0000 0002')).text).toContain('declined')
  expect(await confirmOrderPayment(shop.deps, id)).toBe('not-paid')
  expect(await stateOf(shop, customer, id)).toBe('unpaid')
})

test('marks an order as paid once, whether the return page or a webhook event comes first', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  const event = await eventOf(shop, id)
  await Promise.all([
    confirmOrderPayment(shop.deps, id),
    handleWebhookEvent(shop.deps, event),
    handleWebhookEvent(shop.deps, event),
    confirmOrderPayment(shop.deps, id),
    handleWebhookEvent(shop.deps, { ...event, id: 'evt_2' }),
  ])
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect((await shop.auditLogOf(violin, id)).filter(({ event: name }) => name === 'order paid')).toHaveLength(1)
  expect(await shop.deps.db.select().from(webhookEvents)).toHaveLength(2)
  expect(await shop.deps.db.select().from(refunds)).toEqual([])
})

test('leaves an order unpaid whose payment was refunded at Stripe before we looked, also in part', async ({ shop }) => {
  shop.skipInvariants('the shopkeeper refunded a part at Stripe, and the shop the rest')
  for (const amount of [500_00, 1]) {
    const { customer, id } = await anOrder(shop)
    await payAt((await startCheckout(shop.deps, customer, id)).url)
    const { id: intent } = (await intentsAtStripe(shop)).find(({ metadata }) => metadata.order === id)!
    await refundAtStripe(shop, intent, amount)
    expect(await confirmOrderPayment(shop.deps, id)).toBe('not-paid')
    expect(await stateOf(shop, customer, id)).toBe('unpaid')
    const [refund] = await shop.deps.db.select().from(refunds).where(eq(refunds.orderId, id))
    expect(refund).toMatchObject({ transactionId: intent, refundId: expect.stringMatching(/^re_/) as string })
  }
})

test('finds a paid order by the cron trigger alone', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await checkOpenPayments(later(shop, 6), 10)
  expect(await stateOf(shop, customer, id)).toBe('paid')
})

test('marks the order of a paid intent as paid, but not after a declined card', async ({ shop }) => {
  const { violin, customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  expect(await confirm(shop, clientSecret, '4000000000000002')).toMatchObject({ error: { code: 'card_declined' } })
  expect(await confirmOrderPayment(shop.deps, id)).toBe('not-paid')
  expect(await confirm(shop, clientSecret)).toMatchObject({ status: 'succeeded' })
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
  expect(await findOrder(shop.deps, customer, id)).toMatchObject({
    state: 'paid',
    transactionId: clientSecret.split('_secret')[0],
  })
  expect(await shop.stockOf(violin)).toBe(8)
})

test('accepts a webhook event for a paid intent that was never stored', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  const { clientSecret } = await startIntent(shop.deps, customer, id)
  const intentId = clientSecret.split('_secret')[0]!
  await shop.deps.db.update(paymentAttempts).set({ providerId: 'pi_forgotten' }).where(eq(paymentAttempts.orderId, id))
  await confirm(shop, clientSecret)
  await handleWebhookEvent(shop.deps, {
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    about: { kind: 'intent', id: intentId },
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')
  expect(await shop.deps.db.select({ state: paymentAttempts.state }).from(paymentAttempts)).toEqual([
    { state: 'closed' },
  ])
})

const rowOf = async (shop: Store, id: string) => (await shop.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!

test.for([
  ['in another currency', { currency: 'eur' }],
  ['of a cent less', { amountCents: 499_99 }],
  ['of a cent more', { amountCents: 500_01 }],
  ['of another customer', { customerId: 'somebody else' }],
  ['of nobody', { customerId: null }],
  ['for another order', { orderId: 'another' }],
  ['for no order', { orderId: null }],
] as const)('refunds a payment %s once and leaves the order unpaid', async ([, wrong], { shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  const found = paid(order, wrong)
  becomes('pi_1', found)
  expect(await confirmOrderPayment(deps, order.id)).toBe('not-paid')
  expect(await rowOf(shop, order.id)).toMatchObject({ state: 'unpaid', transactionId: null })
  await confirmOrderPayment(deps, order.id)
  expect(calls.filter((call) => call.startsWith('refund'))).toEqual([`refund pi_paid ${found.payment.amountCents}`])
  expect(await shop.deps.db.select().from(refunds)).toMatchObject([{ orderId: order.id, refundId: 're_of_pi_paid' }])
})

test('records once who paid an order, when, and by which transaction', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  becomes('pi_1', paid(order))
  const at = Date.now() + 1000
  expect(await confirmOrderPayment({ ...deps, now: () => at }, order.id)).toBe('paid')
  expect(await confirmOrderPayment(deps, order.id)).toBe('paid')
  const now = await rowOf(shop, order.id)
  expect(now).toMatchObject({ state: 'paid', paidAt: at, transactionId: 'pi_paid', movedBy: 'stripe' })
  expect((await shop.auditLogOf(order.violin, order.id)).at(-1)).toMatchObject({
    event: 'order paid',
    actor: 'stripe',
    note: 'pi_paid',
    at,
    stockDelta: 0,
  })
  expect(calls.some((call) => call.startsWith('refund'))).toBe(false)
})

test('uses a payment for one order only: a second order stays unpaid, without a refund', async ({ shop }) => {
  const [first, second] = [await anOrder(shop), await anOrder(shop)]
  const { deps, becomes, calls } = fakeProvider(shop)
  for (const { id, customer } of [first, second]) await startIntent(deps, customer, id)
  becomes('pi_1', paid(first))
  becomes('pi_2', paid(second))
  expect(await confirmOrderPayment(deps, first.id)).toBe('paid')
  expect(await confirmOrderPayment(deps, second.id)).toBe('not-paid')
  expect(await rowOf(shop, second.id)).toMatchObject({ state: 'unpaid' })
  expect(calls.some((call) => call.startsWith('refund'))).toBe(false)
})

test('reports a payment that cannot be stopped as in progress, and keeps its attempt open', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  const stopped = { ...deps, payments: { ...deps.payments, close: deps.payments.find } }
  expect(await expirePayment(stopped, order.id)).toBe('in-progress')
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'open' })
  await expect(cancelOrder(stopped, order.customer, order.id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This order is being paid in another window. Try again in a moment.',
  })
  expect(await rowOf(shop, order.id)).toMatchObject({ state: 'unpaid' })
  expect(await expirePayment(deps, order.id)).toBe('expired')
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'closed' })
  expect(await expirePayment(deps, order.id)).toBe('expired')
})

test('closes an attempt in state opening without a call to the provider', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, calls } = fakeProvider(shop)
  await beginAttempt(deps, order.id, 'checkout')
  expect(await confirmOrderPayment(deps, order.id)).toBe('not-paid')
  expect(await expirePayment(deps, order.id)).toBe('expired')
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'closed' })
  expect(calls).toEqual([])
})

test('reports a provider timeout, and throws our own bugs', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, errors } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  errors.find = new ProviderError('no answer', { final: false })
  expect(await confirmOrderPayment(deps, order.id)).toBe('provider-away')
  expect(shop.reported).toEqual([`payment not checked: ${order.id}`])
  errors.find = new TypeError('a bug')
  await expect(confirmOrderPayment(deps, order.id)).rejects.toThrow(TypeError)
})

test('accepts a payment without an attempt only for an order of this shop, and records one without its order', async ({
  shop,
}) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  for (const found of [
    { state: 'open' as const, clientSecret: null },
    { state: 'over' as const },
    paid(order, { shop: 'https://another.example', orderId: 'theirs' }),
    paid(order, { orderId: 'another system’s', customerId: null }),
    paid(order, { orderId: null }),
  ]) {
    becomes('pi_unknown', found)
    await handlePayment(deps, { kind: 'intent', id: 'pi_unknown' })
  }
  expect(await shop.deps.db.select().from(refunds)).toEqual([])
  expect(await shop.deps.db.select().from(unmatchedPayments)).toEqual([])
  expect(await rowOf(shop, order.id)).toMatchObject({ state: 'unpaid' })
  expect(calls.filter((call) => call.startsWith('close'))).toEqual([])
  for (const shopOrigin of [null, deps.origin, deps.origin]) {
    becomes('cs_lost', paid(order, { transactionId: `pi_${shopOrigin}`, orderId: 'lost', shop: shopOrigin }))
    await handlePayment(deps, { kind: 'checkout', id: 'cs_lost' })
  }
  expect(await shop.deps.db.select().from(unmatchedPayments)).toMatchObject([
    { transactionId: 'pi_null', orderId: 'lost', amountCents: 500_00, refundId: null },
    { transactionId: `pi_${deps.origin}`, orderId: 'lost', amountCents: 500_00, refundId: null },
  ])
  expect(shop.reported).toEqual(['payment without order', 'payment without order'])
  const messages = await shop.deps.db.select().from(emails).where(like(emails.id, 'unmatched-payment:%'))
  expect(messages).toMatchObject([
    { recipient: 'shop@cadenza.example' },
    { subject: 'A payment of $500.00 has no order' },
  ])
  expect(messages[0]!.text).toContain(order.customer.email)
  becomes('pi_unknown', paid(order))
  await handlePayment(deps, { kind: 'intent', id: 'pi_unknown' })
  expect(await rowOf(shop, order.id)).toMatchObject({ state: 'paid' })
  expect(calls.at(-1)).toBe('close intent pi_1')
})

test('keeps the open attempt after a payment that does not fit', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes, calls } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  becomes('pi_unknown', paid(order, { amountCents: 1 }))
  await handlePayment(deps, { kind: 'intent', id: 'pi_unknown' })
  expect(calls.some((call) => call.startsWith('close'))).toBe(false)
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'open' })
})

test('closes an attempt that is over at the provider, and leaves an open one', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, becomes } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  await handlePayment(deps, { kind: 'intent', id: 'pi_1' })
  expect(await confirmOrderPayment(deps, order.id)).toBe('not-paid')
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'open' })
  becomes('pi_1', { state: 'over' })
  await handlePayment(deps, { kind: 'intent', id: 'pi_1' })
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'closed' })
})

test('confirms at most as many orders as the limit allows', async ({ shop }) => {
  const { deps, becomes, calls } = fakeProvider(shop)
  const placed = [await anOrder(shop), await anOrder(shop), await anOrder(shop)]
  for (const [index, order] of placed.entries()) {
    await startIntent(deps, order.customer, order.id)
    becomes(`pi_${index + 1}`, paid(order, { transactionId: `pi_${index + 1}` }))
  }
  const soon = { ...deps, now: () => Date.now() + 6 * 60_000 }
  await checkOpenPayments(soon, 2)
  expect(calls.filter((call) => call.startsWith('find'))).toHaveLength(2)
  await checkOpenPayments(soon, 2)
  const states = await Promise.all(placed.map(async ({ id }) => (await rowOf(shop, id)).state))
  expect(states).toEqual(['paid', 'paid', 'paid'])
})

test('handles an event once, and again after a failure', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, calls, errors } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', about: { kind: 'intent' as const, id: 'pi_1' } }
  errors.find = new ProviderError('no answer', { final: false })
  await expect(handleWebhookEvent(deps, event)).rejects.toThrow('no answer')
  expect(await shop.deps.db.select().from(webhookEvents)).toEqual([])
  delete errors.find
  const at = { ...deps, now: () => 9 }
  for (let times = 0; times < 3; times++) await handleWebhookEvent(at, event)
  expect(calls.filter((call) => call.startsWith('find'))).toHaveLength(2)
  await handleWebhookEvent(at, { id: 'evt_2', type: 'customer.created', about: null })
  expect(await shop.deps.db.select().from(webhookEvents)).toEqual([
    { id: 'evt_1', type: 'payment_intent.succeeded', receivedAt: 9 },
  ])
})

test('does not store the event of a payment that pays nothing before its refund is stored', async ({ shop }) => {
  const order = await anOrder(shop)
  const { deps, errors, becomes } = fakeProvider(shop)
  await startIntent(deps, order.customer, order.id)
  becomes('pi_1', paid(order, { transactionId: 'pi_1', amountCents: 1 }))
  errors.refund = new Error('The Worker ends here')
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', about: { kind: 'intent' as const, id: 'pi_1' } }
  await expect(handleWebhookEvent(deps, event)).rejects.toThrow('The Worker ends here')
  expect(await shop.deps.db.select().from(webhookEvents)).toEqual([])
  expect(await findAttempt(deps, order.id)).toMatchObject({ state: 'open' })
  delete errors.refund
  await handleWebhookEvent(deps, event)
  expect(await shop.deps.db.select().from(webhookEvents)).toMatchObject([{ id: 'evt_1' }])
})

test('begins no payment of another customer’s order', async ({ shop }) => {
  const [order, other] = [await anOrder(shop), await anOrder(shop)]
  const { deps, calls } = fakeProvider(shop)
  await expect(startIntent(deps, other.customer, order.id)).rejects.toMatchObject({ code: 'not-found' })
  expect([calls, await findAttempt(deps, order.id)]).toEqual([[], null])
})

test('deletes events after 40 days', async ({ shop }) => {
  const day = 24 * 60 * 60 * 1000
  for (const receivedAt of [0, 1]) {
    await shop.deps.db.insert(webhookEvents).values({ id: `evt_${receivedAt}`, type: 'x', receivedAt })
  }
  await deleteExpiredEvents({ ...shop.deps, now: () => 40 * day + 1 })
  expect(await shop.deps.db.select({ id: webhookEvents.id }).from(webhookEvents)).toEqual([{ id: 'evt_1' }])
})
