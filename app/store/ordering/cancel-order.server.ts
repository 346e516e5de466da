import { and, eq, sql, type SQL } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import type { Deps } from '../deps'
import { findOrder, isUnpaid, readOrder, unpaidAmong } from '../orders/orders.server'
import { callProvider, paymentInProgress } from '../payments/payments.server'
import { Refusal } from '../refusal'
import { expirePayment } from '../payments/confirm-payment.server'
import type { User } from '../accounts/sign-in'

/**
 * Cancels an unpaid order of this customer's and gives its pieces back (R11, R14): first whatever could be paid is made
 * unpayable at the provider, then the order is cancelled. Answers whether this call did it: false when it was cancelled before, or
 * by another call at the same time. Refuses one that is paid, also when the payment won the race. `actor` is the customer, or the
 * admin who acts for them.
 */
export async function cancelOrder(
  deps: Deps,
  customer: { id: string },
  orderId: string,
  actor: { id: string } = customer,
): Promise<boolean> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) {
    if (await isOwn(deps, customer, orderId)) return false
    throw new Refusal('not-found', 'There is no such order.')
  }
  await callProvider(() => expirePayment(deps, orderId))
  // One that is paid by now is not unpaid, and one whose payment is under way has its attempt open: then nothing is cancelled.
  const done = await cancelExpired(deps, [orderId], actor.id, eq(orders.customerId, customer.id))
  if (done.rowsAffected === 1) {
    deps.invalidate('stock')
    return true
  }
  const now = await findOrder(deps, customer, orderId)
  if (!now) return false
  throw now.state === 'unpaid' ? paymentInProgress() : alreadyPaid()
}

/**
 * Cancels an unpaid order of the customer with this email: the one that is named, else the only one there is (R17). Answers
 * how many this call cancelled. Refuses another customer's email, unless an admin asks, and to choose among several.
 */
export async function cancelOrderByEmail(
  deps: Deps,
  caller: User,
  { email, orderId }: { email: string; orderId?: string | undefined },
): Promise<number> {
  if (caller.email !== email && caller.role !== 'admin') throw new Refusal('forbidden', 'This is somebody else.')
  const [customer] = await deps.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!customer) throw new Refusal('not-found', 'Nobody has this email.')
  if (orderId !== undefined) {
    const order = await readOrder(deps, caller, orderId, { admins: true })
    if (order.customerId !== customer.id) throw new Refusal('conflict', 'This is the order of another customer.')
    return (await cancelOrder(deps, customer, orderId, caller)) ? 1 : 0
  }
  const unpaid = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), isUnpaid))
    .limit(2)
  if (unpaid.length > 1) throw new Refusal('conflict', 'There are several unpaid orders: name one with orderId.')
  if (!unpaid[0]) return 0
  return (await cancelOrder(deps, customer, unpaid[0].id, caller)) ? 1 : 0
}

/**
 * The statement that cancels those of these orders that are unpaid and that nothing can pay for any more, for a batch that
 * needs their pieces or for itself. `actor` is a user's id, or what acted for the shop.
 */
export function cancelExpired({ db, now }: Deps, ids: string[], actor: string, only: SQL) {
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

/** Whether this customer placed the order, in whatever state it is. */
async function isOwn({ db }: Deps, customer: { id: string }, orderId: string): Promise<boolean> {
  const own = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.customerId, customer.id)))
  return own.length === 1
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is paid and can no longer be cancelled.')
}
