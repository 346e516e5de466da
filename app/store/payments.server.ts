import { and, asc, desc, eq, isNull, lt, ne, sql } from 'drizzle-orm'
import { orders, paymentAttempts, refunds, stripeEvents } from '../db/schema'
import { ProviderError, type CheckoutState, type Deps, type Payment } from './deps'
import type { Order } from './orders'
import { findOrder } from './orders.server'
import type { Settlement } from './payments'
import { Refusal } from './refusal'

/** How long a hosted checkout stays open, in milliseconds: the provider takes 30 minutes to 24 hours. */
const checkoutLife = 2 * 60 * 60 * 1000
/** An attempt that the provider never answered for is given up while its checkout could still be opened as asked. */
const openingLife = 60 * 60 * 1000

type Money = Pick<Deps, 'db' | 'now' | 'payments'>

interface Attempt {
  orderId: string
  attempt: number
  state: 'opening' | 'open' | 'closed'
  providerId: string | null
  url: string | null
  createdAt: number
  expiresAt: number
}

const attemptColumns = {
  orderId: paymentAttempts.orderId,
  attempt: paymentAttempts.attempt,
  state: paymentAttempts.state,
  providerId: paymentAttempts.providerId,
  url: paymentAttempts.url,
  createdAt: paymentAttempts.createdAt,
  expiresAt: paymentAttempts.expiresAt,
}

/**
 * Opens the provider's hosted checkout for the customer's own unpaid order and answers its address (R18). At most one is
 * payable at a time: two tabs get the same one. Refuses an order that is not there, is paid, or while the provider is away.
 */
export async function startCheckout(deps: Money, customer: { id: string }, orderId: string): Promise<{ url: string }> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'There is no such order.')
  if (order.state !== 'unpaid') throw new Refusal('conflict', 'This order is already paid.')

  const current = await findAttempt(deps, orderId)
  if (current?.state === 'open') {
    const found = await asking(() => deps.payments.findCheckout(current.providerId!))
    if (found.state === 'open') return { url: current.url! }
    await asking(() => conclude(deps, orderId, current, found))
    if (found.state === 'paid') throw new Refusal('conflict', 'This order is already paid.')
  } else if (current && deps.now() > current.createdAt + openingLife) {
    await closeAttempt(deps, current, 'opening')
  }

  const attempt = await beginAttempt(deps, orderId)
  const checkout = await openCheckout(deps, order, attempt)
  if (await isOpen(deps, attempt, checkout.id)) return { url: checkout.url }
  // The order was cancelled, or another tab gave this attempt up, while the provider was busy: nobody may pay here.
  await asking(() => deps.payments.closeCheckout(checkout.id))
  throw new Refusal('conflict', 'This order has changed in another window. Look at My Orders and try again.')
}

/** Opens the attempt at the provider and writes down where. */
async function openCheckout(deps: Money, order: Order, attempt: Attempt): Promise<{ id: string; url: string }> {
  try {
    const checkout = await deps.payments.openCheckout(order, attempt.attempt, attempt.expiresAt)
    await deps.db
      .update(paymentAttempts)
      .set({ state: 'open', providerId: checkout.id, url: checkout.url })
      .where(and(thisAttempt(attempt), eq(paymentAttempts.state, 'opening')))
    return checkout
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // Nobody was given the address of whatever was opened, so nobody can pay there: the next try is a new attempt.
    if (error.final) await closeAttempt(deps, attempt, 'opening')
    throw providerAway(error)
  }
}

/**
 * Looks at the provider what became of the payment of this order, and records it: the return page, the webhook and the
 * payment page all end here, in any order, any number of times (R15).
 */
export async function settleOrder(deps: Money, orderId: string): Promise<Settlement> {
  const current = await findAttempt(deps, orderId)
  if (!current?.providerId) return 'not-paid'
  try {
    const found = await deps.payments.findCheckout(current.providerId)
    if (found.state === 'open') return 'not-paid'
    return (await conclude(deps, orderId, current, found)) ? 'paid' : 'not-paid'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    console.error('settling', orderId, error)
    return 'provider-away'
  }
}

/**
 * Cancels the customer's own unpaid order and gives its pieces back (R11, R14): first whatever could be paid is made
 * unpayable at the provider, then the order is cancelled. Refuses one that is paid, also when the payment won the race.
 */
export async function cancelOrder(deps: Money, customer: { id: string }, orderId: string): Promise<void> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'There is no such order, or it is already cancelled.')
  if (order.state !== 'unpaid') throw new Refusal('conflict', 'This order is paid and can no longer be cancelled.')

  const current = await findAttempt(deps, orderId)
  if (current?.state === 'open') {
    await asking(async () => conclude(deps, orderId, current, await deps.payments.closeCheckout(current.providerId!)))
  } else if (current?.state === 'opening') {
    // If it is open by now, somebody is on the way to pay: the statement below then refuses.
    await closeAttempt(deps, current, 'opening')
  }

  const done = await deps.db
    .update(orders)
    .set({ state: 'cancelled', cancelledAt: deps.now(), movedBy: customer.id })
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.customerId, customer.id),
        eq(orders.state, 'unpaid'),
        sql`NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = ${orderId} AND state <> 'closed')`,
      ),
    )
  if (done.rowsAffected === 1) return
  const now = await findOrder(deps, customer, orderId)
  if (!now) return // another tab was faster: it is cancelled, as asked
  throw new Refusal(
    'conflict',
    now.state === 'unpaid'
      ? 'This order is being paid in another window. Try again in a moment.'
      : 'This order is paid and can no longer be cancelled.',
  )
}

/**
 * Handles a signed message of the provider once. It says where to look; what is true is asked of the provider, so the
 * order and number of messages do not matter. Throws when it could not be handled: the provider then sends it again.
 */
export async function receiveEvent(
  deps: Money,
  event: { id: string; type: string; checkoutId: string | null },
): Promise<void> {
  const seen = await deps.db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, event.id))
  if (seen.length > 0) return
  if (event.checkoutId) {
    const [attempt] = await deps.db
      .select(attemptColumns)
      .from(paymentAttempts)
      .where(eq(paymentAttempts.providerId, event.checkoutId))
    if (attempt) {
      const found = await deps.payments.findCheckout(event.checkoutId)
      if (found.state !== 'open') await conclude(deps, attempt.orderId, attempt, found)
    }
  }
  await deps.db
    .insert(stripeEvents)
    .values({ id: event.id, type: event.type, receivedAt: deps.now() })
    .onConflictDoNothing()
}

/** Forgets messages that are older than the provider sends any again: it tries for 3 days, and lists them for 30. */
export async function forgetOldEvents({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db.delete(stripeEvents).where(lt(stripeEvents.receivedAt, now() - 40 * 24 * 60 * 60 * 1000))
}

/** Writes down what a checkout came to: an expired one is closed, a paid one pays its order. Answers whether it did. */
async function conclude(deps: Money, orderId: string, attempt: Attempt, found: CheckoutState): Promise<boolean> {
  const paid = found.state === 'paid' && (await markPaid(deps, orderId, found.payment))
  await closeAttempt(deps, attempt)
  return paid
}

/**
 * The one place where an order becomes paid (R15): by a succeeded payment of its exact total in US dollars that was made
 * for it and pays no other order. Doing it again changes nothing. Money for an order that is gone is sent back once (R14).
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
        sql`${currency} = 'usd' AND ${payment.orderId} = ${orderId}`,
        sql`NOT EXISTS (SELECT 1 FROM orders WHERE transaction_id = ${transactionId})`,
      ),
    )
  if (paid.rowsAffected === 1) return true
  const paidBy = await deps.db.select({ id: orders.id }).from(orders).where(eq(orders.transactionId, transactionId))
  if (paidBy.length === 0) await sendBack(deps, orderId, payment)
  return paidBy[0]?.id === orderId
}

/**
 * Sends money back that pays for nothing. That it is owed is written down first, so that a crash cannot forget it; the
 * provider refunds one payment once, however often it is asked.
 */
async function sendBack({ db, now, payments }: Money, orderId: string, payment: Payment): Promise<void> {
  const { transactionId, amountCents } = payment
  const at = now()
  const [, , owed] = await db.batch([
    db.run(sql`
      INSERT INTO journal (at, event, actor, order_id, note)
      SELECT ${at}, 'refund owed', 'stripe', ${orderId}, ${transactionId}
      WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE transaction_id = ${transactionId})`),
    db.insert(refunds).values({ transactionId, orderId, amountCents, createdAt: at }).onConflictDoNothing(),
    db.select({ refundId: refunds.refundId }).from(refunds).where(eq(refunds.transactionId, transactionId)),
  ])
  if (!owed[0]?.refundId) await refundOne({ db, payments }, transactionId)
}

async function refundOne({ db, payments }: Pick<Deps, 'db' | 'payments'>, transactionId: string): Promise<void> {
  const { refundId } = await payments.refund(transactionId)
  await db.update(refunds).set({ refundId }).where(eq(refunds.transactionId, transactionId))
}

/**
 * Catches up with the provider, for the cron trigger: asks what became of open checkouts, and sends back what is owed. So
 * an order is paid also when no message of the provider ever arrives. At most 20 of each; one that fails waits for the
 * next time.
 */
export async function reconcilePayments(deps: Money): Promise<void> {
  const open = await deps.db
    .select({ orderId: paymentAttempts.orderId })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.state, 'open'))
    .orderBy(asc(paymentAttempts.createdAt))
    .limit(20)
  for (const { orderId } of open) await settleOrder(deps, orderId)
  const owed = await deps.db
    .select({ transactionId: refunds.transactionId })
    .from(refunds)
    .where(isNull(refunds.refundId))
    .limit(20)
  for (const { transactionId } of owed) {
    await refundOne(deps, transactionId).catch((error: unknown) => console.error('refunding', transactionId, error))
  }
}

/** The order's attempt that is not closed, else its last one, or null. */
async function findAttempt({ db }: Pick<Deps, 'db'>, orderId: string): Promise<Attempt | null> {
  const rows = await db
    .select(attemptColumns)
    .from(paymentAttempts)
    .where(eq(paymentAttempts.orderId, orderId))
    .orderBy(desc(paymentAttempts.attempt))
    .limit(1)
  return rows[0] ?? null
}

/** Begins an attempt, or joins the one that another tab has just begun: both then ask the provider for the same thing. */
async function beginAttempt({ db, now }: Pick<Deps, 'db' | 'now'>, orderId: string): Promise<Attempt> {
  const at = now()
  await db.run(sql`
    INSERT INTO payment_attempts (order_id, attempt, kind, created_at, expires_at)
    SELECT o.id, 1 + (SELECT count(*) FROM payment_attempts WHERE order_id = o.id), 'checkout', ${at}, ${at + checkoutLife}
    FROM orders o
    WHERE o.id = ${orderId} AND o.state = 'unpaid'
      AND NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = o.id AND state <> 'closed')`)
  const rows = await db
    .select(attemptColumns)
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.orderId, orderId), ne(paymentAttempts.state, 'closed')))
  if (!rows[0]) throw new Refusal('conflict', 'This order can no longer be paid.')
  return rows[0]
}

async function closeAttempt({ db }: Pick<Deps, 'db'>, attempt: Attempt, onlyIf?: Attempt['state']): Promise<void> {
  const condition = onlyIf ? eq(paymentAttempts.state, onlyIf) : undefined
  await db
    .update(paymentAttempts)
    .set({ state: 'closed' })
    .where(and(thisAttempt(attempt), condition))
}

async function isOpen({ db }: Pick<Deps, 'db'>, attempt: Attempt, providerId: string): Promise<boolean> {
  const rows = await db
    .select({ state: paymentAttempts.state })
    .from(paymentAttempts)
    .where(and(thisAttempt(attempt), eq(paymentAttempts.providerId, providerId)))
  return rows[0]?.state === 'open'
}

function thisAttempt({ orderId, attempt }: Attempt) {
  return and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.attempt, attempt))
}

async function asking<T>(ask: () => Promise<T>): Promise<T> {
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
