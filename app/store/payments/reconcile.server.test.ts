import { eq, like, sql } from 'drizzle-orm'
import { auditLog, emails, orderRefunds, orders, refunds, unmatchedPayments } from '../../db/schema'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { anOrder, cancelBehindItsBack } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { ProviderError } from '../deps'
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
  expect(second).toEqual({ payments: 4, refunds: 1, findings: [], refundsFound: 0 })
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
