import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { orderRefunds, orders, refunds } from '../../db/schema'
import { CircuitBreaker } from '../shared/circuit-breaker'
import type { Deps, ProviderRefund } from '../deps'
import { failedRefundEmail } from '../email/templates.server'
import { enqueueEmail } from '../email/outbox.server'
import { formatCents } from '../shared/money'
import { askUnlessAway, lookBack } from './payments.server'
import { recordUnmatchedRefunds } from './unmatched-payments.server'

/** For the cron trigger: learns of refunds that were made at the provider's site, and of those that failed later. */
export async function checkRefunds(deps: Deps, breaker = new CircuitBreaker(deps.now)): Promise<void> {
  const ask = () => deps.payments.listRefunds({ since: deps.now() - lookBack })
  const found = await askUnlessAway(deps, breaker, 'refunds not checked', ask)
  await recordRefunds(deps, found)
  await recordUnmatchedRefunds(deps, found)
}

/**
 * Records what the provider says about refunds: that ours is made, that one failed after it was made, and one that was
 * made at the provider's site. Idempotent. Refunds of other shops on the same account are ignored.
 */
export async function recordRefunds(deps: Deps, found: ProviderRefund[]): Promise<void> {
  const { db } = deps
  if (found.length === 0) return
  const ids = found.map(({ refundId }) => refundId)
  const ownIds = found.flatMap(({ ownId }) => ownId ?? [])
  const [ofOrders, ofOthers, paid] = await db.batch([
    db
      .select({ id: orderRefunds.id, refundId: orderRefunds.refundId, failedAt: orderRefunds.failedAt })
      .from(orderRefunds)
      .where(sql`${inArray(orderRefunds.refundId, ids)} OR ${inArray(orderRefunds.id, ownIds)}`),
    db
      .select({ refundId: refunds.refundId, orderId: refunds.orderId, failedAt: refunds.failedAt })
      .from(refunds)
      .where(inArray(refunds.refundId, ids)),
    db
      .select({ id: orders.id, transactionId: orders.transactionId })
      .from(orders)
      .where(inArray(orders.transactionId, [...new Set(found.map(({ transactionId }) => transactionId))])),
  ])
  let isChanged = false
  // Failed ones first: they make room for those that were made instead.
  for (const refund of [...found.filter(({ isFailed }) => isFailed), ...found.filter(({ isFailed }) => !isFailed)]) {
    const { refundId, ownId, isFailed } = refund
    const order = paid.find(({ transactionId }) => transactionId === refund.transactionId)
    const late = ofOthers.find((row) => row.refundId === refundId)
    const recorded = ofOrders.find((row) => row.refundId === refundId)
    if (late && isFailed && late.failedAt === null) await recordFailure(deps, refunds, late.orderId, refund)
    if (!order) continue
    if (recorded) {
      if (!isFailed || recorded.failedAt !== null) continue
      isChanged = true
      await recordFailure(deps, orderRefunds, order.id, refund)
    } else if (!isFailed) {
      isChanged = true
      const own = ofOrders.find(({ id }) => id === ownId)
      if (own) await recordMade(deps, own.id, refundId)
      else await recordForeign(deps, order.id, refund)
    }
  }
  // 'Bought here' stands for a paid order that is not refunded in full.
  if (isChanged) deps.invalidate('reviews')
}

/** Also a refund that had failed here because another seemed to have taken its place. */
async function recordMade({ db, now }: Deps, id: string, refundId: string): Promise<void> {
  await db
    .update(orderRefunds)
    .set({ refundId, madeAt: now(), failedAt: null })
    .where(and(eq(orderRefunds.id, id), isNull(orderRefunds.refundId)))
}

/** Owed refunds for which no money is left now can never be made: they fail. */
async function recordForeign({ db, now }: Deps, orderId: string, refund: ProviderRefund): Promise<void> {
  const { refundId, amountCents } = refund
  const at = now()
  await db.batch([
    db.run(sql`
      UPDATE order_refunds SET failed_at = ${at}
      WHERE order_id = ${orderId} AND refund_id IS NULL AND failed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM order_refunds WHERE refund_id = ${refundId})
        AND (SELECT total_cents - refunded_cents FROM orders WHERE id = ${orderId}) < ${amountCents}`),
    db.run(sql`
      INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at, refund_id, made_at)
      SELECT ${refundId}, ${orderId}, ${refundId}, ${amountCents}, '', 'stripe', ${at}, ${refundId}, ${at}
      WHERE NOT EXISTS (SELECT 1 FROM order_refunds WHERE refund_id = ${refundId})`),
  ])
}

/**
 * Emails the shop once when a refund failed days after the provider accepted it
 * (docs.stripe.com/refunds#failed-refunds): the provider does not retry, so the shop must pay the customer another way.
 */
async function recordFailure(
  deps: Deps,
  table: typeof refunds | typeof orderRefunds,
  orderId: string,
  { refundId, amountCents }: ProviderRefund,
): Promise<void> {
  const { db, now, report } = deps
  const page = `${deps.origin}/dashboard/manageOrders/${orderId}`
  const email = failedRefundEmail({ refundId, amount: formatCents(amountCents), page, shopEmail: deps.shopEmail })
  const [updated] = await db.batch([
    db
      .update(table)
      .set({ failedAt: now() })
      .where(and(eq(table.refundId, refundId), isNull(table.failedAt))),
    enqueueEmail(deps, email),
  ])
  if (updated.rowsAffected === 1) report('refund failed', `${refundId} did not reach the customer`, orderId)
}
