import type { Deps } from '../deps'
import type { Order } from '../orders/orders'
import { selectOwnOrder } from '../orders/orders.server'
import { selectVerified } from '../accounts/users.server'

/** What the payment page shows; null as for `findOrder`. `isVerified`: the customer gets emails (R49). One round trip. */
export async function readPaymentPage(
  deps: Deps,
  customer: { id: string },
  orderId: string,
): Promise<{ order: Order; isVerified: boolean } | null> {
  const [[order], [verified]] = await deps.db.batch([
    selectOwnOrder(deps, customer, orderId),
    selectVerified(deps, customer),
  ])
  return order ? { order, isVerified: verified?.at != null } : null
}
