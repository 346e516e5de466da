import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments } from '../../db/schema'
import type { Instrument } from './instruments'
import { findInstrument, onSale } from './instruments.server'
import type { Deps } from '../deps'
import { idOf } from '../ids.server'
import { formatCents } from '../money'
import { Refusal } from '../refusal'
import { NewInstrumentForm, notForSale, toColumns } from './manage-instruments.server'
import { singleLine, optional } from '../validation.server'

const wholeQuantity = 'A whole number of pieces, such as 12 or -3'

/** Stock changes by a difference: an absolute number would overwrite the orders placed since the form was opened. */
export const InstrumentUpdate = NewInstrumentForm.omit({ availableQuantity: true }).extend({
  stockChange: z
    .number({ error: wholeQuantity })
    .int({ error: wholeQuantity })
    .min(-1_000_000, { error: wholeQuantity })
    .max(1_000_000, { error: wholeQuantity })
    .default(0),
  stockNote: optional(singleLine({ label: 'Reason', required: 'Say why the stock changes', max: 200 })),
  seen: z.string().max(100).optional(),
})
export type InstrumentUpdate = z.output<typeof InstrumentUpdate>

/** Hash of every field except stock, for optimistic locking. */
export function versionOf({ name, family, img, description, priceCents, minQuantity }: Instrument): Promise<string> {
  return idOf(JSON.stringify([name, family, img, description, priceCents, minQuantity]))
}

/**
 * Updates an instrument and records the change in the audit log; existing orders keep their name and price (R12).
 * Refuses an instrument off sale or changed since the form was opened, a stock change without a reason or below zero,
 * and more than 1,000,000 pieces together with unpaid orders.
 */
export async function updateInstrument(
  deps: Deps,
  admin: { id: string },
  id: string,
  change: InstrumentUpdate,
): Promise<void> {
  const { db, now } = deps
  const { stockChange, stockNote } = change
  if (stockChange !== 0 && !stockNote) {
    throw new Refusal('invalid', '', { fields: { stockNote: ['Say why the stock changes'] } })
  }
  const before = await findInstrument(deps, id)
  if (!before) throw notForSale()
  const version = await versionOf(before)
  if (change.seen !== undefined && change.seen !== version) throw editConflict()
  const [at, columns] = [now(), toColumns(change)]
  // `changes() = 1`: only if the previous statement of the batch changed the row.
  const logEvent = (event: string, delta: number, note: string) =>
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
      SELECT ${at}, ${event}, ${admin.id}, id, ${delta}, ${note} FROM instruments WHERE id = ${id} AND changes() = 1`)
  const update = db
    .update(instruments)
    .set(columns)
    .where(
      and(eq(instruments.id, id), onSale, isUnchanged(before), sql`(${stockChange} <= 0 OR ${fitsStock(stockChange)})`),
    )
  const note = differences(before, columns)
  try {
    const [updated] = await db.batch([
      update,
      ...(note ? [logEvent('instrument changed', 0, note)] : []),
      ...(stockChange === 0 ? [] : [logEvent('stock counted', stockChange, stockNote ?? '')]),
    ])
    if (updated.rowsAffected === 1) {
      deps.invalidate('catalogue')
      return
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    const left = (await findInstrument(deps, id))?.availableQuantity ?? 0
    throw new Refusal('invalid', '', { fields: { stockChange: [`Only ${left} are there`] } })
  }
  const after = await findInstrument(deps, id)
  if (!after) throw notForSale()
  if ((await versionOf(after)) !== version) throw editConflict()
  const message = 'A shelf holds at most 1,000,000, with what is ordered and not paid'
  throw new Refusal('invalid', '', { fields: { stockChange: [message] } })
}

function isUnchanged({ name, family, img, description, priceCents, minQuantity }: Instrument): SQL | undefined {
  return and(
    eq(instruments.name, name),
    sql`${instruments.family} IS ${family}`,
    eq(instruments.img, img),
    eq(instruments.description, description),
    eq(instruments.priceCents, priceCents),
    eq(instruments.minQuantity, minQuantity),
  )
}

/** Counts the unpaid orders too: their stock may come back. */
function fitsStock(pieces: number): SQL {
  return sql`instruments.available_quantity + ${pieces} + coalesce((
    SELECT sum(o.quantity) FROM orders o WHERE o.state = 'unpaid' AND o.instrument_id = instruments.id), 0) <= 1000000`
}

function differences(before: Instrument, after: ReturnType<typeof toColumns>): string {
  const parts = [
    before.priceCents !== after.priceCents &&
      `price ${formatCents(before.priceCents)} → ${formatCents(after.priceCents)}`,
    before.minQuantity !== after.minQuantity && `minimum ${before.minQuantity} → ${after.minQuantity}`,
    before.name !== after.name && `name "${before.name}" → "${after.name}"`,
    before.family !== after.family && `family ${before.family ?? 'none'} → ${after.family ?? 'none'}`,
    before.img !== after.img && 'picture',
    before.description !== after.description && 'description',
  ]
  return parts.filter(Boolean).join('; ')
}

function editConflict(): Refusal {
  const message =
    'Somebody has changed this product since you opened this page. Save again to write over that, or load the page again to see it.'
  return new Refusal('conflict', '', { fields: { seen: [message] } })
}
