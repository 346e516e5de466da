import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { auditLog, orders, refunds, users } from '../../db/schema'
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
): Promise<{ order: Order; rows: OrderEvent[]; failedRefunds: FailedRefund[] } | null> {
  const [[order], rows, failedRefunds] = await db.batch([
    db.select(orderColumns).from(orders).where(eq(orders.id, orderId)),
    db
      .select(eventColumns)
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actor))
      .where(eq(auditLog.orderId, orderId))
      .orderBy(asc(auditLog.id)),
    selectFailedRefunds(db, orderId),
  ])
  if (!order) return null
  return {
    order,
    rows: rows.map(({ email, ...row }) => ({ ...row, actor: email ?? row.actor })),
    failedRefunds,
  }
}

function selectFailedRefunds(db: Deps['db'], orderId: string) {
  return db
    .select({ refundId: refunds.refundId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNotNull(refunds.failedAt)))
}
