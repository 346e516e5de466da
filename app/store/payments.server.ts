import { and, eq, sql } from 'drizzle-orm'
import { orders } from '../db/schema'
import {
  attemptOpened,
  beginAttempt,
  closeAttempt,
  findAttempt,
  findAttemptById,
  isStuck,
  takeAttemptsToAsk,
  type Attempt,
} from './attempts.server'
import { ProviderError, type Deps, type Payment, type PaymentKind, type PaymentState } from './deps'
import type { Order } from './orders'
import { findOrder } from './orders.server'
import type { Settlement } from './payments'
import { Refusal } from './refusal'
import { sendBack } from './refunds.server'

type Money = Pick<Deps, 'db' | 'now' | 'payments' | 'report'>

/**
 * Opens the provider's hosted checkout for the customer's own unpaid order and answers its address (R18). At most one thing
 * is payable at a time: two tabs get the same checkout, and a card form that is open elsewhere is made unpayable. Refuses an
 * order that is not there, is paid, is being paid, or while the provider is away.
 */
export async function startCheckout(deps: Money, customer: { id: string }, orderId: string): Promise<{ url: string }> {
  const { attempt, order, found } = await startPayment(deps, customer, orderId, 'checkout')
  if (found) return { url: attempt.url! }
  const opened = await open(deps, attempt, () => deps.payments.openCheckout(order, attempt.attempt, attempt.expiresAt))
  return { url: opened.url }
}

/**
 * Opens an intent for the customer's own unpaid order and answers what the card form needs to have it paid (R16, R18): the
 * same one on repeat and in a second tab. A hosted checkout that is open elsewhere is made unpayable. Refuses as
 * `startCheckout` does.
 */
export async function startIntent(
  deps: Money,
  customer: { id: string },
  orderId: string,
): Promise<{ clientSecret: string }> {
  const { attempt, order, found } = await startPayment(deps, customer, orderId, 'intent')
  if (found) return { clientSecret: found.clientSecret! }
  const opened = await open(deps, attempt, () => deps.payments.openIntent(order, attempt.attempt))
  return { clientSecret: opened.clientSecret }
}

interface Started {
  attempt: Attempt
  order: Order
  found: (PaymentState & { state: 'open' }) | null
}

/** The order's open attempt of this kind with what the provider has found of it, or one that is to be opened. */
async function startPayment(
  deps: Money,
  customer: { id: string },
  orderId: string,
  kind: PaymentKind,
): Promise<Started> {
  // What another window was a moment from opening can be made unpayable when it is open: once more is enough to find it so.
  const started = (await tryToStart(deps, customer, orderId, kind)) ?? (await tryToStart(deps, customer, orderId, kind))
  if (!started) throw beingPaid()
  return started
}

/** Null when another window has just begun to pay in the other way. */
async function tryToStart(
  deps: Money,
  customer: { id: string },
  orderId: string,
  kind: PaymentKind,
): Promise<Started | null> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'There is no such order.')
  if (order.state !== 'unpaid') throw alreadyPaid()

  const current = await findAttempt(deps, orderId)
  if (current?.state === 'open' && current.kind === kind) {
    const found = await asking(() => deps.payments.find(kind, current.providerId!))
    if (found.state === 'open') return { attempt: current, order, found }
    if (await asking(() => conclude(deps, orderId, current, found))) throw alreadyPaid()
  } else if (current && (current.kind !== kind || isStuck(deps, current))) {
    const outcome = await asking(() => makeUnpayable(deps, orderId))
    if (outcome === 'paid') throw alreadyPaid()
    if (outcome === 'under-way') throw beingPaid()
  }
  const attempt = await beginAttempt(deps, orderId, kind)
  return attempt && { attempt, order, found: null }
}

/** Opens the attempt at the provider and writes down where. */
async function open<Opened extends { id: string; url?: string }>(
  deps: Money,
  attempt: Attempt,
  ask: () => Promise<Opened>,
): Promise<Opened> {
  let opened: Opened
  try {
    opened = await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // Nobody was given whatever was opened, so nobody can pay it: the next try is a new attempt. Unless another tab has it open.
    if (error.final && attempt.state === 'opening') await closeAttempt(deps, attempt)
    throw providerAway(error)
  }
  if (await attemptOpened(deps, attempt, opened)) return opened
  // The order was cancelled, or another tab gave this attempt up, while the provider was busy: nobody may pay here.
  await asking(() => deps.payments.close(attempt.kind, opened.id))
  throw new Refusal('conflict', 'This order has changed in another window. Look at My Orders and try again.')
}

/**
 * Looks at the provider what became of the payment of this order, and records it: the return page, the card form, the
 * webhook and the cron trigger all end here, in any order, any number of times (R15).
 */
export async function settleOrder(deps: Money, orderId: string): Promise<Settlement> {
  const current = await findAttempt(deps, orderId)
  if (!current?.providerId) return 'not-paid'
  try {
    const found = await deps.payments.find(current.kind, current.providerId)
    if (found.state === 'open') return 'not-paid'
    return (await conclude(deps, orderId, current, found)) ? 'paid' : 'not-paid'
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
export async function makeUnpayable(deps: Money, orderId: string): Promise<'unpayable' | 'paid' | 'under-way'> {
  const current = await findAttempt(deps, orderId)
  if (current?.state === 'opening') {
    // If it is open by now, somebody is on the way to pay: whoever asked finds the attempt in the way.
    await closeAttempt(deps, current)
  } else if (current?.state === 'open') {
    const found = await deps.payments.close(current.kind, current.providerId!)
    if (found.state === 'open') return 'under-way'
    if (await conclude(deps, orderId, current, found)) return 'paid'
  }
  return 'unpayable'
}

/**
 * Asks the provider about a checkout or an intent that it has told us of, and records what became of it. A payment that no
 * attempt knows, but that was made for one of our orders, pays it all the same, or is sent back.
 */
export async function settlePayment(deps: Money, about: { kind: PaymentKind; id: string }): Promise<void> {
  const attempt = await findAttemptById(deps, about.id)
  // An intent without an attempt may be a checkout's own, or one whose opening we did not live to write down.
  if (!attempt && about.kind === 'checkout') return
  const found = await deps.payments.find(about.kind, about.id)
  if (found.state === 'open') return
  if (attempt) await conclude(deps, attempt.orderId, attempt, found)
  else if (found.state === 'paid' && found.payment.orderId)
    await settleUnknown(deps, found.payment.orderId, found.payment)
}

async function settleUnknown(deps: Money, orderId: string, payment: Payment): Promise<void> {
  const ours = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId))
  // Another shop's, at the same account of the provider.
  if (ours.length === 0) return
  if (await markPaid(deps, orderId, payment)) await makeUnpayable(deps, orderId)
}

/**
 * Catches up with the provider, for the cron trigger: asks what became of what is open. So an order is paid also when no
 * message of the provider ever arrives.
 */
export async function reconcilePayments(deps: Money, limit: number): Promise<void> {
  for (const orderId of await takeAttemptsToAsk(deps, limit)) await settleOrder(deps, orderId)
}

/** Writes down what an attempt came to: one that is over is closed, a paid one pays its order. Answers whether it did. */
async function conclude(deps: Money, orderId: string, attempt: Attempt, found: PaymentState): Promise<boolean> {
  const paid = found.state === 'paid' && (await markPaid(deps, orderId, found.payment))
  await closeAttempt(deps, attempt)
  return paid
}

/**
 * The one place where an order becomes paid (R15): by a succeeded payment of its exact total in US dollars that was made
 * for it by its customer, pays no other order and is not sent back. Doing it again changes nothing. Money for an order that is gone is sent
 * back once (R14).
 */
async function markPaid(deps: Money, orderId: string, payment: Payment): Promise<boolean> {
  const { transactionId, amountCents, currency } = payment
  const paid = await deps.db
    .update(orders)
    .set({ state: 'paid', paidAt: deps.now(), transactionId, movedBy: 'stripe' })
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.state, 'unpaid'),
        eq(orders.totalCents, amountCents),
        eq(orders.customerId, payment.customerId ?? ''),
        sql`${currency} = 'usd' AND ${payment.orderId} = ${orderId}`,
        sql`NOT EXISTS (SELECT 1 FROM orders WHERE transaction_id = ${transactionId})`,
        // Whatever it says at the provider by now: this money goes back, or is back.
        sql`NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`,
      ),
    )
  if (paid.rowsAffected === 1) return true
  const paidBy = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId))
  if (paidBy.length === 0) await sendBack(deps, orderId, payment)
  return paidBy[0]?.id === orderId
}

/** Runs what asks the provider; its silence becomes a refusal in the customer's words. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ProviderError ? providerAway(error) : error
  }
}

function providerAway(cause: ProviderError): Refusal {
  const message = 'The card payment service does not answer. Nothing was changed: try again in a minute.'
  return new Refusal('unavailable', message, { cause })
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is already paid.')
}

export function beingPaid(): Refusal {
  return new Refusal('conflict', 'This order is being paid in another window. Try again in a moment.')
}
