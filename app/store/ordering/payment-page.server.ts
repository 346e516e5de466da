import { eq, sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Instrument } from '../catalog/instruments'
import type { Deps } from '../deps'
import { linksOf, selectInvoice, type InvoiceLink } from '../orders/receipts/invoices.server'
import type { Order } from '../orders/orders'
import { selectOwnOrderInAnyState } from '../orders/orders.server'
import { readOrderPage } from './order-page.server'

export interface PaymentPage {
  order: Order
  /** The picture of the instrument, also if that is not on sale any more. */
  img: string
  /** Of a paid order; null while it has no seller yet. */
  invoice: InvoiceLink[] | null
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
  const { db } = deps
  const [[order], [picture], rows] = await db.batch([
    selectOwnOrderInAnyState(deps, customer, orderId),
    db
      .select({ img: instruments.img })
      .from(instruments)
      .where(eq(instruments.id, sql`(SELECT instrument_id FROM orders WHERE id = ${orderId})`)),
    selectInvoice(db, orderId),
  ])
  if (!order) return null
  const shown = { order, img: picture!.img, invoice: linksOf(orderId, rows) }
  if (order.state !== 'cancelled') return { ...shown, cancelled: null }
  const { timeline, instrument } = (await readOrderPage(deps, customer, orderId))!
  const events = timeline.filter(({ event }) => event !== 'order placed')
  return {
    ...shown,
    cancelled: {
      texts: events.map(({ text }) => text),
      isRefunded: events.some(({ event }) => event !== 'order cancelled'),
      instrument,
    },
  }
}
