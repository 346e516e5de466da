import { and, asc, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments, orders, quotes, users } from '../../db/schema'
import { instrumentColumns, onSale, selectInstrument } from '../catalog/instruments.server'
import type { Deps } from '../deps'
import { day, endOfDay } from '../shared/dates'
import { sellingPrice, typedDollarsInCents } from '../shared/dollars.server'
import { newId } from '../shared/ids.server'
import { maxOpenQuotes } from '../shared/limits'
import { payableError } from '../shared/money'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { dayField, multiLine, optional, submissionIdField } from '../shared/validation.server'

const belowMinimum = 'cannot be less than minimum order'
const wholeNumber = 'Order quantity must be a whole number'
const aboveLimit = 'Order quantity must be at most 1,000,000'

/** As in the order form (spec section 5), but for the stock. */
const orderQuantity = z
  .number({ error: ({ input }) => (input === undefined ? 'Order quantity is Required' : wholeNumber) })
  .refine(Number.isInteger, { error: wholeNumber })
  .min(1, { error: belowMinimum })
  .max(1_000_000, { error: aboveLimit })

const words = (max: number) => optional(multiLine({ label: 'Message', required: 'Message must be text', max }))

export const NewQuote = z.object({
  submissionId: submissionIdField,
  instrumentId: z.string({ error: 'Choose an instrument' }).max(100),
  orderQuantity,
  note: words(1000).optional(),
})
export type NewQuote = z.output<typeof NewQuote>

/** For the form: the instrument, or null if it is not on sale, and whether this customer may ask about it (`askForPrice`). */
export async function beginQuote(deps: Deps, customer: { id: string }, instrumentId: string) {
  const [[instrument = null], [user]] = await deps.db.batch([
    selectInstrument(deps, instrumentId),
    deps.db.select({ verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, customer.id)),
  ])
  return { instrument, isVerified: user?.verifiedAt != null }
}

/**
 * A customer asks for a price, also for more than the stock; the shop gets an email. Idempotent by `submissionId` (R43): the same
 * form is one request. Refuses an unverified customer, an instrument that is not on sale, less than its minimum order, and more than
 * `maxOpenQuotes` that wait for an answer.
 */
export async function askForPrice(
  { db, now, readLogSoon }: Deps,
  customer: { id: string },
  { submissionId, instrumentId, orderQuantity: quantity, note = null }: NewQuote,
): Promise<{ id: string }> {
  const from = sql`FROM users u, instruments i WHERE u.id = ${customer.id} AND i.id = ${instrumentId} AND i.removed_at IS NULL`
  const [id, at] = [newId(), now()]
  const [, , [placed], [found]] = await db.batch([
    db.run(sql`
      INSERT INTO quotes (id, customer_id, instrument_id, submission_id, wanted_quantity, note, created_at)
      SELECT ${id}, u.id, i.id, ${submissionId}, ${quantity}, ${note}, ${at} ${from}
      AND u.email_verified_at IS NOT NULL AND u.closed_at IS NULL AND ${quantity} >= i.min_quantity
      AND (SELECT count(*) FROM quotes WHERE customer_id = u.id AND state = 'asked') < ${maxOpenQuotes}
      ON CONFLICT DO NOTHING`),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note) SELECT ${at}, 'quote asked', ${customer.id}, ${id} WHERE changes() = 1`),
    db
      .select()
      .from(quotes)
      .where(and(eq(quotes.customerId, customer.id), eq(quotes.submissionId, submissionId))),
    db.all<{ isVerified: number; minQuantity: number }>(
      sql`SELECT u.email_verified_at IS NOT NULL AS isVerified, i.min_quantity AS minQuantity ${from}`,
    ),
  ])
  if (placed) {
    readLogSoon()
    const isSame = placed.instrumentId === instrumentId && placed.wantedQuantity === quantity && placed.note === note
    if (isSame) return { id: placed.id }
    const message = 'You already asked for a price with this form. Send it again to ask for another.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  if (!found) throw new Refusal('not-found', 'This instrument is not on sale.')
  if (!found.isVerified)
    throw new Refusal(
      'conflict',
      'Please verify your email first: open the link that we sent you, or ask for a new one.',
    )
  if (quantity < found.minQuantity) throw new Refusal('invalid', '', { fields: { orderQuantity: [belowMinimum] } })
  throw new Refusal('conflict', `${maxOpenQuotes} of your requests wait for an answer. Please wait for one of them.`)
}

function selectQuotes({ db, now }: Deps, only: SQL | undefined) {
  return db
    .select({
      quote: quotes,
      instrument: instrumentColumns(now()),
      isOnSale: sql<number>`${onSale}`,
      customer: { name: users.name, email: users.email },
      order: { id: orders.id, number: orders.number, state: orders.state },
    })
    .from(quotes)
    .innerJoin(instruments, eq(instruments.id, quotes.instrumentId))
    .innerJoin(users, eq(users.id, quotes.customerId))
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(only)
}

/** With its instrument as it is today, and its order if the customer has accepted it. */
export type Quote = Awaited<ReturnType<typeof selectQuotes>>[number]

/** A page of the customer's requests, newest first; `before` is the cursor. */
export async function listQuotes(
  deps: Deps,
  customer: { id: string },
  { before, limit }: { before?: string | undefined; limit: number },
) {
  const { createdAt, id } = quotes
  const rows = await selectQuotes(
    deps,
    and(eq(quotes.customerId, customer.id), afterCursor([createdAt, id], '<', before)),
  )
    .orderBy(desc(createdAt), desc(id))
    .limit(rowsFor(limit))
  return quotesPage(rows, limit)
}

/** For admins: the requests that wait, oldest first, or the answered ones, newest first; `after` is the cursor. */
export async function listAllQuotes(
  deps: Deps,
  { after, limit, isAnswered }: { after?: string | undefined; limit: number; isAnswered: boolean },
) {
  const { state, createdAt, id } = quotes
  const order = isAnswered ? desc : asc
  // Literals, not bound parameters: otherwise SQLite cannot use the partial indexes.
  const inList = isAnswered ? sql`${state} <> 'asked'` : sql`${state} = 'asked'`
  const rows = await selectQuotes(deps, and(inList, afterCursor([createdAt, id], isAnswered ? '<' : '>', after)))
    .orderBy(order(createdAt), order(id))
    .limit(rowsFor(limit))
  return quotesPage(rows, limit)
}

function quotesPage(rows: Quote[], limit: number) {
  const { page, next } = pageOf(
    rows.map((row) => ({ ...row, id: row.quote.id })),
    limit,
  )
  return { quotes: page, next }
}

/** `customer` null: for admins, who read each; else null for another's. */
export async function findQuote(deps: Deps, customer: { id: string } | null, id: string): Promise<Quote | null> {
  const [quote] = await selectQuote(deps, customer, id)
  return quote ?? null
}

export function selectQuote(deps: Deps, customer: { id: string } | null, id: string) {
  return selectQuotes(deps, and(eq(quotes.id, id), customer ? eq(quotes.customerId, customer.id) : undefined))
}

export const Offer = z.object({
  price: typedDollarsInCents('Unit price is Required', 'Unit price').pipe(sellingPrice),
  orderQuantity,
  /** The offer holds until the end of this day of the shop: in milliseconds, the beginning of the next one. */
  validUntil: dayField('Valid until is Required').transform(endOfDay),
  reply: words(1000).optional(),
})
export type Offer = z.output<typeof Offer>

/** Warns before an offer of more than the stock is sent: it can be accepted only once there are enough. Refuses by the field. */
export async function warnAboveStock(deps: Deps, id: string, { orderQuantity }: Pick<Offer, 'orderQuantity'>) {
  const found = await findQuote(deps, null, id)
  const { availableQuantity = 0, minQuantity = 0 } = found?.instrument ?? {}
  if (found?.quote.state !== 'asked' || orderQuantity <= availableQuantity) return
  const instead =
    availableQuantity >= minQuantity && availableQuantity > 0 ? `Offer ${availableQuantity}, or tick` : 'Tick'
  throw fieldError(
    'orderQuantity',
    `Only ${availableQuantity} are available: nobody can accept this offer now. ${instead} that you send it all the same`,
  )
}

/** The longest that an offer holds, in milliseconds. */
const longest = 366 * day

/**
 * Answers a request with a price in cents; the customer gets an email. Idempotent. Refuses a request that has another answer, a
 * day that is over or more than a year away, less than the minimum order, and a total that no card can pay.
 */
export async function offerPrice(deps: Deps, admin: { id: string }, id: string, offer: Offer): Promise<void> {
  const { price, orderQuantity: quantity, validUntil, reply = null } = offer
  const at = deps.now()
  if (validUntil <= at) throw fieldError('validUntil', 'Valid until must be today or later')
  if (validUntil > at + longest) throw fieldError('validUntil', 'Valid until must be within a year')
  const problem = payableError(price * quantity)
  if (problem) throw fieldError('price', problem)
  const [, [current]] = await deps.db.batch([
    deps.db
      .update(quotes)
      .set({
        ...{ state: 'offered', quantity, unitPriceCents: price, validUntil, reply },
        ...{ answeredBy: admin.id, answeredAt: at },
      })
      .where(
        and(
          eq(quotes.id, id),
          eq(quotes.state, 'asked'),
          sql`${quantity} >= (SELECT min_quantity FROM instruments WHERE id = ${quotes.instrumentId})`,
        ),
      ),
    deps.db.select().from(quotes).where(eq(quotes.id, id)),
  ])
  deps.readLogSoon()
  if (!current) throw noSuchRequest()
  if (current.state === 'asked') throw fieldError('orderQuantity', belowMinimum)
  const isSame =
    current.state === 'offered' &&
    current.quantity === quantity &&
    current.unitPriceCents === price &&
    current.validUntil === validUntil &&
    current.reply === reply
  if (!isSame) throw answered()
}

export const Decline = z.object({ reason: multiLine({ label: 'Reason', required: 'Reason is Required', max: 1000 }) })
export type Decline = z.output<typeof Decline>

/**
 * Declines a request, or withdraws the offer, with words for the customer, in an email. Idempotent. Refuses an offer that the
 * customer has accepted.
 */
export async function declineQuote(
  { db, now, readLogSoon }: Deps,
  admin: { id: string },
  id: string,
  { reason }: Decline,
): Promise<void> {
  const [, [current]] = await db
    .batch([
      db
        .update(quotes)
        .set({ state: 'declined', reply: reason, answeredBy: admin.id, answeredAt: now() })
        .where(and(eq(quotes.id, id), ne(quotes.state, 'declined'))),
      db.select().from(quotes).where(eq(quotes.id, id)),
    ])
    .catch((error: unknown) => {
      if (!isBrokenRule(error, 'an accepted offer stands')) throw error
      throw new Refusal(
        'conflict',
        'The customer has accepted this offer. You can cancel the order while it is unpaid.',
      )
    })
  readLogSoon()
  if (!current) throw noSuchRequest()
  if (current.reply !== reason) throw answered()
}

function fieldError(field: string, message: string): Refusal {
  return new Refusal('invalid', '', { fields: { [field]: [message] } })
}

function noSuchRequest(): Refusal {
  return new Refusal('not-found', 'There is no such request.')
}

function answered(): Refusal {
  return new Refusal('conflict', 'This request has another answer by now. Reload this page to see it.')
}
