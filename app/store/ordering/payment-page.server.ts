import type { Instrument } from '../catalog/instruments'
import type { Deps } from '../deps'
import type { Order } from '../orders/orders'
import { selectOwnOrderInAnyState } from '../orders/orders.server'
import { readOrderPage } from './order-page.server'

export interface PaymentPage {
  order: Order
  /** Null unless the order is cancelled. */
  cancelled: {
    /** Why, and what became of money that arrived all the same (R14). */
    texts: string[]
    isRefunded: boolean
    /** Null if it is not on sale any more. */
    instrument: Instrument | null
  } | null
}

/** What the payment page shows of the customer's own order; else null (R24). One round trip, two if it is cancelled. */
export async function readPaymentPage(
  deps: Deps,
  customer: { id: string },
  orderId: string,
): Promise<PaymentPage | null> {
  const [order] = await selectOwnOrderInAnyState(deps, customer, orderId)
  if (order?.state !== 'cancelled') return order ? { order, cancelled: null } : null
  const { timeline, instrument } = (await readOrderPage(deps, customer, orderId))!
  const events = timeline.filter(({ event }) => event !== 'order placed')
  return {
    order,
    cancelled: {
      texts: events.map(({ text }) => text),
      isRefunded: events.some(({ event }) => event !== 'order cancelled'),
      instrument,
    },
  }
}
