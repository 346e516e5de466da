import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { auditLog, emails, orderRefunds, orders, refunds, users } from '../../db/schema'
import type { Deps } from '../deps'
import { requireMay, type Reader } from '../accounts/rights.server'
import { linksOf, selectInvoice, type InvoiceLink } from './receipts/invoices.server'
import type { FailedRefund, Order, OrderEmail, OrderEvent, OrderRefund } from './orders'
import { orderColumns } from './orders.server'

const eventColumns = {
  id: auditLog.id,
  at: auditLog.at,
  event: auditLog.event,
  actor: auditLog.actor,
  email: users.email,
  note: auditLog.note,
  aboutId: auditLog.aboutId,
  stockDelta: auditLog.stockDelta,
}

export interface OrderHistory {
  order: Order
  /** Oldest first. */
  rows: OrderEvent[]
  refunds: OrderRefund[]
  failedRefunds: FailedRefund[]
  /** Until when the shop can answer the bank about a dispute, in milliseconds since 1970. */
  answerBy: number | null
  emails: OrderEmail[]
  staffNote: string | null
  invoice: InvoiceLink[] | null
  /** The customer has closed the account. */
  isClosed: boolean
}

/** For admins: any order, also a cancelled one, with everything that the shop knows of it. One round trip. */
export async function readOrderHistory({ db }: Deps, reader: Reader, orderId: string): Promise<OrderHistory | null> {
  requireMay(reader, 'orders')
  const [[found], rows, ofOrder, failedRefunds, sent, invoice] = await db.batch([
    db
      .select({
        ...{ order: orderColumns, staffNote: orders.staffNote, closedAt: users.closedAt },
        answerBy: sql<number | null>`(SELECT min(due_by) FROM disputes WHERE order_id = ${orders.id})`,
      })
      .from(orders)
      .innerJoin(users, eq(users.id, orders.customerId))
      .where(eq(orders.id, orderId)),
    selectEvents(db, orderId),
    selectRefunds(db, orderId),
    selectFailedRefunds(db, orderId),
    // By the id that the reader gives it, which an index finds.
    db
      .select({ id: emails.id, event: auditLog.event, recipient: emails.recipient, sentAt: emails.sentAt })
      .from(auditLog)
      .innerJoin(
        emails,
        sql`${emails.id} = ${auditLog.event} || ':' || ${auditLog.orderId} || iif(${auditLog.event} = 'refund made', ':' || ${auditLog.aboutId}, '')`,
      )
      .where(eq(auditLog.orderId, orderId))
      .orderBy(asc(auditLog.id)),
    selectInvoice(db, orderId),
  ])
  if (!found) return null
  const { closedAt, ...rest } = found
  return {
    ...rest,
    isClosed: closedAt !== null,
    rows: rows.map(({ email, ...row }) => ({ ...row, actor: email ?? row.actor })),
    // Few, so no index sorts them.
    refunds: ofOrder.sort((one, other) => one.createdAt - other.createdAt),
    failedRefunds,
    emails: sent,
    invoice: linksOf(orderId, invoice),
  }
}

/** Oldest first. */
export function selectEvents(db: Deps['db'], orderId: string) {
  return db
    .select(eventColumns)
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actor))
    .where(eq(auditLog.orderId, orderId))
    .orderBy(asc(auditLog.id))
}

export function selectRefunds(db: Deps['db'], orderId: string) {
  return db
    .select(refundColumns)
    .from(orderRefunds)
    .leftJoin(users, eq(users.id, orderRefunds.movedBy))
    .where(eq(orderRefunds.orderId, orderId))
}

const refundColumns = {
  id: orderRefunds.id,
  amountCents: orderRefunds.amountCents,
  reason: orderRefunds.reason,
  restock: orderRefunds.restock,
  actor: sql<string>`coalesce(${users.email}, ${orderRefunds.movedBy})`,
  createdAt: orderRefunds.createdAt,
  refundId: orderRefunds.refundId,
  failedAt: orderRefunds.failedAt,
}

function selectFailedRefunds(db: Deps['db'], orderId: string) {
  return db
    .select({ refundId: refunds.refundId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNotNull(refunds.failedAt)))
}
