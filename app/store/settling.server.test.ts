import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { paymentAttempts, refunds, stripeEvents } from '../db/schema'
import { confirm } from '../../tests/card-form'
import { payAt } from '../../tests/hosted-page'
import { anOrder, stateOf, later, eventOf, payElsewhere } from '../../tests/payments'
import { test } from '../../tests/store'
import { newId } from './ids.server'
import { findOrder } from './orders.server'
import { startCheckout, startIntent } from './payments.server'
import { receiveEvent } from './provider-events.server'
import { reconcilePayments, settleOrder } from './settling.server'

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

test('without any word from provider or customer, the cron trigger finds what was paid', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await reconcilePayments(later(shop, 6), 10)
  expect(await stateOf(shop, customer, id)).toBe('paid')
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
