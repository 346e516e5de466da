import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { auditLog, instruments, orders, users } from '../../db/schema'
import type { Deps } from '../deps'
import { pageOf, rowsFor } from '../shared/pagination'

const columns = {
  id: sql<string>`CAST(${auditLog.id} AS TEXT)`,
  at: auditLog.at,
  event: auditLog.event,
  stockDelta: auditLog.stockDelta,
  note: auditLog.note,
  orderId: auditLog.orderId,
  number: sql<number>`${orders.number}`,
  actor: sql<string>`coalesce(${users.name}, ${auditLog.actor})`,
}

/** For admins: what happened to any instrument, also a deleted one, newest first; `before` is the cursor. Null if there was never one. */
export async function readInstrumentHistory(
  { db }: Pick<Deps, 'db'>,
  id: string,
  { before, limit }: { before: number | undefined; limit: number },
) {
  const [[instrument], rows] = await db.batch([
    db
      .select({
        id: instruments.id,
        name: instruments.name,
        removedAt: instruments.removedAt,
        hidden: instruments.hidden,
      })
      .from(instruments)
      .where(eq(instruments.id, id)),
    db
      .select(columns)
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actor))
      .leftJoin(orders, eq(orders.id, auditLog.orderId))
      .where(and(eq(auditLog.instrumentId, id), before === undefined ? undefined : lt(auditLog.id, before)))
      .orderBy(desc(auditLog.id))
      .limit(rowsFor(limit)),
  ])
  if (!instrument) return null
  const { page, next } = pageOf(rows, limit)
  return { instrument, rows: page, next }
}

export type InstrumentEvent = NonNullable<Awaited<ReturnType<typeof readInstrumentHistory>>>['rows'][number]
