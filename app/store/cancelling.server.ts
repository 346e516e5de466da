import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { orders } from '../db/schema'
import type { Deps } from './deps'
import { findOrder } from './orders.server'
import { asking, beingPaid, makeUnpayable } from './payments.server'
import { Refusal } from './refusal'

/**
 * Cancels the customer's own unpaid order and gives its pieces back (R11, R14): first whatever could be paid is made
 * unpayable at the provider, then the order is cancelled. Refuses one that is paid, also when the payment won the race.
 */
export async function cancelOrder(
  deps: Pick<Deps, 'db' | 'now' | 'payments'>,
  customer: { id: string },
  orderId: string,
): Promise<void> {
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'There is no such order, or it is already cancelled.')
  if (order.state !== 'unpaid') throw alreadyPaid()
  const outcome = await asking(() => makeUnpayable(deps, orderId))
  if (outcome === 'paid') throw alreadyPaid()
  if (outcome === 'under-way') throw beingPaid()

  const done = await cancelUnpayable(deps, [orderId], customer.id, eq(orders.customerId, customer.id))
  if (done.rowsAffected === 1) return
  const now = await findOrder(deps, customer, orderId)
  if (!now) return // another tab was faster: it is cancelled, as asked
  throw now.state === 'unpaid' ? beingPaid() : alreadyPaid()
}

/**
 * The statement that cancels those of these orders that are unpaid and that nothing can pay for any more, for a batch that
 * needs their pieces or for itself. `actor` is a user's id, or what acted for the shop.
 */
export function cancelUnpayable({ db, now }: Pick<Deps, 'db' | 'now'>, ids: string[], actor: string, only: SQL) {
  return db
    .update(orders)
    .set({ state: 'cancelled', cancelledAt: now(), movedBy: actor })
    .where(
      and(
        inArray(orders.id, ids),
        eq(orders.state, 'unpaid'),
        only,
        sql`NOT EXISTS (SELECT 1 FROM payment_attempts WHERE order_id = orders.id AND state <> 'closed')`,
      ),
    )
}

function alreadyPaid(): Refusal {
  return new Refusal('conflict', 'This order is paid and can no longer be cancelled.')
}
