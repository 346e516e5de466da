import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { orderRefunds, orders } from '../../db/schema'
import { CircuitBreaker } from '../shared/circuit-breaker'
import { ProviderError, type Deps } from '../deps'
import { typedDollarsInCents } from '../shared/dollars.server'
import { newId } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import { isPaid, isTakenBack, notRefundable, piecesToShip, type Order } from '../orders/orders'
import { refuseFormerStaff } from '../orders/former-staff.server'
import { isOrderAsSeen, orderColumns } from '../orders/orders.server'
import { changedSinceSeen, Refusal, type Seen } from '../shared/refusal'
import { singleLine, submissionIdField } from '../shared/validation.server'
import { recordRefunds } from './provider-refunds.server'

const pieces = { error: 'Pieces back to stock must be a whole number' }

/** `amount` arrives in dollars and becomes cents. */
export const NewRefund = z.object({
  submissionId: submissionIdField,
  amount: typedDollarsInCents('Amount is Required', 'Amount').pipe(
    z.number().min(1, { error: 'Amount must be at least $0.01' }),
  ),
  reason: singleLine({ label: 'Reason', required: 'Reason is Required', max: 200 }),
  restock: z.number(pieces).int(pieces).min(0, pieces).max(1_000_000, pieces).optional(),
})
export type NewRefund = z.output<typeof NewRefund>

/** A refund before the shopkeeper is asked about it. */
export const RefundRequest = NewRefund.omit({ submissionId: true })
export type RefundRequest = z.output<typeof RefundRequest>

/** What is too much in a refund of this order, by field; `amount` in cents. */
export function refundErrors(
  order: Pick<Order, 'totalCents' | 'refundedCents' | 'quantity' | 'returnedQuantity'>,
  { amount, restock = 0 }: Pick<RefundRequest, 'amount' | 'restock'>,
): Record<string, string[]> {
  const [cents, left] = [order.totalCents - order.refundedCents, piecesToShip(order)]
  return {
    ...(amount > cents && { amount: [`At most ${formatCents(cents)} is left to refund`] }),
    ...(restock > left && { restock: [`At most ${left} can go back to stock`] }),
  }
}

/** `owed` while the provider does not respond: the cron trigger tries again. `failed`: it has no money of this order left. */
type RefundState = 'made' | 'owed' | 'failed'

/**
 * Refunds a part of a paid order, or what is left of it, and returns pieces to stock. The refund is stored first, so that
 * a crash cannot lose it. Idempotent by `submissionId` (R43). Refuses more than is left, an order that is not paid, one
 * whose payment the bank has taken back (`isTakenBack`), an admin who lost the role, and an order that is not as it was
 * `seen` (`isOrderAsSeen`).
 */
export async function refundOrder(
  deps: Deps,
  admin: { id: string },
  orderId: string,
  { seen, ...input }: NewRefund & { seen?: Seen },
): Promise<{ state: RefundState; isRepeat: boolean }> {
  const id = newId()
  const isRepeat = !(await insertRefund(deps, admin, { id, orderId, seen, ...input }))
  const stored = isRepeat ? await readRepeated(deps, orderId, input, seen) : { id, refundId: null }
  if (!isRepeat) deps.count('refund')
  if (!isRepeat && input.restock) deps.invalidate('stock')
  // 'Bought here' stands for a paid order that is not refunded in full.
  if (!isRepeat) deps.invalidate('reviews')
  return { state: stored.refundId === null ? await makeRefund(deps, stored.id) : 'made', isRepeat }
}

/** False when a constraint or trigger rejects it: more than is left, the same submission again, or an order that is disputed or another than was seen, which has no id here. */
async function insertRefund(
  { db, now }: Deps,
  admin: { id: string },
  { id, orderId, seen, submissionId, amount, reason, restock }: NewRefund & { id: string; orderId: string; seen: Seen },
): Promise<boolean> {
  const refundable = sql`(SELECT id FROM orders WHERE id = ${orderId} AND ${isOrderAsSeen(seen)}
    AND coalesce(dispute, '') NOT IN ('open', 'lost'))`
  const row = {
    ...{ id, orderId: refundable, submissionId, amountCents: amount, reason, restock },
    ...{ movedBy: admin.id, createdAt: now() },
  }
  try {
    await db
      .insert(orderRefunds)
      .values(row)
      .catch((error: unknown) => refuseFormerStaff(error))
    return true
  } catch (error) {
    if (isBrokenRule(error)) return false
    throw error
  }
}

async function readRepeated(
  { db }: Deps,
  orderId: string,
  { submissionId, amount, reason, restock = 0 }: NewRefund,
  seen: Seen,
) {
  const [[stored], [order]] = await db.batch([
    db
      .select()
      .from(orderRefunds)
      .where(and(eq(orderRefunds.orderId, orderId), eq(orderRefunds.submissionId, submissionId))),
    db
      .select({ ...orderColumns, isAsSeen: isOrderAsSeen(seen) })
      .from(orders)
      .where(eq(orders.id, orderId)),
  ])
  if (stored) {
    if (stored.amountCents === amount && stored.reason === reason && stored.restock === restock) return stored
    const message = 'You have already made a refund with this form. Send it again to refund more.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  if (!order) throw new Refusal('not-found', 'There is no such order.')
  if (!order.isAsSeen) throw changedSinceSeen()
  if (!isPaid(order)) throw new Refusal('conflict', 'Only a paid order can be refunded.')
  if (isTakenBack(order)) throw new Refusal('conflict', notRefundable)
  const fields = refundErrors(order, { amount, restock })
  const message = 'The stock has no room for these pieces.'
  throw new Refusal('invalid', Object.keys(fields).length > 0 ? '' : message, { fields })
}

/** For the cron trigger: makes owed refunds, at most `limit`, in random order as `retryRefunds` does. */
export async function retryOrderRefunds(
  deps: Deps,
  limit: number,
  breaker = new CircuitBreaker(deps.now),
): Promise<void> {
  const owed = await deps.db
    .select({ id: orderRefunds.id })
    .from(orderRefunds)
    .where(sql`refund_id IS NULL AND failed_at IS NULL`)
    .orderBy(sql`random()`)
    .limit(limit)
  for (const { id } of owed) {
    if (breaker.isOpen) return
    await breaker.run(() => makeRefund(deps, id))
  }
}

/** Asks the provider first: an earlier call may have made it before a crash. */
async function makeRefund(deps: Deps, id: string): Promise<RefundState> {
  const { db, now, payments, report, readLogSoon } = deps
  const read = async () => {
    const [row] = await db
      .select({
        refundId: orderRefunds.refundId,
        failedAt: orderRefunds.failedAt,
        amountCents: orderRefunds.amountCents,
        tries: orderRefunds.tries,
        transactionId: sql<string>`${orders.transactionId}`,
        dispute: orders.dispute,
      })
      .from(orderRefunds)
      .innerJoin(orders, eq(orders.id, orderRefunds.orderId))
      .where(eq(orderRefunds.id, id))
    return row!
  }
  try {
    const { transactionId } = await read()
    await recordRefunds(deps, await payments.listRefunds({ transactionId }))
    const { refundId, failedAt, dispute, ...part } = await read()
    if (refundId !== null || failedAt !== null) return refundId === null ? 'failed' : 'made'
    // Stripe would refuse it. It is made when the dispute is won, and ends when it is lost.
    if (isTakenBack({ dispute })) return 'owed'
    const made = await payments.refundPart({ id, ...part })
    await db
      .update(orderRefunds)
      .set({ refundId: made.refundId, madeAt: now(), failedAt: null })
      .where(and(eq(orderRefunds.id, id), isNull(orderRefunds.refundId)))
    readLogSoon()
    return 'made'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    report('refund not made', error, id)
    // The provider repeats a final response for a day.
    if (error.final) {
      await db
        .update(orderRefunds)
        .set({ tries: sql`${orderRefunds.tries} + 1` })
        .where(and(eq(orderRefunds.id, id), isNull(orderRefunds.refundId)))
    }
    return 'owed'
  }
}
