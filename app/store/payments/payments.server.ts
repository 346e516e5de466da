import { sql, type SQL } from 'drizzle-orm'
import {
  markOpened,
  beginAttempt,
  closeAttempt,
  insertAttempt,
  isAbandoned,
  selectAttempt,
  tooManyAttempts,
  type Attempt,
} from './attempts.server'
import { batchPart, type BatchPart } from '../shared/batch.server'
import type { CircuitBreaker } from '../shared/circuit-breaker'
import { ProviderError, type Deps, type PaymentKind, type PaymentState } from '../deps'
import type { Order } from '../orders/orders'
import { formatCents } from '../shared/money'
import { selectOwnOrder } from '../orders/orders.server'
import { Refusal } from '../shared/refusal'
import { applyPaymentResult, expirePayment } from './confirm-payment.server'

/**
 * Opens the hosted checkout for the customer's unpaid order (R18). One payment is open at a time: two tabs get the same
 * checkout, and an open intent expires. Refuses an order that is missing, paid or being paid, and when the provider is
 * down.
 */
export async function startCheckout(deps: Deps, customer: { id: string }, orderId: string): Promise<{ url: string }> {
  const { attempt, order, remote } = await startPayment(deps, customer, orderId, 'checkout')
  if (remote) return { url: attempt.url! }
  const opened = await openAttempt(deps, attempt, () =>
    deps.payments.openCheckout(order, keyOf(attempt), attempt.expiresAt),
  )
  return { url: opened.url }
}

/**
 * Opens an intent for the customer's unpaid order (R16, R18): the same one on repeat and in a second tab. An open
 * checkout expires. Refuses as `startCheckout` does, and an order that does not cost `expectedCents` (R10).
 */
export async function startIntent(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  expectedCents?: number,
  begun?: Begun | null,
): Promise<{ clientSecret: string }> {
  const { attempt, order, remote } = await startPayment(deps, customer, orderId, 'intent', expectedCents, begun)
  if (remote) return { clientSecret: remote.clientSecret! }
  const opened = await openAttempt(deps, attempt, () => deps.payments.openIntent(order, keyOf(attempt)))
  return { clientSecret: opened.clientSecret }
}

/** With its time: a restored database counts attempts again that it has lost, and Stripe would answer with the lost ones. */
function keyOf({ attempt, createdAt }: Attempt): string {
  return `${attempt}:${createdAt}`
}

interface StartedPayment {
  attempt: Attempt
  order: Order
  remote: (PaymentState & { state: 'open' }) | null
}

async function startPayment(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  kind: PaymentKind,
  expectedCents?: number,
  begun?: Begun | null,
): Promise<StartedPayment> {
  const begin = () => beginPayment(deps, customer, orderId, kind, expectedCents).run(deps)
  const started =
    (await tryStartPayment(deps, orderId, kind, expectedCents, begun ?? (await begin()))) ??
    // Another tab has just opened the other kind, which the second try can expire.
    (await tryStartPayment(deps, orderId, kind, expectedCents, await begin()))
  if (!started) throw paymentInProgress()
  return started
}

/** Begins an attempt if nothing is against it, and reads the order and its attempt. SQL may stand for the customer. */
export function beginPayment(
  deps: Deps,
  customer: { id: string | SQL },
  orderId: string,
  kind: PaymentKind,
  expectedCents?: number,
): BatchPart<Begun> {
  const isTheirs = sql`orders.customer_id = ${customer.id} AND orders.total_cents = coalesce(${expectedCents ?? null}, orders.total_cents)`
  return batchPart(
    [
      insertAttempt(deps, orderId, kind, isTheirs),
      selectOwnOrder(deps, customer, orderId),
      selectAttempt(deps, orderId),
    ],
    (_inserted, [order], [current]) => ({ order, current }),
  )
}

export interface Begun {
  order: Order | undefined
  /** The latest attempt of the order. */
  current: Attempt | undefined
}

async function tryStartPayment(
  deps: Deps,
  orderId: string,
  kind: PaymentKind,
  expectedCents: number | undefined,
  { order, current }: Begun,
): Promise<StartedPayment | null> {
  if (!order) throw new Refusal('not-found', 'Order not found.')
  if (expectedCents !== undefined && order.totalCents !== expectedCents) {
    throw new Refusal('conflict', `This order costs ${formatCents(order.totalCents)}. Nothing was charged.`)
  }
  if (order.state !== 'unpaid') throw alreadyPaid()
  if (!current || current.state === 'closed') throw tooManyAttempts()

  if (current.state === 'open' && current.kind === kind) {
    const remote = await callProvider(() => deps.payments.find(kind, current.providerId!))
    if (remote.state === 'open') return { attempt: current, order, remote }
    if (await callProvider(() => applyPaymentResult(deps, orderId, current, remote))) throw alreadyPaid()
  } else if (current.kind !== kind || isAbandoned(deps, current)) {
    const outcome = await callProvider(() => expirePayment(deps, orderId))
    if (outcome === 'paid') throw alreadyPaid()
    if (outcome === 'in-progress') throw paymentInProgress()
  } else {
    // Just begun, here or in another tab.
    return { attempt: current, order, remote: null }
  }
  const attempt = await beginAttempt(deps, orderId, kind)
  return attempt && { attempt, order, remote: null }
}

async function openAttempt<Opened extends { id: string; url?: string }>(
  deps: Deps,
  attempt: Attempt,
  open: () => Promise<Opened>,
): Promise<Opened> {
  let opened: Opened
  try {
    opened = await open()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // The client never received this payment: start a new attempt next time, unless another tab has it open.
    if (error.final && attempt.state === 'opening') await closeAttempt(deps, attempt)
    throw providerUnavailable(error)
  }
  if (await markOpened(deps, attempt, opened)) return opened
  // The order was cancelled, or another tab closed this attempt, during the call: expire what we opened.
  await callProvider(() => deps.payments.close(attempt.kind, opened.id))
  throw new Refusal('conflict', 'This order has changed in another window. Check My Orders and try again.')
}

/** Turns a `ProviderError` into a refusal with a public message. */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof ProviderError ? providerUnavailable(error) : error
  }
}

function providerUnavailable(cause: ProviderError): Refusal {
  const message = 'Stripe is not responding. Nothing has changed. Try again in a minute.'
  return new Refusal('unavailable', message, { cause })
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is already paid.')
}

export function paymentInProgress(): Refusal {
  return new Refusal('conflict', 'This order is being paid in another window. Try again in a moment.')
}

/** The cron trigger asks again for so many milliseconds, for what events have not told. */
export const lookBack = 14 * 24 * 60 * 60 * 1000

/** For the cron trigger: what the provider says; nothing while it is away, which is reported as `fault`. */
export async function askUnlessAway<T>(
  { report }: Deps,
  breaker: CircuitBreaker,
  fault: string,
  ask: () => Promise<T[]>,
): Promise<T[]> {
  if (breaker.isOpen) return []
  try {
    return await breaker.run(ask)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    report(fault, error)
    return []
  }
}
