import { eq, sql } from 'drizzle-orm'
import { auditLog, disputes, emails, orderRefunds, orders } from '../../db/schema'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { aPaidOrder, anOrder } from '../../../tests/support/payments'
import { payAt } from '../../../tests/support/hosted-page'
import { day, expect, test, type Store } from '../../../tests/support/store'
import { stripeClient } from '../../../sandbox/testing/fixture'
import { ProviderError, type ProviderDispute } from '../deps'
import { shipOrder, shipOrders } from '../orders/manage-order.server'
import { readToShip } from '../orders/orders.server'
import { searchOrders } from '../orders/search-orders.server'
import { readProblems } from '../screens/problems.server'
import { readReports, selectMonths } from '../screens/reports.server'
import { newId } from '../shared/ids.server'
import { checkDisputes, recordDisputes } from './disputes.server'
import { refundOrder, retryOrderRefunds } from './order-refunds.server'
import { startCheckout } from './payments.server'
import { reconcile } from './reconcile.server'
import { handleWebhookEvent } from './stripe-events.server'

const admin = { role: 'admin' } as const
const month = () => new Date().toISOString().slice(0, 7)

/** What the customer's bank does, as on the sandbox's page. */
async function atTheBank(shop: Store, payment: string, what: 'dispute' | 'inquiry' | 'won' | 'lost'): Promise<void> {
  const response = await fetch(`${shop.sandbox.url}/disputes`, {
    method: 'POST',
    body: new URLSearchParams({ payment, do: what }),
    redirect: 'manual',
  })
  if (response.status !== 303) throw new Error(`The sandbox answered ${response.status}`)
}

const disputeOf = async (shop: Store, payment: string) =>
  (await stripeClient(shop.sandbox.url).disputes.list({ payment_intent: payment })).data[0]!.id

async function hear(shop: Store, payment: string, type = 'charge.dispute.updated') {
  const about = { kind: 'dispute' as const, id: await disputeOf(shop, payment) }
  await handleWebhookEvent(shop.deps, { id: newId(), type, about })
}

const historyOf = async (shop: Store, orderId: string) =>
  (await shop.deps.db.select().from(auditLog).where(eq(auditLog.orderId, orderId)))
    .filter(({ actor }) => actor === 'stripe')
    .map(({ event, note }) => [event, note])
    .filter(([event]) => event !== 'order paid')
const disputeEmails = async ({ deps: { db } }: Store) =>
  (await db.select().from(emails).where(eq(emails.kind, 'dispute'))).map(({ subject }) => subject)
const stateOf = async (shop: Store, id: string) =>
  (await shop.deps.db.select({ dispute: orders.dispute }).from(orders).where(eq(orders.id, id)))[0]!.dispute
const toShip = async (shop: Store) => (await readToShip(shop.deps, admin, 10)).map(({ id }) => id)
const money = async (shop: Store) => (await readReports(shop.deps, admin, month())).disputedCents

test('takes a disputed order out of those to ship, and tells the shop once until when it can answer', async ({
  shop,
}) => {
  const other = await aPaidOrder(shop)
  const { id, transactionId } = await aPaidOrder(shop)
  await atTheBank(shop, transactionId, 'dispute')
  await Promise.all(['created', 'funds_withdrawn'].map((type) => hear(shop, transactionId, `charge.dispute.${type}`)))
  await hear(shop, transactionId)

  expect(await stateOf(shop, id)).toBe('open')
  expect(await toShip(shop)).toEqual([other.id])
  const listed = await searchOrders(shop.deps, admin, { state: 'paid', limit: 10 })
  expect(listed.orders.map((order) => order.id)).toEqual([other.id])
  expect(listed.counts).toMatchObject({ paid: 1, all: 2 })
  expect(await historyOf(shop, id)).toEqual([['dispute opened', '$500.00, fraudulent']])
  const [stored] = await shop.deps.db.select().from(disputes)
  expect(stored).toMatchObject({ orderId: id, amountCents: 500_00, withdrawnCents: 515_00, reinstatedCents: 0 })
  expect(stored!.dueBy! - stored!.createdAt).toBe(9 * day)
  expect(await disputeEmails(shop)).toEqual([
    expect.stringMatching(/^The payment of C-1002 is disputed: answer by \d+ \w+ \d{4}/),
  ])
  expect((await readProblems(shop.deps)).disputes).toMatchObject([{ order: { id }, at: stored!.dueBy }])
  expect(await money(shop)).toBe(-515_00)
})

test('puts an order whose dispute is won back among those to ship, and its money into the report', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  await atTheBank(shop, transactionId, 'dispute')
  await hear(shop, transactionId)
  await atTheBank(shop, transactionId, 'won')
  await hear(shop, transactionId, 'charge.dispute.closed')
  expect(await stateOf(shop, id)).toBe('won')
  expect(await toShip(shop)).toEqual([id])
  expect((await historyOf(shop, id)).map(([event]) => event)).toEqual(['dispute opened', 'dispute won'])
  // The fee stays with Stripe.
  expect(await money(shop)).toBe(-15_00)
  await shop.readLog()
  expect(await selectMonths(shop.deps)).toMatchObject([{ month: month(), revenueCents: 500_00, disputedCents: -15_00 }])
  expect((await readProblems(shop.deps)).disputes).toEqual([])
  expect(await refundOrder(shop.deps, await shop.admin(), id, refund(1_00))).toMatchObject({ state: 'made' })
})

const refund = (amount: number) => ({ submissionId: newId(), amount, reason: 'Scratched' })

test('refuses to refund a payment that the bank has taken back, and ends a refund that was owed', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const shopkeeper = await shop.admin()
  const away = () => Promise.reject(new ProviderError('away', { final: false }))
  const offline = { ...shop.deps, payments: { ...shop.deps.payments, listRefunds: away } }
  expect(await refundOrder(offline, shopkeeper, id, refund(7_00))).toMatchObject({ state: 'owed' })
  await atTheBank(shop, transactionId, 'dispute')
  await hear(shop, transactionId)
  const why = /the bank has taken it back, and Stripe refuses a refund/
  await expect(refundOrder(shop.deps, shopkeeper, id, refund(1_00))).rejects.toThrow(why)
  await retryOrderRefunds(shop.deps, 10)
  // It is not tried: it may be made when the dispute is won.
  expect(await shop.deps.db.select().from(orderRefunds)).toMatchObject([{ refundId: null, failedAt: null, tries: 0 }])
  await atTheBank(shop, transactionId, 'lost')
  await hear(shop, transactionId, 'charge.dispute.closed')
  expect(await stateOf(shop, id)).toBe('lost')
  expect(await shop.deps.db.select().from(orderRefunds)).not.toMatchObject([{ failedAt: null }])
  await expect(refundOrder(shop.deps, shopkeeper, id, refund(1_00))).rejects.toThrow(why)
  expect((await historyOf(shop, id)).map(([event]) => event)).toEqual([
    ...['dispute opened', 'dispute lost', 'refund failed'],
  ])
  expect(await money(shop)).toBe(-515_00)
})

test('keeps an order out of those to ship while a bank asks about it, takes no money, and lets a refund end it', async ({
  shop,
}) => {
  const { id, transactionId } = await aPaidOrder(shop)
  await atTheBank(shop, transactionId, 'inquiry')
  await hear(shop, transactionId)
  expect(await stateOf(shop, id)).toBe('inquiry')
  expect(await toShip(shop)).toEqual([])
  expect(await money(shop)).toBe(0)
  await refundOrder(shop.deps, await shop.admin(), id, refund(500_00))
  await hear(shop, transactionId, 'charge.dispute.closed')
  expect(await stateOf(shop, id)).toBeNull()
  expect((await historyOf(shop, id)).map(([event]) => event)).toEqual(['inquiry opened', 'dispute closed'])
})

test('tells the shop again when an inquiry becomes a dispute', async ({ shop }) => {
  const { transactionId } = await aPaidOrder(shop)
  await atTheBank(shop, transactionId, 'inquiry')
  await hear(shop, transactionId)
  await atTheBank(shop, transactionId, 'lost')
  await hear(shop, transactionId)
  expect(await disputeEmails(shop)).toEqual([
    expect.stringContaining('A bank asks about the payment of C-1001'),
    expect.stringContaining('The payment of C-1001 is disputed'),
  ])
})

test('ships a disputed order only for who says that the dispute is known', async ({ shop }) => {
  const { id, transactionId } = await aPaidOrder(shop)
  const fine = await aPaidOrder(shop)
  const staff = await shop.admin()
  await atTheBank(shop, transactionId, 'dispute')
  await hear(shop, transactionId)
  await expect(shipOrder(shop.deps, staff, id)).rejects.toThrow('Its payment is disputed')
  expect(await shipOrders(shop.deps, staff, [id, fine.id])).toMatchObject([
    { id, isShipped: false },
    { id: fine.id, isShipped: true },
  ])
  await shipOrder(shop.deps, staff, id, undefined, { isDisputeKnown: true })
  expect(await shop.deps.db.select({ state: orders.state }).from(orders).where(eq(orders.id, id))).toEqual([
    { state: 'shipped' },
  ])
})

test('records the payment first where the event about its dispute comes first', async ({ shop }) => {
  const { id, customer } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  await payAt(url, '4000 0000 0000 0259')
  const stripe = stripeClient(shop.sandbox.url)
  const { data } = await stripe.disputes.list()
  await handleWebhookEvent(shop.deps, {
    ...{ id: 'evt_dispute', type: 'charge.dispute.created', about: { kind: 'dispute', id: data[0]!.id } },
  })
  expect(await stateOf(shop, id)).toBe('open')
})

test('finds a dispute without its webhook: the cron trigger, and reconciling after a restore', async ({ shop }) => {
  const [one, other] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  await atTheBank(shop, one.transactionId, 'dispute')
  await checkDisputes(shop.deps)
  expect([await stateOf(shop, one.id), await stateOf(shop, other.id)]).toEqual(['open', null])
  await atTheBank(shop, other.transactionId, 'dispute')
  expect(await reconcile(shop.deps, Date.now() - day)).toMatchObject({ disputesFound: 1 })
  expect(await stateOf(shop, other.id)).toBe('open')
})

const said = (more: Partial<ProviderDispute> = {}): ProviderDispute => ({
  ...{ disputeId: 'du_1', transactionId: 'pi_1', state: 'open', reason: 'duplicate', amountCents: 3_00 },
  ...{ createdAt: 1, dueBy: 2, withdrawnCents: 18_00, withdrawnAt: 1, reinstatedCents: 0, reinstatedAt: null },
  ...more,
})

async function anOrderPaidBy(shop: Store, transactionId: string) {
  const order = await anOrder(shop)
  const paid = { state: 'paid' as const, paidAt: 1, transactionId, movedBy: 'stripe' }
  await shop.deps.db.update(orders).set(paid).where(eq(orders.id, order.id))
  return order
}

test('keeps what Stripe said to the later question, and asks as long ago as the oldest undecided dispute', async ({
  shop,
}) => {
  const { deps, disputes: atStripe, calls, errors } = fakeProvider(shop)
  const { id } = await anOrderPaidBy(shop, 'pi_1')
  await recordDisputes(deps, [said()], 10)
  await recordDisputes(deps, [said({ state: 'lost', dueBy: null })], 30)
  await recordDisputes(deps, [said()], 20)
  expect(await stateOf(shop, id)).toBe('lost')
  expect((await historyOf(shop, id)).map(([event]) => event)).toEqual(['dispute opened', 'dispute lost'])
  // Of an appeal.
  await recordDisputes(deps, [said(), said({ disputeId: 'du_2', transactionId: 'pi_of_another_shop' })], 40)
  expect(await stateOf(shop, id)).toBe('open')
  expect(await shop.deps.db.select({ id: disputes.id }).from(disputes)).toEqual([{ id: 'du_1' }])
  atStripe.push(said({ state: 'won', reinstatedCents: 18_00, reinstatedAt: 5 }))
  await checkDisputes(deps)
  expect(await stateOf(shop, id)).toBe('won')
  await checkDisputes({ ...deps, now: () => 20 * day })
  errors.listDisputes = new ProviderError('away', { final: false })
  await checkDisputes(deps)
  expect(calls).toEqual([
    ...['listDisputes 1970-01-01T00:00:00.001Z', 'listDisputes 1970-01-07T00:00:00.000Z'],
    expect.stringContaining('listDisputes'),
  ])
  expect(shop.reported).toEqual(['disputes not checked'])
})

test('counts what a bank took and gave back in the months of the shop’s zone', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  await anOrderPaidBy(shop, 'pi_1')
  await shop.deps.db.run(sql`INSERT INTO zone_offsets (from_at, offset_ms) VALUES (0, 7200000)`)
  const moved = {
    withdrawnAt: Date.UTC(2026, 7, 31, 22),
    reinstatedAt: Date.UTC(2026, 8, 30, 21, 59),
    reinstatedCents: 4_00,
  }
  await recordDisputes(deps, [said({ state: 'won', ...moved })], 10)
  const ofMonth = async (month: string) => (await readReports(deps, admin, month)).disputedCents
  expect(await Promise.all(['2026-08', '2026-09', '2026-10'].map(ofMonth))).toEqual([0, -14_00, 0])
  expect(await selectMonths(deps, '2026-01')).toMatchObject([{ month: '2026-09', orders: 0, disputedCents: -14_00 }])
})
