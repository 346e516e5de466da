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

function quantityField(label: string, min: number) {
  const error = `${label} must be a whole number from ${min} to 1,000,000`
  const missing = ({ input }: { input?: unknown }) => (input === undefined ? `${label} is Required` : error)
  return z.number({ error: missing }).int({ error }).min(min, { error }).max(1_000_000, { error })
}

const sellingPrice = z
  .number()
  .min(1, { error: 'Price must be at least $0.01' })
  .max(99_999_999, { error: 'Price must be below $1,000,000' })

/** Spec section 5. `price` arrives in dollars and becomes cents. */
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

export const NewInstrumentForm = NewInstrument.extend({
  price: typedDollarsInCents('Price is Required').pipe(sellingPrice),
})

export const NewProduct = NewInstrumentForm.extend({ submissionId: submissionIdField.optional() })

/** Without the stock, which only the audit log moves. */
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
 * Adds an instrument with its opening stock (spec section 4). `price` in cents. Idempotent by `submissionId` (R43);
 * refuses the same `submissionId` with other input.
 */
export async function addInstrument(
  deps: Deps,
  actor: string,
  { submissionId, ...input }: z.output<typeof NewProduct> & { id?: string },
): Promise<{ id: string; isRepeat: boolean }> {
  const id = submissionId ? (await idOf(`instrument:${actor}:${submissionId}`)).slice(0, 32) : input.id
  const prepared = prepareInstrument(deps, actor, { ...input, ...(id && { id }) })
  try {
    await deps.db.batch(prepared.statements)
  } catch (error) {
    if (!submissionId || !isBrokenRule(error)) throw error
    await requireSameSubmission(deps, prepared.id, input)
    return { id: prepared.id, isRepeat: true }
  }
  deps.invalidate('catalogue')
  return { id: prepared.id, isRepeat: false }
}

async function requireSameSubmission({ db }: Deps, id: string, input: NewInstrument): Promise<void> {
  const [[added], [opening]] = await db.batch([
    db.select().from(instruments).where(eq(instruments.id, id)),
    db
      .select({ pieces: auditLog.stockDelta })
      .from(auditLog)
      .where(eq(auditLog.instrumentId, id))
      .orderBy(auditLog.id)
      .limit(1),
  ])
  const isSame =
    added?.removedAt === null &&
    opening?.pieces === input.availableQuantity &&
    Object.entries(toColumns(input)).every(([field, value]) => added[field as keyof typeof added] === value)
  if (isSame) return
  const message = 'You have already sent this form, and it added a product. Send it again to add another.'
  throw new Refusal('conflict', message, { isUsed: true })
}

export function prepareInstrument({ db, now }: Deps, actor: string, input: NewInstrument & { id?: string }) {
  const id = input.id ?? newId()
  const at = now()
  const insert = db.insert(instruments).values({ id, ...toColumns(input), listedAt: at })
  const count = db.insert(auditLog).values({
    at,
    event: 'stock counted',
    actor,
    instrumentId: id,
    stockDelta: input.availableQuantity,
    note: 'opening stock',
  })
  return { id, statements: [insert, count] as const }
}

/** Takes an instrument off sale (spec section 4). Its row stays, so that its orders can be paid and shipped (R12). */
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

export function notForSale(): Refusal {
  return new Refusal('not-found', 'This product is not on sale any more.')
}
