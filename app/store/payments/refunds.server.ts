import { and, eq, isNull, sql } from 'drizzle-orm'
import { refunds } from '../../db/schema'
import { ProviderError, type Deps, type Payment } from '../deps'
import { failedRefundEmail } from '../email/templates.server'
import { formatCents } from '../money'
import { enqueueEmail } from '../email/outbox.server'
import { CircuitBreaker } from '../circuit-breaker'

/**
 * Sends money back that pays for nothing (R14). That it is owed is written down first, so that a crash cannot forget it; the
 * provider refunds one payment once, however often it is asked. A refund that the provider will not make, of a payment that
 * is disputed for one, waits for the cron trigger: nothing else that is to be written down waits for it.
 */
export async function refundPayment(deps: Deps, orderId: string, payment: Payment): Promise<void> {
  const { db, now } = deps
  const { transactionId, amountCents } = payment
  const at = now()
  const [, , owed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, order_id, note)
      SELECT ${at}, 'refund owed', 'stripe', ${orderId}, ${transactionId}
      WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`),
    db.insert(refunds).values({ transactionId, orderId, amountCents, createdAt: at }).onConflictDoNothing(),
    db.select({ refundId: refunds.refundId }).from(refunds).where(eq(refunds.transactionId, transactionId)),
  ])
  if (!owed[0]!.refundId) await tryRefund(deps, payment)
}

/**
 * Makes the refunds that are owed still, at most `limit`; one that fails waits for the next time. They are taken by chance,
 * so that those that fail every time cannot keep the others waiting.
 */
export async function retryRefunds(deps: Deps, limit: number, silence = new CircuitBreaker(deps.now)): Promise<void> {
  const owed = await deps.db
    .select({ transactionId: refunds.transactionId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(isNull(refunds.refundId))
    .orderBy(sql`random()`)
    .limit(limit)
  for (const payment of owed) {
    if (silence.isOpen) return
    await silence.run(() => tryRefund(deps, payment))
  }
}

async function tryRefund(
  { db, now, payments, report }: Deps,
  payment: Pick<Payment, 'transactionId' | 'amountCents'>,
): Promise<void> {
  const { transactionId } = payment
  try {
    const { refundId } = await payments.refund(payment)
    await db.run(sql`
      UPDATE refunds SET refund_id = ${refundId}, made_at = ${now()}
      WHERE transaction_id = ${transactionId} AND refund_id IS NULL`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    report(`refunding ${transactionId}`, error)
  }
}

/**
 * Looks whether a refund of ours did not arrive (docs.stripe.com/refunds#failed-refunds): it can fail days after the provider took
 * it, and is not tried again there, since the customer's card or bank will not have it. Then the shop gets a letter, once, and
 * the order's page says so: the money has to go another way.
 */
export async function recordFailedRefund(deps: Deps, refundId: string): Promise<void> {
  const { db, now, payments, report } = deps
  const [made] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.refundId, refundId), isNull(refunds.failedAt)))
  if (!made || !(await payments.isRefundFailed(refundId))) return
  const { orderId, amountCents } = made
  const page = `${deps.origin}/dashboard/manageOrders/${orderId}`
  const letter = failedRefundEmail({ refundId, amount: formatCents(amountCents), page, shopEmail: deps.shopEmail })
  const [noted] = await db.batch([
    db
      .update(refunds)
      .set({ failedAt: now() })
      .where(and(eq(refunds.refundId, refundId), isNull(refunds.failedAt))),
    enqueueEmail(deps, letter),
  ])
  if (noted.rowsAffected === 1) report(`refund ${refundId} of ${orderId}`, new Error('It did not reach the customer.'))
}
