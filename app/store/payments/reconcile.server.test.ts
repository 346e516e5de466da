import { eq, like, sql } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { auditLog, emails, orderRefunds, orders, refunds, unmatchedPayments } from '../../db/schema'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { anOrder, cancelBehindItsBack } from '../../../tests/support/payments'
import { day, expect, minute, noon, test, type Store } from '../../../tests/support/store'
import { ProviderError, type Payments } from '../deps'
import { checkRefunds } from './provider-refunds.server'
import { startIntent } from './payments.server'
import { reconcile } from './reconcile.server'
import { refundUnmatched } from './unmatched-payments.server'

test('settles, refunds or writes as owed what the shop does not know, once', async ({ shop }) => {
  const [known, open, cancelled] = [await anOrder(shop), await anOrder(shop), await anOrder(shop)]
  await shop.deps.db
    .update(orders)
    .set({ state: 'paid', paidAt: 1, transactionId: 'pi_known', movedBy: 'x' })
    .where(eq(orders.id, known.id))
  await cancelBehindItsBack(shop, cancelled.id)
  const { deps, becomes, refunds: atProvider, errors, calls } = fakeProvider(shop)
  await startIntent(deps, open.customer, open.id)
  const lost = { id: 'lost', customer: open.customer }
  becomes('1', paid(known, { transactionId: 'pi_known' }))
  becomes('2', paid(open, { transactionId: 'pi_open', shop: 'https://its-old-address.example' }))
  becomes('3', paid(cancelled, { transactionId: 'pi_cancelled', shop: deps.origin }))
  becomes('4', paid(lost, { transactionId: 'pi_lost', shop: deps.origin, customerEmail: 'ada@work.example' }))
  becomes('5', paid(lost, { transactionId: 'pi_of_another_shop', shop: 'https://another.example' }))
  becomes('6', paid(lost, { transactionId: 'pi_of_another_system', customerId: null }))
  const refund = { refundId: 're_1', transactionId: 'pi_known', amountCents: 1_00, isFailed: false, ownId: null }
  atProvider.push(refund)
  // Closing the open intent of the paid order fails: it is paid all the same.
  errors.close = new ProviderError('silence', { final: false })

  const first = await reconcile(deps, Date.now())
  expect(first).toMatchObject({ payments: 4, refunds: 1, refundsFound: 1 })
  expect(Object.fromEntries(first.findings.map(({ transactionId, outcome }) => [transactionId, outcome]))).toEqual({
    pi_open: 'settled',
    pi_cancelled: 'refunded',
    pi_lost: 'owed, without order',
  })
  expect(await shop.deps.db.select().from(refunds)).toMatchObject([{ transactionId: 'pi_cancelled' }])
  expect(await shop.deps.db.select().from(orderRefunds)).toMatchObject([{ orderId: known.id, amountCents: 1_00 }])
  const messages = await shop.deps.db
    .select()
    .from(emails)
    .where(like(emails.id, 'unmatched-payment:%'))
    .orderBy(emails.id)
  expect(messages.map(({ subject }) => subject)).toEqual([
    'A payment of $500.00 is refunded',
    'A payment of $500.00 has no order',
  ])
  expect(messages[1]!.text).toContain('ada@work.example')
  const [written] = await deps.db.select({ count: sql<number>`max(id)` }).from(auditLog)
  const second = await reconcile(deps, Date.now())
  expect(second).toEqual({ payments: 4, refunds: 1, findings: [], refundsFound: 0, disputesFound: 0 })
  expect(await deps.db.select({ count: sql<number>`max(id)` }).from(auditLog)).toEqual([written])
  expect(calls.filter((call) => call.startsWith('refund '))).toEqual(['refund pi_cancelled 50000'])
})

test('refunds a payment without its order once, and learns of a refund that was made at the provider', async ({
  shop,
}) => {
  const { customer } = await anOrder(shop)
  const { deps, becomes, refunds: atProvider, calls } = fakeProvider(shop)
  for (const id of ['pi_1', 'pi_2']) becomes(id, paid({ id: 'lost', customer }, { transactionId: id }))
  await reconcile(deps, Date.now())
  for (let times = 0; times < 2; times++)
    expect(await refundUnmatched(deps, 'pi_1')).toEqual({ refundId: 're_of_pi_1' })
  expect(calls.filter((call) => call.startsWith('refund '))).toEqual(['refund pi_1 50000'])
  await expect(refundUnmatched(deps, 'pi_3')).rejects.toMatchObject({ code: 'not-found' })
  const refund = { refundId: 're_2', transactionId: 'pi_2', amountCents: 100_00, isFailed: false, ownId: null }
  atProvider.push(refund, { ...refund, refundId: 're_3', amountCents: 500_00, isFailed: true })
  await checkRefunds(deps)
  const owed = () => deps.db.select().from(unmatchedPayments).where(eq(unmatchedPayments.transactionId, 'pi_2'))
  expect(await owed()).toMatchObject([{ refundId: null }])
  atProvider.push({ ...refund, refundId: 're_4', amountCents: 500_00 })
  await checkRefunds(deps)
  expect(await owed()).toMatchObject([{ refundId: 're_4' }])
  const rows = await deps.db.select().from(auditLog).where(like(auditLog.event, 'payment without order%'))
  expect(rows.map(({ event, actor, note }) => [event, actor, note])).toEqual([
    ['payment without order', 'stripe', 'pi_2'],
    ['payment without order', 'stripe', 'pi_1'],
    ['payment without order refunded', 'reconcile', 'pi_1'],
    ['payment without order refunded', 'stripe', 'pi_2'],
  ])
})

const seconds = 1000
const twoWeeks = 14 * day

/** Paid orders `o1`, `o2` … by the payments `pi_1`, `pi_2` … */
async function paidOrders(shop: Store, count: number): Promise<void> {
  const { deps } = shop
  const [violin, { id }] = [await shop.sells({ price: 100_00, stock: count }), await shop.customer()]
  await deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${count})
    INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT 'o' || n, ${nextOrderNumber} + n - 1, ${id}, ${violin}, n, 'Violin', 10000, 1, 10000, 'Ada', 'ada@example.com', '1 Bow Lane', '07700900123', n, 'test'
    FROM many`)
  await deps.db.run(
    sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi_' || submission_id, moved_by = 'stripe'`,
  )
}

test('learns of all refunds of two weeks, and of none from before', async ({ shop }) => {
  await paidOrders(shop, 250)
  const { deps, refunds: atProvider } = fakeProvider(shop)
  // The newest is of now, the 200th of a second less than two weeks ago.
  const ageOf = (n: number) => (n <= 200 ? ((n - 1) * (twoWeeks - seconds)) / 199 : twoWeeks + n * seconds)
  for (let n = 1; n <= 250; n++)
    atProvider.push({ refundId: `re_${n}`, transactionId: `pi_${n}`, amountCents: 1_00, isFailed: false, ownId: null })
  const at = Date.now()
  const listRefunds: Payments['listRefunds'] = async (which) => {
    const found = await deps.payments.listRefunds(which)
    return found.filter((_, index) => 'since' in which && at - ageOf(index + 1) >= which.since)
  }
  await checkRefunds({ ...deps, now: () => at, payments: { ...deps.payments, listRefunds } })
  const ids = (await deps.db.select({ id: orderRefunds.id }).from(orderRefunds)).map(({ id }) => id)
  expect(ids.sort()).toEqual(
    atProvider
      .slice(0, 200)
      .map(({ refundId }) => refundId)
      .sort(),
  )
})

test('asks ten minutes further back than the backup, for payments and refunds', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const asked: object[] = []
  const payments: Payments = {
    ...deps.payments,
    listPayments: (since) => {
      asked.push({ payments: since })
      return Promise.resolve([])
    },
    listRefunds: (which) => {
      asked.push(which)
      return Promise.resolve([])
    },
  }
  await reconcile({ ...deps, payments }, noon)
  expect(asked).toEqual([{ payments: noon - 10 * minute }, { since: noon - 10 * minute }])
})

/** SQLite takes 32,766 parameters. */
test('tells 33,000 known payments from three that it does not know', async ({ shop }) => {
  const { deps, becomes } = fakeProvider(shop)
  await deps.db.run(sql`
    WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 33000)
    INSERT INTO unmatched_payments (transaction_id, order_id, amount_cents, found_at) SELECT 'pi_' || n, 'lost', 100, 1 FROM many`)
  const customer = await shop.customer()
  const lost = { id: 'lost', customer }
  const unknown = ['pi_first', 'pi_middle', 'pi_last']
  const all = Array.from({ length: 33_000 }, (_, index) => `pi_${index + 1}`)
  for (const id of [unknown[0]!, ...all.slice(0, 17_000), unknown[1]!, ...all.slice(17_000), unknown[2]!])
    becomes(id, paid(lost, { transactionId: id, shop: deps.origin }))
  const { payments, findings } = await reconcile(deps, Date.now())
  expect(payments).toBe(33_003)
  expect(findings.map(({ transactionId }) => transactionId)).toEqual(unknown.toReversed())
})

const silence = new ProviderError('silence', { final: false })

test('reports that the provider did not list its refunds, and does not hide a bug', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  errors.listRefunds = silence
  await checkRefunds(deps)
  expect(shop.reported).toEqual(['refunds not checked'])
  errors.listRefunds = new TypeError('a bug')
  await expect(checkRefunds(deps)).rejects.toBe(errors.listRefunds)
  await expect(reconcile(deps, noon)).rejects.toBe(errors.listRefunds)
})

test('reports a payment that reconciling leaves, and does not hide a bug', async ({ shop }) => {
  const { deps, becomes, errors } = fakeProvider(shop)
  const order = await anOrder(shop)
  await startIntent(deps, order.customer, order.id)
  becomes('x', paid(order, { transactionId: 'pi_paid' }))
  errors.close = silence
  const { findings } = await reconcile(deps, noon)
  expect([findings.map(({ outcome }) => outcome), shop.reported]).toEqual([['settled'], ['reconciling']])
  const other = await anOrder(shop)
  await startIntent(deps, other.customer, other.id)
  becomes('y', paid(other, { transactionId: 'pi_other' }))
  errors.close = new TypeError('a bug')
  await expect(reconcile(deps, noon)).rejects.toBe(errors.close)
})
