import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../db/open.server'
import { instruments, journal } from '../db/schema'
import { families, type Instrument } from './catalogue'
import { findInstrument, onSale } from './catalogue.server'
import type { Deps } from './deps'
import { dollarsInCents } from './dollars.server'
import { idOf, newId } from './ids.server'
import { formatCents } from './money'
import { Refusal } from './refusal'
import { imageAddress, line, optional, paragraph } from './text.server'

/** So many pieces or more, a million at most. */
function pieces(called: string, least: number) {
  const error = `${called} must be a whole number from ${least} to 1,000,000`
  const missing = ({ input }: { input?: unknown }) => (input === undefined ? `${called} is Required` : error)
  return z.number({ error: missing }).int({ error }).min(least, { error }).max(1_000_000, { error })
}

/** What a shopkeeper says of a new instrument (spec section 5). The price is in dollars, in whole cents. */
export const NewInstrument = z.object({
  name: line({ called: 'Name', required: 'Name is Required', most: 120 }),
  family: z.enum(families, { error: 'Choose one of the families, or none' }).optional(),
  img: imageAddress,
  description: paragraph({ called: 'Description', required: 'Description is Required', most: 2000 }).optional(),
  price: dollarsInCents('Price is Required').pipe(
    z
      .number()
      .min(1, { error: 'Price must be at least $0.01' })
      .max(99_999_999, { error: 'Price must be below $1,000,000' }),
  ),
  availableQuantity: pieces('Available quantity', 0),
  minQuantity: pieces('Minimum quantity', 1),
})
export type NewInstrument = z.output<typeof NewInstrument>

/** Puts an instrument on sale with its opening stock, in one step (spec section 4). `price` is in cents by now. */
export async function addInstrument(
  deps: Pick<Deps, 'db' | 'now' | 'changed'>,
  actor: string,
  wanted: NewInstrument & { id?: string },
): Promise<{ id: string }> {
  const { id, statements } = prepareInstrument(deps, actor, wanted)
  await deps.db.batch(statements)
  deps.changed('catalogue')
  return { id }
}

/** The same for a larger batch: its statements. */
export function prepareInstrument(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: string,
  wanted: NewInstrument & { id?: string },
) {
  const id = wanted.id ?? newId()
  const at = now()
  const insert = db.insert(instruments).values({
    id,
    name: wanted.name,
    family: wanted.family ?? null,
    img: wanted.img,
    description: wanted.description ?? '',
    priceCents: wanted.price,
    minQuantity: wanted.minQuantity,
    listedAt: at,
  })
  const count = db.insert(journal).values({
    at,
    event: 'stock counted',
    actor,
    instrumentId: id,
    stockDelta: wanted.availableQuantity,
    note: 'opening stock',
  })
  return { id, statements: [insert, count] as const }
}

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
  /** What stood in the form when it was opened: see `versionOf`. */
  seen: z.string().max(100).optional(),
})
export type InstrumentChange = z.output<typeof InstrumentChange>

/** Names what an instrument is by now, but for its stock: it is another when any of that has changed. */
export function versionOf({ name, family, img, description, priceCents, minQuantity }: Instrument): Promise<string> {
  return idOf(JSON.stringify([name, family, img, description, priceCents, minQuantity]))
}

/**
 * Changes an instrument on sale, all of it or nothing, and writes into the journal who changed what. Orders that are placed
 * keep their name and price (R12). Refuses one that is not on sale or has been changed since the form was opened, a change of
 * stock without a reason, to take away pieces that are not there, and more than a shelf holds with what is ordered and not paid.
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
  if (change.seen !== undefined && change.seen !== (await versionOf(before))) throw changedMeanwhile()
  const at = now()
  // Only if the statement before it in the batch has done something.
  const written = (event: string, delta: number, note: string) =>
    db.run(sql`
      INSERT INTO journal (at, event, actor, instrument_id, stock_delta, note)
      SELECT ${at}, ${event}, ${admin.id}, id, ${delta}, ${note} FROM instruments WHERE id = ${id} AND changes() = 1`)
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
    .where(
      and(eq(instruments.id, id), onSale, isAsBefore(before), sql`(${stockChange} <= 0 OR ${hasRoom(stockChange)})`),
    )
  const note = differences(before, change)
  try {
    const [updated] = await db.batch([
      update,
      ...(note ? [written('instrument changed', 0, note)] : []),
      ...(stockChange === 0 ? [] : [written('stock counted', stockChange, stockNote ?? '')]),
    ])
    if (updated.rowsAffected === 1) {
      deps.changed('catalogue')
      return
    }
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    const left = (await findInstrument(deps, id))?.availableQuantity ?? 0
    throw new Refusal('invalid', '', { fields: { stockChange: [`Only ${left} are there`] } })
  }
  const after = await findInstrument(deps, id)
  if (!after) throw notOnSale()
  if ((await versionOf(after)) !== (await versionOf(before))) throw changedMeanwhile()
  const message = 'A shelf holds at most 1,000,000, with what is ordered and not paid'
  throw new Refusal('invalid', '', { fields: { stockChange: [message] } })
}

function isAsBefore({ name, family, img, description, priceCents, minQuantity }: Instrument): SQL | undefined {
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
function hasRoom(pieces: number): SQL {
  return sql`instruments.available_quantity + ${pieces} + coalesce((
    SELECT sum(o.quantity) FROM orders o WHERE o.state = 'unpaid' AND o.instrument_id = instruments.id), 0) <= 1000000`
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

/**
 * Takes an instrument off sale for good (spec section 4). Its row stays: orders of it keep their name and price, and can
 * still be paid and shipped (R12). Refuses one that is not on sale.
 */
export async function removeInstrument(
  { db, now, changed }: Pick<Deps, 'db' | 'now' | 'changed'>,
  actor: string,
  id: string,
): Promise<void> {
  const at = now()
  const [, removed] = await db.batch([
    db.run(sql`
      INSERT INTO journal (at, event, actor, instrument_id)
      SELECT ${at}, 'instrument removed', ${actor}, id FROM instruments WHERE id = ${id} AND removed_at IS NULL`),
    db
      .update(instruments)
      .set({ removedAt: at })
      .where(and(eq(instruments.id, id), onSale)),
  ])
  if (removed.rowsAffected === 0) throw notOnSale()
  changed('catalogue')
}

function notOnSale(): Refusal {
  return new Refusal('not-found', 'This product is not on sale any more.')
}

function changedMeanwhile(): Refusal {
  return new Refusal(
    'conflict',
    'Somebody has changed this product since you opened this page. Save again to write over that, or load the page again to see it.',
  )
}
