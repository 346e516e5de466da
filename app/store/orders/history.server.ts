import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { auditLog, orderRefunds, orders, refunds, users } from '../../db/schema'
import type { Deps } from '../deps'
import type { Order } from './orders'
import { orderColumns } from './orders.server'

export interface OrderEvent {
  id: number
  /** Milliseconds since 1970. */
  at: number
  event: string
  /** A user's email, or `stripe`, `hold expiry` … */
  actor: string
  note: string
  stockDelta: number
}

export interface FailedRefund {
  refundId: string | null
  amountCents: number
}

export interface OrderRefund {
  id: string
  amountCents: number
  /** Empty if it was made at Stripe. */
  reason: string
  restock: number
  /** A user's email, or `stripe`. */
  actor: string
  /** Milliseconds since 1970. */
  createdAt: number
  refundId: string | null
  failedAt: number | null
}

const eventColumns = {
  id: auditLog.id,
  at: auditLog.at,
  event: auditLog.event,
  actor: auditLog.actor,
  email: users.email,
  note: auditLog.note,
  stockDelta: auditLog.stockDelta,
}

/** For admins: any order, also a cancelled one, with its events, oldest first. */
export async function readOrderHistory(
  { db }: Deps,
  orderId: string,
): Promise<{ order: Order; rows: OrderEvent[]; refunds: OrderRefund[]; failedRefunds: FailedRefund[] } | null> {
  const [[order], rows, ofOrder, failedRefunds] = await db.batch([
    db.select(orderColumns).from(orders).where(eq(orders.id, orderId)),
    db
      .select(eventColumns)
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actor))
      .where(eq(auditLog.orderId, orderId))
      .orderBy(asc(auditLog.id)),
    db
      .select({
        id: orderRefunds.id,
        amountCents: orderRefunds.amountCents,
        reason: orderRefunds.reason,
        restock: orderRefunds.restock,
        actor: sql<string>`coalesce(${users.email}, ${orderRefunds.movedBy})`,
        createdAt: orderRefunds.createdAt,
        refundId: orderRefunds.refundId,
        failedAt: orderRefunds.failedAt,
      })
      .from(orderRefunds)
      .leftJoin(users, eq(users.id, orderRefunds.movedBy))
      .where(eq(orderRefunds.orderId, orderId)),
    selectFailedRefunds(db, orderId),
  ])
  if (!order) return null
  return {
    order,
    rows: rows.map(({ email, ...row }) => ({ ...row, actor: email ?? row.actor })),
    // Few, so no index sorts them.
    refunds: ofOrder.sort((one, other) => one.createdAt - other.createdAt),
    failedRefunds,
  }
}

function selectFailedRefunds(db: Deps['db'], orderId: string) {
  return db
    .select({ refundId: refunds.refundId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNotNull(refunds.failedAt)))
}
