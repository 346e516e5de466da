import { eq, sql } from 'drizzle-orm'
import { refunds } from '../../db/schema'
import type { Instrument } from '../catalog/instruments'
import { selectInstrument } from '../catalog/instruments.server'
import type { Deps } from '../deps'
import { selectEvents, selectRefunds } from '../orders/history.server'
import { linksOf, selectInvoice, type InvoiceLink } from '../orders/receipts/invoices.server'
import type { Order } from '../orders/orders'
import { selectOwnOrderInAnyState } from '../orders/orders.server'
import { timelineOf, type CustomerRefund, type TimelineEvent } from '../orders/timeline.server'

export interface OrderPage {
  order: Order
  /** Oldest first. */
  timeline: TimelineEvent[]
  /** Null if it is not on sale any more. */
  instrument: Instrument | null
  invoice: InvoiceLink[] | null
}

/** The customer's own order, also a cancelled one; else null (R24). One round trip. */
export async function readOrderPage(deps: Deps, customer: { id: string }, orderId: string): Promise<OrderPage | null> {
  const { db } = deps
  const [[order], rows, ofOrder, strayRefunds, [instrument], invoice] = await db.batch([
    selectOwnOrderInAnyState(deps, customer, orderId),
    selectEvents(db, orderId),
    selectRefunds(db, orderId),
    db
      .select({
        id: refunds.transactionId,
        amountCents: refunds.amountCents,
        refundId: refunds.refundId,
        failedAt: refunds.failedAt,
        reason: sql<null>`NULL`,
      })
      .from(refunds)
      .where(eq(refunds.orderId, orderId)),
    selectInstrument(deps, sql`(SELECT instrument_id FROM orders WHERE id = ${orderId})`),
    selectInvoice(db, orderId),
  ])
  if (!order) return null
  const all: CustomerRefund[] = [...ofOrder, ...strayRefunds]
  const timeline = timelineOf(order, rows, all)
  return {
    ...{ order, timeline },
    instrument: instrument ?? null,
    invoice: linksOf(orderId, invoice),
  }
}
