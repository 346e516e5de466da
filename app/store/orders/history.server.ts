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
  /** A user's email, or what acted for the shop. */
  actor: string
  note: string
  /** Pieces that came to the shelf; negative when they left it. */
  stockDelta: number
}

/** A refund that did not reach its customer. */
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

/** An order with everything that happened to it, first to last, cancelled ones too: for admins. Null if there is none. */
export async function readOrderHistory(
  { db }: Deps,
  orderId: string,
): Promise<{ order: Order; rows: OrderEvent[]; undoneRefunds: FailedRefund[] } | null> {
  const [found, rows, undoneRefunds] = await db.batch([
    db.select(orderColumns).from(orders).where(eq(orders.id, orderId)),
    db
      .select(eventColumns)
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actor))
      .where(eq(auditLog.orderId, orderId))
      .orderBy(asc(auditLog.id)),
    selectFailedRefunds(db, orderId),
  ])
  if (!found[0]) return null
  return {
    order: found[0],
    rows: rows.map(({ email, ...row }) => ({ ...row, actor: email ?? row.actor })),
    undoneRefunds,
  }
}

/** The query for an order's refunds that did not arrive, for a batch. Amounts in cents. */
function selectFailedRefunds(db: Deps['db'], orderId: string) {
  return db
    .select({ refundId: refunds.refundId, amountCents: refunds.amountCents })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), isNotNull(refunds.failedAt)))
}
