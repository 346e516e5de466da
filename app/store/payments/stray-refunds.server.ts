import { eq, isNull, sql } from 'drizzle-orm'
import { refunds } from '../../db/schema'
import { ProviderError, type Deps, type Payment } from '../deps'
import { CircuitBreaker } from '../shared/circuit-breaker'

/**
 * Refunds a payment that pays for no order (R14). The refund is stored first, so that a crash cannot lose it. When the
 * provider rejects it (a disputed payment), the cron trigger tries again. Idempotent.
 */
export async function refundPayment(deps: Deps, orderId: string, payment: Payment): Promise<void> {
  const { db, now } = deps
  const { transactionId, amountCents } = payment
  const at = now()
  const [, inserted, owed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, order_id, note)
      SELECT ${at}, 'refund owed', 'stripe', ${orderId}, ${transactionId}
      WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`),
    db.insert(refunds).values({ transactionId, orderId, amountCents, createdAt: at }).onConflictDoNothing(),
    db.select({ refundId: refunds.refundId }).from(refunds).where(eq(refunds.transactionId, transactionId)),
  ])
  if (inserted.rowsAffected > 0) deps.count('refund')
  if (!owed[0]!.refundId) await tryRefund(deps, payment)
}

/**
 * Makes pending refunds, at most `limit`; in random order, so that refunds that always fail cannot block the others.
 */
export async function retryRefunds(deps: Deps, limit: number, breaker = new CircuitBreaker(deps.now)): Promise<void> {
  const owed = await deps.db
    .select({ transactionId: refunds.transactionId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(isNull(refunds.refundId))
    .orderBy(sql`random()`)
    .limit(limit)
  for (const payment of owed) {
    if (breaker.isOpen) return
    await breaker.run(() => tryRefund(deps, payment))
  }
}

async function tryRefund(
  { db, now, payments, report, readLogSoon }: Deps,
  payment: Pick<Payment, 'transactionId' | 'amountCents'>,
): Promise<void> {
  const { transactionId } = payment
  try {
    const { refundId } = await payments.refund(payment)
    await db.run(sql`
      UPDATE refunds SET refund_id = ${refundId}, made_at = ${now()}
      WHERE transaction_id = ${transactionId} AND refund_id IS NULL`)
    readLogSoon()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    report('refund not made', error, transactionId)
  }
}
