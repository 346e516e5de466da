import { and, eq, lt, sql, type SQL } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import type { Deps } from '../deps'
import { findOrder, isUnpaid, readOrder, selectOwnOrder, unpaidAmong } from '../orders/orders.server'
import { selectAttempt } from '../payments/attempts.server'
import { callProvider, paymentInProgress } from '../payments/payments.server'
import { Refusal } from '../shared/refusal'
import { expirePayment } from '../payments/confirm-payment.server'
import type { User } from '../accounts/sign-in'
import { accountRecovery } from '../accounts/take-over.server'

/**
 * Cancels an unpaid order once its payment has expired, and returns its stock (R11, R14). False if it was cancelled
 * before. Refuses a paid order.
 */
export async function cancelOrder(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  actor: { id: string } = customer,
): Promise<boolean> {
  const [[order], [attempt]] = await deps.db.batch([
    selectOwnOrder(deps, customer, orderId),
    selectAttempt(deps, orderId),
  ])
  if (!order) {
    if (await isOwn(deps, customer, orderId)) return false
    throw new Refusal('not-found', 'Order not found.')
  }
  await callProvider(() => expirePayment(deps, orderId, attempt ?? null))
  // Cancels nothing when the order is paid by now, or its attempt is open because a payment is in progress.
  const cancelled = await cancelUnpaid(deps, [orderId], actor.id, eq(orders.customerId, customer.id))
  if (cancelled.rowsAffected === 1) {
    deps.invalidate('stock')
    return true
  }
  const current = await findOrder(deps, customer, orderId)
  if (!current) return false
  throw current.state === 'unpaid' ? paymentInProgress() : alreadyPaid()
}

/** Cancels anybody's unpaid order, as `cancelOrder` does, in the admin's name. */
export async function cancelOrderAsAdmin(deps: Deps, admin: User, orderId: string): Promise<void> {
  const { customerId } = await readOrder(deps, admin, orderId, { admins: true })
  await cancelOrder(deps, { id: customerId }, orderId, admin)
}

/**
 * Cancels `orderId`, or the customer's only unpaid order (R17), and returns the count. Refuses another customer's email
 * unless the caller is an admin, and several unpaid orders without `orderId`.
 */
export async function cancelOrderByEmail(
  deps: Deps,
  caller: User,
  { email, orderId }: { email: string; orderId?: string | undefined },
): Promise<number> {
  if (caller.email !== email && caller.role !== 'admin')
    throw new Refusal('forbidden', 'You can only cancel your own orders.')
  const [customer] =
    caller.email === email ? [caller] : await deps.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!customer) throw new Refusal('not-found', 'No user has this email.')
  if (orderId !== undefined) {
    const order = await readOrder(deps, caller, orderId, { admins: true })
    if (order.customerId !== customer.id) throw new Refusal('conflict', 'This order belongs to another customer.')
    return (await cancelOrder(deps, customer, orderId, caller)) ? 1 : 0
  }
  const unpaid = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), isUnpaid))
    .limit(2)
  if (unpaid.length > 1) throw new Refusal('conflict', 'There are several unpaid orders. Name one with orderId.')
  if (!unpaid[0]) return 0
  return (await cancelOrder(deps, customer, unpaid[0].id, caller)) ? 1 : 0
}

/**
 * After an account was taken over: cancels the unpaid orders from before `at` that a payment had begun for. Somebody else
 * placed them, to another address (R6).
 */
export async function cancelOrdersBefore(deps: Deps, customer: { id: string }, at: number): Promise<void> {
  const left = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), isUnpaid, lt(orders.createdAt, at)))
  for (const { id } of left) {
    // One that is being paid must not keep the others.
    await cancelOrder(deps, customer, id, { id: accountRecovery }).catch((error: unknown) =>
      deps.report('order not cancelled', error, id),
    )
  }
  deps.invalidate('stock')
}

/** For a batch: cancels unpaid orders without an open payment attempt. */
export function cancelUnpaid({ db, now }: Deps, ids: string[], actor: string, only: SQL) {
  return db
    .update(orders)
    .set({ state: 'cancelled', cancelledAt: now(), movedBy: actor })
    .where(
      and(
        unpaidAmong(ids),
        only,
        sql`NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = orders.id AND state <> 'closed')`,
      ),
    )
}

async function isOwn({ db }: Deps, customer: { id: string }, orderId: string): Promise<boolean> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.customerId, customer.id)))
  return rows.length === 1
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is paid and can no longer be cancelled.')
}
