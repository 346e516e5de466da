import { eq, isNotNull } from 'drizzle-orm'
import { auditLog, emails, refunds, webhookEvents } from '../../db/schema'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, cancelBehindItsBack, eventOf, payElsewhere } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { ProviderError } from '../deps'
import { readOrderHistory } from '../orders/history.server'
import { newId } from '../shared/ids.server'
import { startCheckout } from './payments.server'
import { handleWebhookEvent } from './stripe-events.server'
import { recordRefunds } from './provider-refunds.server'
import { retryRefunds, refundPayment } from './stray-refunds.server'

test('refunds the payment of a cancelled order once', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await cancelBehindItsBack(shop, id)
  const event = await eventOf(shop, id)
  await handleWebhookEvent(shop.deps, event)
  await handleWebhookEvent(shop.deps, { ...event, id: 'evt_2' })

  const owed = await shop.deps.db.select().from(refunds)
  expect(owed).toMatchObject([{ orderId: id, amountCents: 500_00, refundId: expect.stringMatching(/^re_/) as string }])
})

test('retries a failed refund, and accepts one that the shopkeeper made at the provider', async ({ shop }) => {
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
  await handleWebhookEvent(shop.deps, await eventOf(shop, first.id)).catch(() => undefined)
  await handleWebhookEvent(shop.deps, done)

  await retryRefunds(shop.deps, 10)
  const rows = await shop.deps.db.select().from(refunds)
  expect(rows.every((row) => row.refundId?.startsWith('re_'))).toBe(true)
  expect(rows.find(({ orderId }) => orderId === second.id)?.refundId).toBe(refundId)
})

test('reports a failed refund once, by email and on the order page', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await cancelBehindItsBack(shop, id)
  await handleWebhookEvent(shop.deps, await eventOf(shop, id))
  const [refund] = await shop.deps.db.select().from(refunds)
  const about = { kind: 'refund' as const, id: refund!.refundId! }
  const reported: string[] = []
  const { findRefund } = shop.deps.payments
  const withRefund = (isFailed: boolean) => ({
    ...shop.deps,
    payments: {
      ...shop.deps.payments,
      findRefund: async (id: string) => ({ ...(await findRefund(about.id))!, refundId: id, isFailed }),
    },
    report: (what: string) => void reported.push(what),
  })
  const failedRefunds = async () => (await readOrderHistory(shop.deps, { role: 'admin' }, id))!.failedRefunds

  expect(await findRefund(about.id)).toMatchObject({ isFailed: false })
  await handleWebhookEvent(withRefund(false), { id: 'evt_2', type: 'refund.updated', about })
  expect(await failedRefunds()).toEqual([])
  await Promise.all(
    ['evt_3', 'evt_4'].map((eventId) =>
      handleWebhookEvent(withRefund(true), { id: eventId, type: 'refund.failed', about }),
    ),
  )
  await handleWebhookEvent(withRefund(true), { id: 'evt_6', type: 'refund.failed', about })
  await handleWebhookEvent(withRefund(true), {
    id: 'evt_5',
    type: 'refund.failed',
    about: { ...about, id: 're_of_another_shop' },
  })

  expect(await failedRefunds()).toEqual([{ refundId: about.id, amountCents: 500_00 }])
  expect(reported).toEqual([`refund failed`])
  const sent = await shop.deps.db.select().from(emails).where(eq(emails.recipient, shop.deps.shopEmail))
  expect(sent).toMatchObject([{ subject: 'A refund of $500.00 did not arrive' }])
})

test('makes other refunds although the provider rejects one', async ({ shop }) => {
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
  const eventFor = (intentId: string) => ({
    id: newId(),
    type: 'payment_intent.succeeded',
    about: { kind: 'intent' as const, id: intentId },
  })
  await handleWebhookEvent(deps, eventFor(disputed))
  await shop.faults({ stripe: { failNext: 4, status: 503, only: 'GET /v1/refunds' } })
  await handleWebhookEvent(deps, eventFor(ordinary))
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })

  const made = () => shop.deps.db.select({ id: refunds.refundId }).from(refunds).where(isNotNull(refunds.refundId))
  for (let runs = 0; runs < 60 && (await made()).length === 0; runs++) await retryRefunds(deps, 1)
  expect(await made()).toHaveLength(1)
  expect(await shop.deps.db.select().from(webhookEvents)).toHaveLength(2)
})

test('stores a refund before it calls the provider, and retries until it succeeds', async ({ shop }) => {
  const { deps, errors, calls } = fakeProvider(shop)
  const order = await anOrder(shop)
  const at = { ...deps, now: () => 1000 }
  const { payment } = paid(order, { transactionId: 'pi_x', amountCents: 7_00 })
  const rows = () => shop.deps.db.select().from(refunds)
  errors.refund = new TypeError('a bug')
  await expect(refundPayment(at, order.id, payment)).rejects.toThrow(TypeError)
  const owed = { transactionId: 'pi_x', orderId: order.id, amountCents: 7_00, createdAt: 1000 }
  expect(await rows()).toMatchObject([{ ...owed, refundId: null, madeAt: null }])
  errors.refund = new ProviderError('disputed', { final: true })
  await refundPayment({ ...at, now: () => 2000 }, order.id, payment)
  await retryRefunds(at, 1)
  expect(shop.reported).toEqual(['refund not made: pi_x', 'refund not made: pi_x'])
  delete errors.refund
  await retryRefunds({ ...at, now: () => 3000 }, 1)
  expect(await rows()).toEqual([{ ...owed, refundId: 're_of_pi_x', madeAt: 3000, failedAt: null }])
  const callCount = calls.length
  await retryRefunds(at, 9)
  await refundPayment(at, order.id, payment)
  expect(calls).toHaveLength(callCount)
  const events = await shop.deps.db.select().from(auditLog).where(eq(auditLog.orderId, order.id)).orderBy(auditLog.id)
  expect(events.slice(1)).toMatchObject([
    { event: 'refund owed', actor: 'stripe', note: 'pi_x', at: 1000, stockDelta: 0 },
    { event: 'refund made', actor: 'shop', note: 'pi_x', at: 3000 },
  ])
})

test('makes at most limit refunds a run, in random order', async ({ shop }) => {
  const { deps, errors, calls } = fakeProvider(shop)
  const order = await anOrder(shop)
  errors.refund = new ProviderError('no answer', { final: false })
  const ids = ['pi_1', 'pi_2', 'pi_3', 'pi_4']
  for (const transactionId of ids) await refundPayment(deps, order.id, paid(order, { transactionId }).payment)
  const seen = new Set<string>()
  for (let runs = 0; runs < 200 && seen.size < ids.length; runs++) {
    calls.length = 0
    await retryRefunds(deps, 1)
    expect(calls).toHaveLength(1)
    seen.add(calls[0]!)
  }
  expect(seen.size).toBe(ids.length)
})

test('records a failed refund only when the provider confirms it', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const order = await anOrder(shop)
  await refundPayment(deps, order.id, paid(order).payment)
  const refund = { refundId: 're_of_pi_paid', transactionId: 'pi_paid', amountCents: 500_00, ownId: null }
  const at = { ...deps, now: () => 5000 }
  await recordRefunds(at, [{ ...refund, isFailed: false }])
  await recordRefunds(at, [{ ...refund, refundId: 're_of_another_shop', isFailed: true }])
  expect((await readOrderHistory(deps, { role: 'admin' }, order.id))!.failedRefunds).toEqual([])
  for (let times = 0; times < 2; times++) await recordRefunds(at, [{ ...refund, isFailed: true }])
  expect(await shop.deps.db.select({ at: refunds.failedAt }).from(refunds)).toEqual([{ at: 5000 }])
  expect((await readOrderHistory(deps, { role: 'admin' }, order.id))!.failedRefunds).toEqual([
    { refundId: 're_of_pi_paid', amountCents: 500_00 },
  ])
  expect((await readOrderHistory(deps, { role: 'admin' }, (await anOrder(shop)).id))!.failedRefunds).toEqual([])
  expect(shop.reported).toEqual([`refund failed: ${order.id}`])
  const [email] = await shop.deps.db.select().from(emails).where(eq(emails.recipient, deps.shopEmail))
  expect(email).toMatchObject({ id: 'refund-undone:re_of_pi_paid', subject: 'A refund of $500.00 did not arrive' })
  expect(email!.text).toContain(`${deps.origin}/dashboard/manageOrders/${order.id}`)
})
