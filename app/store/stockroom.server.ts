import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../db/open.server'
import { instruments } from '../db/schema'
import { findInstrument, NewInstrument } from './catalogue.server'
import type { Instrument } from './catalogue'
import type { Deps } from './deps'
import { formatCents } from './money'
import { Refusal } from './refusal'
import { line, optional } from './text.server'

const wholePieces = 'A whole number of pieces, such as 12 or -3'

/**
 * What a shopkeeper changes of an instrument. Stock is told as what came or went, and why: a count would overwrite what is
 * ordered meanwhile.
 */
export const InstrumentChange = NewInstrument.omit({ availableQuantity: true }).extend({
  stockChange: z
    .number({ error: wholePieces })
    .int({ error: wholePieces })
    .min(-1_000_000, { error: wholePieces })
    .max(1_000_000, { error: wholePieces })
    .default(0),
  stockNote: optional(line({ called: 'Reason', required: 'Say why the stock changes', most: 200 })),
})
export type InstrumentChange = z.output<typeof InstrumentChange>

/**
 * Changes an instrument on sale, all of it or nothing, and writes into the journal who changed what. Orders that are placed
 * keep their name and price (R12). Refuses one that is not on sale, a change of stock without a reason, and to take away
 * pieces that are not there.
 */
export async function changeInstrument(
  deps: Pick<Deps, 'db' | 'now' | 'changed'>,
  admin: { id: string },
  id: string,
  change: InstrumentChange,
): Promise<void> {
  const { db, now } = deps
  const { stockChange, stockNote } = change
  if (stockChange !== 0 && !stockNote) {
    throw new Refusal('invalid', '', { fields: { stockNote: ['Say why the stock changes'] } })
  }
  const before = await findInstrument(deps, id)
  if (!before) throw notOnSale()
  const at = now()
  const journal = (event: string, delta: number, note: string) =>
    db.run(sql`
      INSERT INTO journal (at, event, actor, instrument_id, stock_delta, note)
      SELECT ${at}, ${event}, ${admin.id}, id, ${delta}, ${note} FROM instruments WHERE id = ${id} AND removed_at IS NULL`)
  const update = db
    .update(instruments)
    .set({
      name: change.name,
      family: change.family ?? null,
      img: change.img,
      description: change.description ?? '',
      priceCents: change.price,
      minQuantity: change.minQuantity,
    })
    .where(and(eq(instruments.id, id), isNull(instruments.removedAt)))
  const note = differences(before, change)
  try {
    const [updated] = await db.batch([
      update,
      ...(note ? [journal('instrument changed', 0, note)] : []),
      ...(stockChange === 0 ? [] : [journal('stock counted', stockChange, stockNote ?? '')]),
    ])
    if (updated.rowsAffected === 0) throw notOnSale()
    deps.changed('catalogue')
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    const left = (await findInstrument(deps, id))?.availableQuantity ?? 0
    const message = stockChange < 0 ? `Only ${left} are there` : 'A shelf holds at most 1,000,000'
    throw new Refusal('invalid', '', { fields: { stockChange: [message] } })
  }
}

/** What is different now, for the journal: figures with what they were. */
function differences(before: Instrument, change: InstrumentChange): string {
  const parts = [
    before.priceCents !== change.price && `price ${formatCents(before.priceCents)} → ${formatCents(change.price)}`,
    before.minQuantity !== change.minQuantity && `minimum ${before.minQuantity} → ${change.minQuantity}`,
    before.name !== change.name && `name "${before.name}" → "${change.name}"`,
    before.family !== (change.family ?? null) && `family ${before.family ?? 'none'} → ${change.family ?? 'none'}`,
    before.img !== change.img && 'picture',
    before.description !== (change.description ?? '') && 'description',
  ]
  return parts.filter(Boolean).join('; ')
}

function notOnSale(): Refusal {
  return new Refusal('not-found', 'This product is not on sale any more.')
}
