import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments, auditLog } from '../../db/schema'
import { families } from './instruments'
import { onSale } from './instruments.server'
import type { Deps } from '../deps'
import { dollarsInCents, typedDollarsInCents } from '../dollars.server'
import { idOf, newId } from '../ids.server'
import { Refusal } from '../refusal'
import { imageAddress, singleLine, optional, multiLine, submissionIdField } from '../validation.server'

/** So many pieces or more, a million at most. */
function quantityField(called: string, least: number) {
  const error = `${called} must be a whole number from ${least} to 1,000,000`
  const missing = ({ input }: { input?: unknown }) => (input === undefined ? `${called} is Required` : error)
  return z.number({ error: missing }).int({ error }).min(least, { error }).max(1_000_000, { error })
}

const sellingPrice = z
  .number()
  .min(1, { error: 'Price must be at least $0.01' })
  .max(99_999_999, { error: 'Price must be below $1,000,000' })

/** What a shopkeeper says of a new instrument (spec section 5). The price is in dollars, in whole cents. */
export const NewInstrument = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 120 }),
  family: z.enum(families, { error: 'Choose one of the families, or none' }).optional(),
  img: imageAddress,
  description: optional(
    multiLine({ label: 'Description', required: 'Description must be text', max: 2000 }),
  ).optional(),
  price: dollarsInCents('Price is Required').pipe(sellingPrice),
  availableQuantity: quantityField('Available quantity', 0),
  minQuantity: quantityField('Minimum quantity', 1),
})
export type NewInstrument = z.output<typeof NewInstrument>

/** The same from a form: the price as it was typed. */
export const NewInstrumentForm = NewInstrument.extend({
  price: typedDollarsInCents('Price is Required').pipe(sellingPrice),
})

/** What the form of a new instrument says. */
export const NewProduct = NewInstrumentForm.extend({ submissionId: submissionIdField.optional() })

/** What a shopkeeper says of an instrument, but for its stock, as it is stored. */
export function toColumns({
  name,
  family,
  img,
  description,
  price,
  minQuantity,
}: Omit<NewInstrument, 'availableQuantity'>) {
  return { name, family: family ?? null, img, description: description ?? '', priceCents: price, minQuantity }
}

/**
 * Puts an instrument on sale with its opening stock, in one step (spec section 4). `price` is in cents by now. The same submission
 * again is the same instrument (R43), and is said to be a repeat; refuses a submission that says something else now.
 */
export async function addInstrument(
  deps: Deps,
  actor: string,
  { submissionId, ...wanted }: z.output<typeof NewProduct> & { id?: string },
): Promise<{ id: string; isRepeat: boolean }> {
  const id = submissionId ? (await idOf(`instrument:${actor}:${submissionId}`)).slice(0, 32) : wanted.id
  const prepared = prepareInstrument(deps, actor, { ...wanted, ...(id && { id }) })
  try {
    await deps.db.batch(prepared.statements)
  } catch (error) {
    if (!submissionId || !isBrokenRule(error)) throw error
    await requireSameSubmission(deps, prepared.id, wanted)
    return { id: prepared.id, isRepeat: true }
  }
  deps.invalidate('catalogue')
  return { id: prepared.id, isRepeat: false }
}

async function requireSameSubmission({ db }: Deps, id: string, wanted: NewInstrument): Promise<void> {
  const [[added], [opening]] = await db.batch([
    db.select().from(instruments).where(eq(instruments.id, id)),
    db
      .select({ pieces: auditLog.stockDelta })
      .from(auditLog)
      .where(eq(auditLog.instrumentId, id))
      .orderBy(auditLog.id)
      .limit(1),
  ])
  const same =
    added?.removedAt === null &&
    opening?.pieces === wanted.availableQuantity &&
    Object.entries(toColumns(wanted)).every(([field, value]) => added[field as keyof typeof added] === value)
  if (same) return
  const message = 'You have already sent this form, and it added a product. Send it again to add another.'
  throw new Refusal('conflict', message, { isUsed: true })
}

/** The same for a larger batch: its statements. */
export function prepareInstrument({ db, now }: Deps, actor: string, wanted: NewInstrument & { id?: string }) {
  const id = wanted.id ?? newId()
  const at = now()
  const insert = db.insert(instruments).values({ id, ...toColumns(wanted), listedAt: at })
  const count = db.insert(auditLog).values({
    at,
    event: 'stock counted',
    actor,
    instrumentId: id,
    stockDelta: wanted.availableQuantity,
    note: 'opening stock',
  })
  return { id, statements: [insert, count] as const }
}

/**
 * Takes an instrument off sale for good (spec section 4). Its row stays: orders of it keep their name and price, and can
 * still be paid and shipped (R12). Refuses one that is not on sale.
 */
export async function removeInstrument({ db, now, invalidate }: Deps, actor: string, id: string): Promise<void> {
  const at = now()
  const [, removed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id)
      SELECT ${at}, 'instrument removed', ${actor}, id FROM instruments WHERE id = ${id} AND removed_at IS NULL`),
    db
      .update(instruments)
      .set({ removedAt: at })
      .where(and(eq(instruments.id, id), onSale)),
  ])
  if (removed.rowsAffected === 0) throw notForSale()
  invalidate('catalogue')
}

/** Somebody was faster: the shop sells it no more. */
export function notForSale(): Refusal {
  return new Refusal('not-found', 'This product is not on sale any more.')
}
