import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { orders } from '../../db/schema'
import {
  closeAttempt,
  findAttempt,
  findAttemptById,
  claimAttemptsToCheck,
  updateClosed,
  type Attempt,
} from './attempts.server'
import { ProviderError, type Deps, type Payment, type PaymentKind, type PaymentState } from '../deps'
import { storeSeller } from '../orders/receipts/invoices.server'
import type { PaymentResult } from './payments'
import { refundPayment } from './stray-refunds.server'
import { isOfThisShop, recordUnmatched } from './unmatched-payments.server'
import { CircuitBreaker } from '../shared/circuit-breaker'

/** Reads the order's payment from the provider and records the result (R15). Idempotent. */
export async function confirmOrderPayment(deps: Deps, orderId: string): Promise<PaymentResult> {
  const result = await settleAttempt(deps, await findAttempt(deps, orderId))
  return typeof result === 'string' ? result : 'paid'
}

/** The same for the latest attempt of an order; says which payment paid it. */
export async function settleAttempt(
  deps: Deps,
  current: Attempt | null | undefined,
): Promise<Exclude<PaymentResult, 'paid'> | { transactionId: string }> {
  if (!current?.providerId) return 'not-paid'
  try {
    const remote = await deps.payments.find(current.kind, current.providerId)
    if (remote.state === 'open') return 'not-paid'
    const isPaid = await applyPaymentResult(deps, current.orderId, current, remote)
    return isPaid && remote.state === 'paid' ? remote.payment : 'not-paid'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.report('payment not checked', error, current.orderId)
    return 'provider-away'
  }
}

/**
 * Expires the order's open payment at the provider, before the order is cancelled or paid another way. `paid` when the
 * payment won the race, and is recorded; `in-progress` when the provider cannot stop it. `attempt`: the latest one, if the caller has
 * read it. Throws `ProviderError`.
 */
export async function expirePayment(
  deps: Deps,
  orderId: string,
  attempt?: Attempt | null,
): Promise<'expired' | 'paid' | 'in-progress'> {
  const current = attempt === undefined ? await findAttempt(deps, orderId) : attempt
  if (current?.state === 'opening') {
    // No effect if another tab has opened it since: the caller's own statement then finds it open.
    await closeAttempt(deps, current)
  } else if (current?.state === 'open') {
    const remote = await deps.payments.close(current.kind, current.providerId!)
    if (remote.state === 'open') return 'in-progress'
    if (await applyPaymentResult(deps, orderId, current, remote)) return 'paid'
  }
  return 'expired'
}

/**
 * Records what the provider says of a payment. `attempt`: that of this payment, if the caller has read it. `also` makes a statement for
 * the batch that pays the order, on that condition; true if that batch ran, and the order is paid by this payment.
 */
export async function handlePayment(
  deps: Deps,
  { kind, id }: { kind: PaymentKind; id: string },
  attempt?: Attempt | null,
  also?: Addition,
): Promise<boolean> {
  const known = attempt === undefined ? await findAttemptById(deps, id) : attempt
  const remote = await deps.payments.find(kind, id)
  if (remote.state === 'open') return false
  if (known) return applyPaymentResult(deps, known.orderId, known, remote, also)
  if (remote.state === 'paid') await handleUnknownPayment(deps, remote.payment)
  return false
}

type Addition = (condition: SQL) => BatchItem<'sqlite'>

/**
 * A payment without an attempt: we crashed before we stored its id, or the database was restored. It pays its order as any other; without
 * its order it is recorded as owed. Throws `ProviderError`.
 */
export async function handleUnknownPayment(deps: Deps, payment: Payment): Promise<void> {
  const { orderId } = payment
  if (orderId === null) return
  const existing = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId))
  if (existing.length === 0 && isOfThisShop(deps, payment)) await recordUnmatched(deps, payment)
  if (existing.length > 0 && (await markPaid(deps, orderId, payment))) await expirePayment(deps, orderId)
}

/** For the cron trigger: an order becomes paid even when no webhook event arrives. */
export async function checkOpenPayments(
  deps: Deps,
  limit: number,
  breaker = new CircuitBreaker(deps.now),
): Promise<void> {
  for (const orderId of await claimAttemptsToCheck(deps, limit)) {
    if (breaker.isOpen) return
    await breaker.run(() => confirmOrderPayment(deps, orderId))
  }
}

/** Closes an attempt that is over or paid; a paid one pays its order (R15). True when the order is paid by it. */
export async function applyPaymentResult(
  deps: Deps,
  orderId: string,
  attempt: Attempt,
  remote: PaymentState,
  also?: Addition,
): Promise<boolean> {
  const paid = remote.state === 'paid' && (await markPaid(deps, orderId, remote.payment, attempt, also))
  // `markPaid` has closed it with the order.
  if (!paid) await closeAttempt(deps, attempt)
  return paid
}

/**
 * The one place where an order becomes paid (R15): by a succeeded payment of its exact total in US dollars, made by its
 * customer for it, not refunded and used for no other order. Idempotent. A payment that fails these rules is refunded
 * (R14). Closes the attempt of the payment in the same batch, if the order is paid by it.
 */
async function markPaid(
  deps: Deps,
  orderId: string,
  payment: Payment,
  attempt?: Attempt,
  also?: Addition,
): Promise<boolean> {
  const { db } = deps
  const { transactionId, amountCents, refundedCents, currency } = payment
  const update = db
    .update(orders)
    .set({ state: 'paid', paidAt: deps.now(), transactionId, movedBy: 'stripe' })
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.state, 'unpaid'),
        eq(orders.totalCents, amountCents),
        sql`${refundedCents} = 0`,
        // Stryker disable next-line StringLiteral: no customer has such an id
        eq(orders.customerId, payment.customerId ?? ''),
        sql`${currency} = 'usd' AND ${payment.orderId} = ${orderId}`,
        sql`NOT EXISTS (SELECT 1 FROM orders WHERE transaction_id = ${transactionId})`,
        // A payment with a refund row is refunded, or will be.
        sql`NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`,
      ),
    )
  const isPaid = sql`EXISTS (SELECT 1 FROM orders WHERE id = ${orderId} AND transaction_id = ${transactionId})`
  const [, updated, paidBy] = await db.batch([
    storeSeller(deps),
    update,
    db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId)),
    ...(attempt ? [updateClosed(deps, attempt, isPaid)] : []),
    ...(also ? [also(isPaid)] : []),
  ])
  if (updated.rowsAffected > 0) {
    deps.count('order paid')
    // Pieces of an expired hold were offered, and the home page shows the reviews of who has paid.
    deps.invalidate('stock')
  }
  if (paidBy.length === 0) await refundPayment(deps, orderId, payment)
  return paidBy[0]?.id === orderId
}
