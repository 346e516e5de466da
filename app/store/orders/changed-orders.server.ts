import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { auditLog, orders } from '../../db/schema'
import { requireMay, type Reader } from '../accounts/rights.server'
import type { Deps } from '../deps'
import { rowsFor } from '../shared/pagination'
import { Refusal } from '../shared/refusal'
import type { Order } from './orders'
import { orderColumns } from './orders.server'

/** How many events of the audit log one page looks at. */
const eventsOfPage = 200

export interface ChangedOrders {
  /** `changedAt`: milliseconds since 1970. */
  orders: (Order & { changedAt: number })[]
  /** For the next page, also of the next day. */
  next: string
  hasMore: boolean
}

/**
 * For those who may read orders (R24): orders in any state, in the order of their last event in the audit log, after the cursor `after`; at most `limit`,
 * and maybe none although there are more. SQLite gives the ids of events under its only write lock, so that an event which commits later never has a
 * lower one: what two clocks, or two changes in one millisecond, would miss. An order that changes meanwhile moves behind the cursor, and comes again.
 * Refuses a cursor of events that a restore has taken back. One round trip.
 */
export async function listChangedOrders(
  { db }: Deps,
  reader: Reader,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<ChangedOrders> {
  requireMay(reader, 'orders')
  const [id = 0, at] = after?.split('-').map(Number) ?? []
  const [rows, [seen]] = await db.batch([
    selectChanges(db, id, limit),
    db.select({ at: auditLog.at }).from(auditLog).where(eq(auditLog.id, id)),
  ])
  if (id > 0 && seen?.at !== at) {
    throw new Refusal('conflict', 'The shop was restored from a backup after this cursor. Begin again without one.')
  }
  const changed = rows.flatMap(({ order, event }) => (order ? [{ ...order, changedAt: event.at }] : []))
  // One more than the limit, or the last event of the page, which need not be the last one of an order.
  const last = changed.length > limit ? rows[limit - 1]! : rows.at(-1)
  return {
    orders: changed.slice(0, limit),
    next: last ? `${last.event.id}-${last.event.at}` : (after ?? '0-0'),
    hasMore: last?.isNewest === 0,
  }
}

function selectChanges(db: Deps['db'], after: number, limit: number) {
  const event = db
    .select({ id: auditLog.id, at: auditLog.at, orderId: auditLog.orderId })
    .from(auditLog)
    .where(gt(auditLog.id, after))
    .orderBy(asc(auditLog.id))
    .limit(eventsOfPage)
    .as('event')
  const isLastOfOrder = sql`NOT EXISTS (
    SELECT 1 FROM audit_log AS later WHERE later.order_id = ${event.orderId} AND later.id > ${event.id})`
  const isLastOfPage = sql`${event.id} = (
    SELECT max(id) FROM (SELECT id FROM audit_log WHERE id > ${after} ORDER BY id LIMIT ${eventsOfPage}))`
  return db
    .select({
      event: { id: event.id, at: event.at },
      order: orderColumns,
      isNewest: sql<0 | 1>`NOT EXISTS (SELECT 1 FROM audit_log AS newer WHERE newer.id > ${event.id})`,
    })
    .from(event)
    .leftJoin(orders, and(eq(orders.id, event.orderId), isLastOfOrder))
    .where(sql`${orders.id} IS NOT NULL OR ${isLastOfPage}`)
    .orderBy(asc(event.id))
    .limit(rowsFor(limit))
}
