import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments, auditLog } from '../../db/schema'
import { attributeRows, attributesField, describeAttributes, readAttributeRows } from './attributes.server'
import { slugOf } from './catalog'
import { unknownFamily } from './families.server'
import { rules } from './field-rules.server'
import { descriptiveKeys, editedKeys, fieldOf, pick, type EditedKey } from './fields'
import type { InstrumentDetails, ManagedInstrument } from './instruments'
import { availableAt, findManagedInstrument, isAsSeen, managed, onSale } from './instruments.server'
import { nameKeyOf } from './order-by-name.server'
import { pictureRows, picturesField } from './pictures/picture-fields.server'
import { placePictures } from './pictures/picture-lists'
import { firstPriorCents, keepPrices, priorCents } from './prior-price.server'
import { breakRows, priceBreaksField, readBreakRows } from './price-breaks.server'
import { keepMoments, readSaleFields, requireOpenSale, saleDetails, saleField, saleFields } from './sale-prices.server'
import { addToSearch, hasNewWords, indexInstruments } from './search/index-instruments.server'
import type { Deps } from '../deps'
import { formatDay, inFirstDay, inLastDay } from '../shared/dates'
import { dollarsInCents, sellingPrice, typedDollarsInCents } from '../shared/dollars.server'
import { idOf, newId } from '../shared/ids.server'
import { formatCents } from '../shared/money'
import { changedSinceSeen, Refusal, type Seen } from '../shared/refusal'
import { imageAddress, singleLine, optional, submissionIdField } from '../shared/validation.server'

/** Spec section 5. `price` arrives in dollars and becomes cents. */
export const NewInstrument = z.object({
  ...rules,
  price: dollarsInCents('Price is Required').pipe(sellingPrice),
  priceBreaks: priceBreaksField,
  attributes: attributesField,
  pictures: picturesField,
  sale: saleField,
})
export type NewInstrument = z.output<typeof NewInstrument>

/** In the order of the form, in which errors are listed. `price` as a person types it. */
const formOf = <Stock extends z.ZodRawShape>(stock: Stock) =>
  z.object({
    ...pick(rules, ['name', 'family']),
    price: typedDollarsInCents('Price is Required').pipe(sellingPrice),
    ...{ minQuantity: rules.minQuantity, ...stock },
    ...{ img: rules.img, ...saleFields, ...pictureRows, ...pick(rules, descriptiveKeys) },
    ...{ ...attributeRows, ...breakRows, lowStock: rules.lowStock },
  })

export const NewInstrumentForm = formOf(pick(rules, ['availableQuantity']))

const NewProductForm = NewInstrumentForm.extend({ submissionId: submissionIdField.optional() })

/** Reads the rows of lists, and the sale. */
const readForm = <Form extends Parameters<typeof readBreakRows>[0] & Parameters<typeof readSaleFields>[0]>(
  form: z.ZodType<Form>,
) => form.transform(readBreakRows).transform(readAttributeRows).transform(readSaleFields)

export const NewProduct = readForm(NewProductForm)
/** A file may be the first picture. */
const withoutImage = { img: imageAddress.optional() }
const NewProductWithFile = readForm(NewProductForm.extend(withoutImage))
export const newProductForm = (hasFile: boolean) => (hasFile ? NewProductWithFile : NewProduct)

/** `now`: milliseconds since 1970, when a sale without a first day begins. */
export function toDetails(input: Omit<NewInstrument, 'availableQuantity'>, now: number): InstrumentDetails {
  const { img, price: priceCents, priceBreaks = [], attributes = [], pictures = [], sale } = input
  return {
    ...editedValues(input),
    ...{ priceCents, priceBreaks, attributes, ...saleDetails(sale, now), ...placePictures(img, pictures) },
  }
}

const priceKeys = ['priceCents', 'priceBreaks', 'saleCents', 'saleFromAt', 'saleUntilAt'] as const
/** Of `InstrumentDetails`. */
export const detailKeys = [...editedKeys, ...priceKeys, ...(['attributes', 'alt', 'pictures'] as const)]

/** A long text is never null. */
function editedValues(input: Pick<NewInstrument, EditedKey>): Pick<InstrumentDetails, EditedKey> {
  const values = editedKeys.map((key) => [key, input[key] ?? (fieldOf(key).type === 'text' ? '' : null)])
  return Object.fromEntries(values) as Pick<InstrumentDetails, EditedKey>
}

function breaksText({ priceBreaks }: InstrumentDetails): string {
  return priceBreaks.map(({ from, priceCents }) => `from ${from} ${formatCents(priceCents)}`).join(', ') || 'none'
}

function saleText({ saleCents, saleFromAt, saleUntilAt }: InstrumentDetails): string {
  if (saleCents === null) return 'none'
  return `${formatCents(saleCents)} from ${formatDay(inFirstDay(saleFromAt!))} to ${formatDay(inLastDay(saleUntilAt!))}`
}

/** Price breaks and the specification are lists, all other details plain values. */
function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Such as `price $10.00 → $12.00; brand none → "Amati"`; empty if nothing changes. */
export function describeChanges(before: InstrumentDetails, after: InstrumentDetails): string {
  const shown = (word: string, textOf: (details: InstrumentDetails) => string) =>
    textOf(before) === textOf(after) ? [] : [`${word} ${textOf(before)} → ${textOf(after)}`]
  const named = (note: string, key: keyof InstrumentDetails) => (isSameValue(before[key], after[key]) ? [] : [note])
  return [
    ...shown('price', ({ priceCents }) => formatCents(priceCents)),
    ...shown('price breaks', breaksText),
    ...shown('sale', saleText),
    ...editedKeys.flatMap((key) => {
      const { label, type } = fieldOf(key)
      if (type === 'text' || type === 'picture') return named(label.toLowerCase(), key)
      const quote = type === 'line' ? '"' : ''
      return shown(label.toLowerCase(), ({ [key]: value }) => (value === null ? 'none' : `${quote}${value}${quote}`))
    }),
    ...named('alt text', 'alt'),
    ...named('further pictures changed', 'pictures'),
    ...named(`specification ${describeAttributes(before.attributes, after.attributes)}`, 'attributes'),
  ].join('; ')
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
  requireOpenSale(deps, toDetails(input, deps.now()), null)
  const prepared = prepareInstrument(deps, actor, { ...input, ...(id && { id }) })
  try {
    await deps.db.batch(prepared.statements)
  } catch (error) {
    if (isBrokenRule(error, foreignKey)) throw familyGone(input)
    if (!submissionId || !isBrokenRule(error)) throw error
    await requireSameSubmission(deps, prepared.id, input)
    return { id: prepared.id, isRepeat: true }
  }
  deps.invalidate('catalogue')
  return { id: prepared.id, isRepeat: false }
}

/** Of an instrument's family: somebody has just deleted it. */
const foreignKey = 'FOREIGN KEY'

function familyGone({ family }: { family?: string | null | undefined }): Refusal {
  return new Refusal('invalid', '', { fields: { family: [unknownFamily(family ?? '')] } })
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
    // As of then: a sale without a first day begins on the day when it is added.
    Object.entries(toDetails(input, added.listedAt)).every(([field, value]) =>
      isSameValue(added[field as keyof typeof added], value),
    )
  if (isSame) return
  const message = 'You already added a product with this form. Send it again to add another.'
  throw new Refusal('conflict', message, { isUsed: true })
}

export function prepareInstrument({ db, now }: Deps, actor: string, input: NewInstrument & { id?: string }) {
  const id = input.id ?? newId()
  const at = now()
  const details = toDetails(input, at)
  const insert = db.insert(instruments).values({
    id,
    slug: freeSlug(input.name, id),
    ...details,
    priorCents: firstPriorCents(details, at),
    nameKey: nameKeyOf(input.name),
    listedAt: at,
  })
  const count = db.insert(auditLog).values({
    at,
    event: 'stock counted',
    actor,
    instrumentId: id,
    stockDelta: input.availableQuantity,
    note: 'opening stock',
  })
  return { id, statements: [insert, count, ...addToSearch(db, eq(instruments.id, id))] as const }
}

/** The slug of the name, or of the name and the id if it is taken. */
function freeSlug(name: string, id: string): SQL {
  const slug = slugOf(name)
  if (slug === '') return sql`${id}`
  return sql`CASE WHEN EXISTS (SELECT 1 FROM instruments AS other WHERE other.slug = ${slug}) THEN ${`${slug}-${id}`} ELSE ${slug} END`
}

const wholeQuantity = 'Enter a whole number, like 12 or -3'

/** Stock changes by a difference: an absolute number would overwrite the orders placed since the form was opened. */
export const InstrumentUpdateForm = formOf({
  stockChange: z
    .number({ error: wholeQuantity })
    .int({ error: wholeQuantity })
    .min(-1_000_000, { error: wholeQuantity })
    .max(1_000_000, { error: wholeQuantity })
    .default(0),
  stockNote: optional(singleLine({ label: 'Reason', required: 'Give a reason for the change', max: 200 })),
}).extend({ version: z.number().int().optional() })

export const InstrumentUpdate = readForm(InstrumentUpdateForm)
const InstrumentUpdateWithFile = readForm(InstrumentUpdateForm.extend(withoutImage))
export const instrumentUpdateForm = (hasFile: boolean) => (hasFile ? InstrumentUpdateWithFile : InstrumentUpdate)
export type InstrumentUpdate = z.output<typeof InstrumentUpdate>

/** What is wrong with a stock change. */
export const stockErrors = {
  noReason: 'Give a reason for the change',
  tooFew: (left: number) => `You can remove at most ${left}.`,
  tooMany: 'Stock can be at most 1,000,000 pieces, unpaid orders included',
}

/**
 * Updates an instrument and records the change in the audit log; existing orders keep their name and price (R12).
 * Refuses a deleted instrument or one changed since the form was opened, a stock change without a reason or below zero,
 * and more than 1,000,000 pieces together with unpaid orders. Returns the price to go back to where it changed without its breaks.
 */
export async function updateInstrument(
  deps: Deps,
  admin: { id: string },
  id: string,
  change: InstrumentUpdate,
): Promise<FormerPrice | null> {
  const { db, now } = deps
  const { stockChange, stockNote } = change
  if (stockChange !== 0 && !stockNote) {
    throw new Refusal('invalid', '', { fields: { stockNote: [stockErrors.noReason] } })
  }
  const before = await findManagedInstrument(deps, id)
  if (!before) throw notForSale()
  if ((change.version ?? before.version) !== before.version) throw editConflict()
  const at = now()
  const details = keepMoments(toDetails(change, at), before)
  requireOpenSale(deps, details, before)
  const note = describeChanges(before, details)
  // `changes() = 1`: only if the previous statement of the batch changed the row.
  const logEvent = (event: string, delta: number, note: string) =>
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
      SELECT ${at}, ${event}, ${admin.id}, id, ${delta}, ${note} FROM instruments WHERE id = ${id} AND changes() = 1`)
  // SQLite writes an index for each column that is named, changed or not.
  const changed: Partial<InstrumentDetails> = Object.fromEntries(
    Object.entries(details).filter(([key, value]) => !isSameValue(before[key as keyof typeof before], value)),
  )
  const { priceCents, saleCents, saleFromAt, saleUntilAt } = details
  const priced = sql`(SELECT ${id} AS id, ${priceCents} AS price_cents, ${saleCents} AS sale_cents, ${saleFromAt} AS sale_from_at,
    ${saleUntilAt} AS sale_until_at)`
  const update = db
    .update(instruments)
    .set({
      ...changed,
      ...(changed.name !== undefined && { nameKey: nameKeyOf(changed.name) }),
      priorCents: priorCents(at, priced),
      version: before.version + (note ? 1 : 0),
    })
    .where(
      and(
        eq(instruments.id, id),
        managed,
        eq(instruments.version, before.version),
        sql`(${stockChange} <= 0 OR ${fitsStock(stockChange)})`,
      ),
    )
  try {
    const [, , updated] = await db.batch([
      ...keepPrices(deps, at, priced),
      update,
      ...(note ? [logEvent('instrument changed', 0, note)] : []),
      ...(stockChange === 0 ? [] : [logEvent('stock counted', stockChange, stockNote ?? '')]),
      ...(hasNewWords(before, details) ? indexInstruments(db, eq(instruments.id, id)) : []),
    ])
    if (updated.rowsAffected === 1) {
      deps.invalidate('catalogue')
      return formerPrice(before, details)
    }
  } catch (error) {
    if (isBrokenRule(error, foreignKey)) throw familyGone(change)
    if (!isBrokenRule(error)) throw error
    throw new Refusal('invalid', '', { fields: { stockChange: [await tooFewOf(deps, id)] } })
  }
  const after = await findManagedInstrument(deps, id)
  if (!after) throw notForSale()
  if (after.version !== before.version) throw editConflict()
  throw new Refusal('invalid', '', { fields: { stockChange: [stockErrors.tooMany] } })
}

/** Without the pieces of an expired hold, which nobody can remove before it is released. */
async function tooFewOf({ db }: Deps, id: string): Promise<string> {
  const [row] = await db.select({ left: instruments.availableQuantity }).from(instruments).where(eq(instruments.id, id))
  return stockErrors.tooFew(row?.left ?? 0)
}

interface FormerPrice {
  priceCents: number
  /** Of the instrument after the change. */
  version: number
}

function formerPrice(before: ManagedInstrument, after: InstrumentDetails): FormerPrice | null {
  const { priceCents, priceBreaks, version } = before
  if (priceCents === after.priceCents || !isSameValue(priceBreaks, after.priceBreaks)) return null
  return { priceCents, version: version + 1 }
}

/** Counts the unpaid orders too: their stock may come back. */
export function fitsStock(pieces: number | SQL): SQL {
  return sql`instruments.available_quantity + ${pieces} + coalesce((
    SELECT sum(o.quantity) FROM orders o WHERE o.state = 'unpaid' AND o.instrument_id = instruments.id), 0) <= 1000000`
}

function editConflict(): Refusal {
  const message =
    'Someone else changed this product while you were editing it. Save again to overwrite their changes, or reload this page to see them.'
  return new Refusal('conflict', '', { fields: { version: [message] } })
}

const pieces = 'Pieces must be a whole number from 1 to 1,000,000'

export const StockChange = z.object({
  pieces: z
    .number({ error: pieces })
    .int({ error: pieces })
    .min(1, { error: pieces })
    .max(1_000_000, { error: pieces }),
  direction: z.enum(['in', 'out'], { error: 'Add the pieces, or take them out?' }),
  reason: optional(singleLine({ label: 'Reason', required: 'Reason must be text', max: 200 })),
  submissionId: submissionIdField,
})
export type StockChange = z.output<typeof StockChange>

/** What somebody has counted; `expected`: what the page said. */
export const StockCount = z.object({
  availableQuantity: rules.availableQuantity,
  expected: z.number().int(),
  submissionId: submissionIdField,
})

/**
 * Adds pieces to the stock or takes them out, and nothing else: changes made at the same time add up. Idempotent by
 * `submissionId` and input (R43). Refuses a deleted instrument, a stock below zero, more than 1,000,000 pieces
 * together with unpaid orders, another stock than `expected`, and an instrument that is not as `seen`.
 */
export async function changeStock(
  deps: Deps,
  admin: { id: string },
  id: string,
  { pieces, direction, reason, submissionId, expected, seen }: StockChange & { expected?: number; seen?: Seen },
): Promise<{ isRepeat: boolean }> {
  const { db, now, invalidate } = deps
  const delta = direction === 'in' ? pieces : -pieces
  const at = now()
  const isAsExpected = and(
    expected === undefined ? undefined : sql`${availableAt(at)} = ${expected}`,
    isAsSeen(seen, at),
  )
  const key = await idOf(
    JSON.stringify(['stock', admin.id, submissionId, id, delta, reason, ...[expected ?? []].flat()]),
  )
  const counted = await db
    .run(
      sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note, submission_id)
      SELECT ${at}, 'stock counted', ${admin.id}, id, ${delta}, ${reason ?? ''}, ${key} FROM instruments
      WHERE id = ${id} AND ${managed} AND ${isAsExpected} AND (${delta} <= 0 OR ${fitsStock(delta)})`,
    )
    .catch((error: unknown) => {
      if (!isBrokenRule(error)) throw error
      return { rowsAffected: 0 }
    })
  if (counted.rowsAffected > 0) {
    invalidate('catalogue')
    return { isRepeat: false }
  }
  const earlier = await db.select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.submissionId, key))
  if (earlier.length > 0) return { isRepeat: true }
  const left = (await findManagedInstrument(deps, id))?.availableQuantity
  if (left === undefined) throw notForSale()
  await requireAsSeen(deps, id, seen)
  if (expected !== undefined && left !== expected) throw otherStock(left)
  const why = direction === 'in' ? stockErrors.tooMany : await tooFewOf(deps, id)
  throw new Refusal('invalid', '', { fields: { pieces: [why] } })
}

/**
 * Sets the stock to what somebody has counted: as `changeStock` by the difference to `expected`, what the stock was for whoever counted. Refuses
 * another stock, such as after an order in between, and what is not as `seen`, also where nothing would change. False: nothing changed.
 */
export async function setStock(
  deps: Deps,
  admin: { id: string },
  id: string,
  {
    quantity,
    expected,
    ...rest
  }: { quantity: number; expected: number; reason: string; submissionId: string; seen?: Seen },
): Promise<boolean> {
  if (quantity !== expected) {
    const direction = quantity > expected ? 'in' : 'out'
    await changeStock(deps, admin, id, { ...rest, pieces: Math.abs(quantity - expected), direction, expected })
    return true
  }
  const left = (await findManagedInstrument(deps, id))?.availableQuantity
  if (left === undefined) throw notForSale()
  await requireAsSeen(deps, id, rest.seen)
  if (left !== expected) throw otherStock(left)
  return false
}

/** Says why nothing was written: the statement has compared it. */
async function requireAsSeen({ db, now }: Deps, id: string, seen: Seen): Promise<void> {
  if (seen === undefined) return
  if ((await db.$count(instruments, and(eq(instruments.id, id), isAsSeen(seen, now())))) === 0) throw changedSinceSeen()
}

function otherStock(left: number): Refusal {
  return new Refusal('conflict', `The stock is ${left} now.`, { fields: { expected: [`It is ${left} now`] } })
}

const hiding = (isHidden: boolean, at: number) =>
  isHidden ? { removedAt: at, hidden: 1 } : { removedAt: null, hidden: 0 }

/** A deleted instrument can be neither hidden nor shown. */
const canSetVisibility = (isHidden: boolean) => (isHidden ? onSale : eq(instruments.hidden, 1))

/**
 * Hides an instrument from everybody but admins, or shows it again. It cannot be ordered while it is hidden; its unpaid
 * orders can still be paid. Returns false where it was so before. Idempotent; refuses a deleted instrument.
 */
export async function setHidden(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  id: string,
  isHidden: boolean,
): Promise<boolean> {
  const at = now()
  const [found, changed] = await db.batch([
    db
      .select({ id: instruments.id })
      .from(instruments)
      .where(and(eq(instruments.id, id), managed)),
    db
      .update(instruments)
      .set(hiding(isHidden, at))
      .where(and(eq(instruments.id, id), canSetVisibility(isHidden))),
    // `changes() = 1`: only if the update changed the row.
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id)
      SELECT ${at}, ${isHidden ? 'instrument hidden' : 'instrument shown'}, ${admin.id}, ${id} WHERE changes() = 1`),
    ...indexInstruments(db, eq(instruments.id, id)),
  ])
  if (found.length === 0) throw notForSale()
  invalidate('catalogue')
  return changed.rowsAffected > 0
}

/** As `setHidden`, for several. Returns those that it changed; the others of `ids` stay as they are. Idempotent. */
export async function setAllHidden(
  { db, now, invalidate }: Deps,
  admin: { id: string },
  ids: string[],
  isHidden: boolean,
): Promise<string[]> {
  const at = now()
  const which = and(inArray(instruments.id, ids), canSetVisibility(isHidden))!
  const [, changed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id)
      SELECT ${at}, ${isHidden ? 'instrument hidden' : 'instrument shown'}, ${admin.id}, id FROM instruments WHERE ${which}`),
    db.update(instruments).set(hiding(isHidden, at)).where(which).returning({ id: instruments.id }),
    ...indexInstruments(db, inArray(instruments.id, ids)),
  ])
  if (changed.length > 0) invalidate('catalogue')
  return changed.map((instrument) => instrument.id)
}

/**
 * Takes an instrument off sale for good, hidden or not (spec section 4). Its row stays, so that its orders can be paid
 * and shipped (R12).
 */
export async function removeInstrument({ db, now, invalidate }: Deps, actor: string, id: string): Promise<void> {
  const at = now()
  const [removed] = await db.batch([
    db
      .update(instruments)
      .set({ removedAt: at, hidden: 0 })
      .where(and(eq(instruments.id, id), managed)),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id)
      SELECT ${at}, 'instrument removed', ${actor}, ${id} WHERE changes() = 1`),
    ...indexInstruments(db, eq(instruments.id, id)),
  ])
  if (removed.rowsAffected === 0) throw notForSale()
  invalidate('catalogue')
}

function notForSale(): Refusal {
  return new Refusal('not-found', 'This product is no longer on sale.')
}
