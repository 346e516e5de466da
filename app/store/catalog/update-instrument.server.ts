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

/**
 * What a shopkeeper changes of an instrument. Stock is told as what came or went, and why: a count would overwrite what is
 * ordered meanwhile.
 */
export const InstrumentUpdate = NewInstrumentForm.omit({ availableQuantity: true }).extend({
  stockChange: z
    .number({ error: wholeQuantity })
    .int({ error: wholeQuantity })
    .min(-1_000_000, { error: wholeQuantity })
    .max(1_000_000, { error: wholeQuantity })
    .default(0),
  stockNote: optional(singleLine({ label: 'Reason', required: 'Say why the stock changes', max: 200 })),
  /** What stood in the form when it was opened: see `versionOf`. */
  seen: z.string().max(100).optional(),
})
export type InstrumentUpdate = z.output<typeof InstrumentUpdate>

/** Names what an instrument is by now, but for its stock: it is another when any of that has changed. */
export function versionOf({ name, family, img, description, priceCents, minQuantity }: Instrument): Promise<string> {
  return idOf(JSON.stringify([name, family, img, description, priceCents, minQuantity]))
}

/**
 * Changes an instrument on sale, all of it or nothing, and writes into the audit log who changed what. Orders that are placed
 * keep their name and price (R12). Refuses one that is not on sale or has been changed since the form was opened, a change of
 * stock without a reason, to take away pieces that are not there, and more than a shelf holds with what is ordered and not paid.
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
  const [at, wanted] = [now(), toColumns(change)]
  // Only if the statement before it in the batch has done something.
  const written = (event: string, delta: number, note: string) =>
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
      SELECT ${at}, ${event}, ${admin.id}, id, ${delta}, ${note} FROM instruments WHERE id = ${id} AND changes() = 1`)
  const update = db
    .update(instruments)
    .set(wanted)
    .where(
      and(eq(instruments.id, id), onSale, isUnchanged(before), sql`(${stockChange} <= 0 OR ${fitsStock(stockChange)})`),
    )
  const note = differences(before, wanted)
  try {
    const [updated] = await db.batch([
      update,
      ...(note ? [written('instrument changed', 0, note)] : []),
      ...(stockChange === 0 ? [] : [written('stock counted', stockChange, stockNote ?? '')]),
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

/** True while so many pieces more fit on the shelf, and all that unpaid orders hold could still come back to it. */
function fitsStock(pieces: number): SQL {
  return sql`instruments.available_quantity + ${pieces} + coalesce((
    SELECT sum(o.quantity) FROM orders o WHERE o.state = 'unpaid' AND o.instrument_id = instruments.id), 0) <= 1000000`
}

/** What is different now, for the audit log: figures with what they were. */
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
