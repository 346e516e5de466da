import { and, eq, sql } from 'drizzle-orm'
import { orders } from '../../db/schema'
import { closeAttempt, findAttempt, findAttemptById, claimAttemptsToCheck, type Attempt } from './attempts.server'
import { ProviderError, type Deps, type Payment, type PaymentKind, type PaymentState } from '../deps'
import type { PaymentResult } from './payments'
import { refundPayment } from './refunds.server'
import { CircuitBreaker } from '../circuit-breaker'

/**
 * Asks the provider what became of the payment of this order, and records it (R15): for the return page, the card form and
 * the cron trigger, in any order, any number of times. The webhook does the same by `settlePayment`.
 */
export async function confirmOrderPayment(deps: Deps, orderId: string): Promise<PaymentResult> {
  const current = await findAttempt(deps, orderId)
  if (!current?.providerId) return 'not-paid'
  try {
    const found = await deps.payments.find(current.kind, current.providerId)
    if (found.state === 'open') return 'not-paid'
    return (await applyPaymentResult(deps, orderId, current, found)) ? 'paid' : 'not-paid'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.report(`settling ${orderId}`, error)
    return 'provider-away'
  }
}

/**
 * Makes whatever could pay for this order unpayable at the provider, before the order may be cancelled or paid in another
 * way. `paid` when the payment was faster: it is recorded then. `under-way` when the provider cannot stop it any more.
 * Throws `ProviderError` when the provider does not answer.
 */
export async function expirePayment(deps: Deps, orderId: string): Promise<'unpayable' | 'paid' | 'under-way'> {
  const current = await findAttempt(deps, orderId)
  if (current?.state === 'opening') {
    // If it is open by now, somebody is on the way to pay: whoever asked finds the attempt in the way.
    await closeAttempt(deps, current)
  } else if (current?.state === 'open') {
    const found = await deps.payments.close(current.kind, current.providerId!)
    if (found.state === 'open') return 'under-way'
    if (await applyPaymentResult(deps, orderId, current, found)) return 'paid'
  }
  return 'unpayable'
}

/**
 * Asks the provider about a checkout or an intent that it has told us of, and records what became of it. A payment that no
 * attempt knows, but that was made for one of our orders, pays it all the same, or is sent back.
 */
export async function handlePayment(deps: Deps, about: { kind: PaymentKind; id: string }): Promise<void> {
  const attempt = await findAttemptById(deps, about.id)
  // An intent without an attempt may be a checkout's own, or one whose opening we did not live to write down.
  if (!attempt && about.kind === 'checkout') return
  const found = await deps.payments.find(about.kind, about.id)
  if (found.state === 'open') return
  if (attempt) await applyPaymentResult(deps, attempt.orderId, attempt, found)
  else if (found.state === 'paid' && found.payment.orderId)
    await handleUnknownPayment(deps, found.payment.orderId, found.payment)
}

async function handleUnknownPayment(deps: Deps, orderId: string, payment: Payment): Promise<void> {
  const ours = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId))
  // Another shop's, at the same account of the provider.
  if (ours.length === 0) return
  if (await markPaid(deps, orderId, payment)) await expirePayment(deps, orderId)
}

/**
 * Catches up with the provider, for the cron trigger: asks what became of what is open. So an order is paid also when no
 * message of the provider ever arrives.
 */
export async function reconcilePayments(
  deps: Deps,
  limit: number,
  silence = new CircuitBreaker(deps.now),
): Promise<void> {
  for (const orderId of await claimAttemptsToCheck(deps, limit)) {
    if (silence.isOpen) return
    await silence.run(() => confirmOrderPayment(deps, orderId))
  }
}

/** Writes down what an attempt came to: one that is over is closed, a paid one pays its order (R15). Answers whether it did. */
export async function applyPaymentResult(
  deps: Deps,
  orderId: string,
  attempt: Attempt,
  found: PaymentState,
): Promise<boolean> {
  const paid = found.state === 'paid' && (await markPaid(deps, orderId, found.payment))
  await closeAttempt(deps, attempt)
  return paid
}

/**
 * The one place where an order becomes paid (R15): by a succeeded payment of its exact total in US dollars that was made
 * for it by its customer, pays no other order and is not sent back. Doing it again changes nothing. Money that
 * pays for nothing, since its order is gone or paid, or the sum or the customer is another, is sent back once (R14).
 */
async function markPaid(deps: Deps, orderId: string, payment: Payment): Promise<boolean> {
  const { transactionId, amountCents, currency } = payment
  const paid = await deps.db
    .update(orders)
    .set({ state: 'paid', paidAt: deps.now(), transactionId, movedBy: 'stripe' })
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.state, 'unpaid'),
        eq(orders.totalCents, amountCents),
        // Stryker disable next-line StringLiteral: no customer has such an id either
        eq(orders.customerId, payment.customerId ?? ''),
        sql`${currency} = 'usd' AND ${payment.orderId} = ${orderId}`,
        sql`NOT EXISTS (SELECT 1 FROM orders WHERE transaction_id = ${transactionId})`,
        // Whatever it says at the provider by now: this money goes back, or is back.
        sql`NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`,
      ),
    )
  // Stryker disable next-line ConditionalExpression: the question below has the same answer, one round trip later
  if (paid.rowsAffected === 1) return true
  const paidBy = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId))
  if (paidBy.length === 0) await refundPayment(deps, orderId, payment)
  return paidBy[0]?.id === orderId
}
