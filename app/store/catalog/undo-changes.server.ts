import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { sellingPrice } from '../shared/dollars.server'
import { idOf } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import { parseJson } from '../shared/validation.server'
import { managed } from './instruments.server'
import { byName } from './order-by-name.server'
import { changedSince, fitsStock, hideable, hiding, type FormerPrice } from './manage-instruments.server'

const priceNote = (to: number) =>
  sql`'price ' || printf('$%,d.%02d', price_cents / 100, price_cents % 100) || ' → ' || ${formatCents(to)}`

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
        ${priceNote(priceCents)} FROM ${instruments} WHERE ${isSame}`),
    db
      .update(instruments)
      .set({ priceCents, pricedAt: at, version: version + 1 })
      .where(isSame),
  ])
  if (restored.rowsAffected === 0) throw changedSince()
  invalidate('catalogue')
}

/** How it went: `kept` are names of those that somebody has changed or deleted since, which stay as they are. */
export interface Undone {
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
): Promise<Undone> {
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
      .orderBy(byName, instruments.id),
  ])
  if (changed.length === 0) throw changedSince()
  invalidate('catalogue')
  const ids = new Set(changed.map(({ id }) => id))
  return { count: changed.length, kept: all.filter(({ id }) => !ids.has(id)).map(({ name }) => name) }
}

const formerRow = z.tuple([z.string().max(200), z.number().int(), sellingPrice.nullable(), z.number().int()])

/** A product after `changeSeveral`: its id and version now, the price before (null: it had no other), and the pieces to give back. */
export type FormerRow = z.output<typeof formerRow>

/** As a field of a form: JSON. It must fit in the cookie of a toast. */
export const maxFormerLength = 2000

export const FormerRows = z
  .string()
  .max(maxFormerLength)
  .transform((text, { addIssue }): unknown => {
    const value = parseJson(text)
    if (value === undefined) addIssue({ code: 'custom', message: 'What is to be undone?' })
    return value
  })
  .pipe(z.array(formerRow).min(1))

/**
 * Takes back price and stock that `changeSeveral` has changed by this submission, in one batch. A product with another version, deleted, or whose stock
 * does not permit it is left alone as a whole; pieces add up, as everywhere. Refuses when every one was changed since. Idempotent.
 */
export async function undoSeveral(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  rows: FormerRow[],
  submissionId: string,
): Promise<Undone> {
  const at = now()
  const parts = await Promise.all(
    rows.map(async ([id, version, priceCents, pieces]) => {
      const key = await idOf(JSON.stringify(['undo several', admin.id, submissionId, id]))
      const isSame = sql`id = ${id} AND ${managed} AND version = ${version} AND available_quantity + ${pieces} >= 0
        AND (${pieces} <= 0 OR ${fitsStock(pieces)}) AND NOT EXISTS (SELECT 1 FROM audit_log WHERE submission_id = ${key})`
      const count = (which: SQL) =>
        db.run(sql`
          INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note, submission_id)
          SELECT ${at}, 'stock counted', ${admin.id}, id, ${pieces}, 'Undo', ${key} FROM instruments WHERE ${which}`)
      if (priceCents === null) return [count(isSame)]
      // `changes() = 1`: only if the previous statement of the batch changed the row.
      const isGoingOn = sql`id = ${id} AND changes() = 1`
      return [
        db.run(sql`
          INSERT INTO audit_log (at, event, actor, instrument_id, note)
          SELECT ${at}, 'instrument changed', ${admin.id}, id,
            ${priceNote(priceCents)} FROM instruments WHERE ${isSame}`),
        db.run(
          sql`UPDATE instruments SET price_cents = ${priceCents}, priced_at = ${at}, version = version + 1 WHERE ${isGoingOn}`,
        ),
        ...(pieces === 0 ? [] : [count(isGoingOn)]),
      ]
    }),
  )
  const [first, ...others] = parts.flat()
  const results = await db.batch([first!, ...others])
  let end = 0
  const kept = rows.flatMap(([id], nth) => {
    end += parts[nth]!.length
    return results[end - 1]!.rowsAffected === 0 ? [id] : []
  })
  if (kept.length === rows.length) throw changedSince()
  invalidate('catalogue')
  const names = await db
    .select({ name: instruments.name })
    .from(instruments)
    .where(inArray(instruments.id, kept))
    .orderBy(byName, instruments.id)
  return { count: rows.length - kept.length, kept: names.map(({ name }) => name) }
}
