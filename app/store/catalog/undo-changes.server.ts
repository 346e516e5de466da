import { and, eq, sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { formatCents } from '../shared/money'
import { managed } from './instruments.server'
import { changedSince, hideable, hiding, type FormerPrice } from './manage-instruments.server'

/** Takes back a change of the price. Refuses an instrument that was changed since, in any of its details, or deleted. */
export async function restorePrice(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  id: string,
  { priceCents, version }: FormerPrice,
): Promise<void> {
  const at = now()
  const isSame = and(eq(instruments.id, id), managed, eq(instruments.version, version))!
  const [, restored] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, note)
      SELECT ${at}, 'instrument changed', ${admin.id}, id,
        'price ' || printf('$%,d.%02d', price_cents / 100, price_cents % 100) || ' → ' || ${formatCents(priceCents)}
      FROM ${instruments} WHERE ${isSame}`),
    db
      .update(instruments)
      .set({ priceCents, pricedAt: at, version: version + 1 })
      .where(isSame),
  ])
  if (restored.rowsAffected === 0) throw changedSince()
  invalidate('catalogue')
}

/** How it went: `kept` are names of those that somebody has hidden, shown or deleted since, which stay as they are. */
export interface UndoneHiding {
  count: number
  kept: string[]
}

/**
 * Hides again (`isHidden`) or shows again what one press of this admin has shown or hidden: `events` are the first and last of its events
 * in the audit log. Refuses when every one of them was changed since.
 */
export async function undoHidden(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  [first, last]: readonly [number, number],
  isHidden: boolean,
): Promise<UndoneHiding> {
  const at = now()
  const [undone, event] = isHidden
    ? ['instrument shown', 'instrument hidden']
    : ['instrument hidden', 'instrument shown']
  const done = sql`SELECT done.instrument_id FROM audit_log AS done
    WHERE done.id BETWEEN ${first} AND ${last} AND done.event = ${undone} AND done.actor = ${admin.id}`
  const unchanged = sql`${done} AND NOT EXISTS (SELECT 1 FROM audit_log AS since
    WHERE since.instrument_id = done.instrument_id AND since.id > done.id
      AND since.event IN ('instrument hidden', 'instrument shown', 'instrument removed'))`
  const [changed, , all] = await db.batch([
    db
      .update(instruments)
      .set(hiding(isHidden, at))
      .where(and(sql`${instruments.id} IN (${unchanged})`, hideable(isHidden)))
      .returning({ id: instruments.id }),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id)
      SELECT ${at}, ${event}, ${admin.id}, id FROM instruments WHERE id IN (${unchanged})`),
    db
      .select({ id: instruments.id, name: instruments.name })
      .from(instruments)
      .where(sql`${instruments.id} IN (${done})`)
      .orderBy(instruments.name, instruments.id),
  ])
  if (changed.length === 0) throw changedSince()
  invalidate('catalogue')
  const ids = new Set(changed.map(({ id }) => id))
  return { count: changed.length, kept: all.filter(({ id }) => !ids.has(id)).map(({ name }) => name) }
}
