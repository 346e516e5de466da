import { markOpened, beginAttempt, closeAttempt, findAttempt, isAbandoned, type Attempt } from './attempts.server'
import { ProviderError, type Deps, type PaymentKind, type PaymentState } from '../deps'
import type { Order } from '../orders/orders'
import { findOrder } from '../orders/orders.server'
import { Refusal } from '../refusal'
import { applyPaymentResult, expirePayment } from './confirm-payment.server'

/**
 * Opens the provider's hosted checkout for the customer's own unpaid order and answers its address (R18). At most one thing
 * is payable at a time: two tabs get the same checkout, and a card form that is open elsewhere is made unpayable. Refuses an
 * order that is not there, is paid, is being paid, or while the provider is away.
 */
export async function startCheckout(deps: Deps, customer: { id: string }, orderId: string): Promise<{ url: string }> {
  const { attempt, order, found } = await startPayment(deps, customer, orderId, 'checkout')
  if (found) return { url: attempt.url! }
  const opened = await openAttempt(deps, attempt, () =>
    deps.payments.openCheckout(order, attempt.attempt, attempt.expiresAt),
  )
  return { url: opened.url }
}

/**
 * Opens an intent for the customer's own unpaid order and answers what the card form needs to have it paid (R16, R18): the
 * same one on repeat and in a second tab. A hosted checkout that is open elsewhere is made unpayable. Refuses as
 * `startCheckout` does.
 */
export async function startIntent(
  deps: Deps,
  customer: { id: string },
  orderId: string,
): Promise<{ clientSecret: string }> {
  const { attempt, order, found } = await startPayment(deps, customer, orderId, 'intent')
  if (found) return { clientSecret: found.clientSecret! }
  const opened = await openAttempt(deps, attempt, () => deps.payments.openIntent(order, attempt.attempt))
  return { clientSecret: opened.clientSecret }
}

interface StartedPayment {
  attempt: Attempt
  order: Order
  found: (PaymentState & { state: 'open' }) | null
}

/** The order's open attempt of this kind with what the provider has found of it, or one that is to be opened. */
async function startPayment(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  kind: PaymentKind,
): Promise<StartedPayment> {
  // What another window was a moment from opening can be made unpayable when it is open: once more is enough to find it so.
  const started =
    (await tryStartPayment(deps, customer, orderId, kind)) ?? (await tryStartPayment(deps, customer, orderId, kind))
  if (!started) throw paymentInProgress()
  return started
}

/** Null when another window has just begun to pay in the other way. */
async function tryStartPayment(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  kind: PaymentKind,
): Promise<StartedPayment | null> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'There is no such order.')
  if (order.state !== 'unpaid') throw alreadyPaid()

  const current = await findAttempt(deps, orderId)
  if (current?.state === 'open' && current.kind === kind) {
    const found = await callProvider(() => deps.payments.find(kind, current.providerId!))
    if (found.state === 'open') return { attempt: current, order, found }
    if (await callProvider(() => applyPaymentResult(deps, orderId, current, found))) throw alreadyPaid()
  } else if (current && (current.kind !== kind || isAbandoned(deps, current))) {
    const outcome = await callProvider(() => expirePayment(deps, orderId))
    if (outcome === 'paid') throw alreadyPaid()
    if (outcome === 'under-way') throw paymentInProgress()
  }
  const attempt = await beginAttempt(deps, orderId, kind)
  return attempt && { attempt, order, found: null }
}

/** Opens the attempt at the provider and writes down where. */
async function openAttempt<Opened extends { id: string; url?: string }>(
  deps: Deps,
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
    throw providerUnavailable(error)
  }
  if (await markOpened(deps, attempt, opened)) return opened
  // The order was cancelled, or another tab gave this attempt up, while the provider was busy: nobody may pay here.
  await callProvider(() => deps.payments.close(attempt.kind, opened.id))
  throw new Refusal('conflict', 'This order has changed in another window. Look at My Orders and try again.')
}

/** Runs what asks the provider; its silence becomes a refusal in the customer's words. */
export async function callProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof ProviderError ? providerUnavailable(error) : error
  }
}

function providerUnavailable(cause: ProviderError): Refusal {
  const message = 'The card payment service does not answer. Nothing was changed: try again in a minute.'
  return new Refusal('unavailable', message, { cause })
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is already paid.')
}

/** Another window is paying for the order at this very moment. */
export function paymentInProgress(): Refusal {
  return new Refusal('conflict', 'This order is being paid in another window. Try again in a moment.')
}
