import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { instruments, reviews, users } from '../../db/schema'
import { endOfDay, startOfDay } from '../shared/dates'
import type { Deps } from '../deps'
import { idOf, newId } from '../shared/ids.server'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { isBought, selectBought } from './bought.server'
import type { Rating, Review, ReviewsOfInstrument } from './reviews'
import { multiLine, submissionIdField } from '../shared/validation.server'
import { rateLimited } from '../shared/rate-limit.server'

/** The picture of a new review (spec section 3). */
const avatar = '/art/avatar.svg'

const maxPerDay = 5

const reviewColumns = {
  id: reviews.id,
  name: reviews.name,
  img: sql<string>`coalesce(${users.image}, ${reviews.img})`,
  description: reviews.description,
  reply: reviews.reply,
  rating: reviews.rating,
  instrumentId: reviews.instrumentId,
  instrumentName: sql<string | null>`CASE WHEN instruments.hidden = 0 THEN instruments.name END`,
  instrumentSlug: sql<string | null>`CASE WHEN instruments.removed_at IS NULL THEN instruments.slug END`,
  isBought: sql<number>`${isBought(reviews.userId, reviews.instrumentId)}`,
}

function selectReviews(db: Deps['db']) {
  return db
    .select(reviewColumns)
    .from(reviews)
    .leftJoin(users, eq(users.id, reviews.userId))
    .leftJoin(instruments, eq(instruments.id, reviews.instrumentId))
}

type Row = Awaited<ReturnType<typeof selectReviews>>[number]

export function toReview({ instrumentId: id, instrumentName: name, instrumentSlug: slug, ...row }: Row): Review {
  const instrument = id === null || name === null ? null : { id, name, slug }
  return { ...row, instrument, isBought: row.isBought === 1 }
}

const isVisible = isNull(reviews.hiddenAt)

/** SQL: this customer has verified their email or paid for an order. */
function isTrusted(userId: SQL | typeof reviews.userId): SQL {
  return sql`(EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND email_verified_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM orders WHERE customer_id = ${userId} AND state IN ('paid', 'shipped')))`
}

/** For the home page: only of customers who have verified their email or paid for an order. A query for a batch. */
export function selectNewestReviews(db: Deps['db']) {
  return selectReviews(db)
    .where(and(isVisible, sql`(${reviews.userId} IS NULL OR ${isTrusted(reviews.userId)})`))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(6)
}

export interface OwnReviews {
  /** Instruments that they bought and have not reviewed. */
  choices: { id: string; name: string }[]
  /** Their reviews may appear on the home page. */
  isTrusted: boolean
  /** Null: they have written none. `createdAt` in milliseconds since 1970. */
  newest: { createdAt: number; isHidden: boolean; isOnHome: boolean } | null
}

/** Where the customer's reviews appear, and what they may be about. One round trip. */
export async function readOwnReviews({ db }: Deps, { id }: { id: string }): Promise<OwnReviews> {
  const [[customer], [newest], home, choices] = await db.batch([
    db.all<{ isTrusted: number }>(sql`SELECT ${isTrusted(sql`${id}`)} AS isTrusted`),
    db
      .select({ id: reviews.id, createdAt: reviews.createdAt, hiddenAt: reviews.hiddenAt })
      .from(reviews)
      .where(eq(reviews.userId, id))
      .orderBy(desc(reviews.createdAt))
      .limit(1),
    selectNewestReviews(db),
    selectBought({ db }, { id }),
  ])
  return {
    choices,
    isTrusted: customer!.isTrusted === 1,
    newest: newest
      ? {
          createdAt: newest.createdAt,
          isHidden: newest.hiddenAt !== null,
          isOnHome: home.some((review) => review.id === newest.id),
        }
      : null,
  }
}

/** Newest first; `before` is the cursor. With `instrumentId` those about it. */
export async function listReviews(
  { db }: Deps,
  { before, limit, instrumentId }: { before?: string | undefined; limit: number; instrumentId?: string | undefined },
): Promise<{ reviews: Review[]; next: string | null }> {
  const about = instrumentId === undefined ? undefined : eq(reviews.instrumentId, instrumentId)
  const rows = await selectReviews(db)
    .where(and(isVisible, about, afterCursor([reviews.createdAt, reviews.id], '<', before)))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { reviews: page.map(toReview), next }
}

const notBought = 'Choose an instrument that you have bought'
const noStars = 'Stars must be a whole number from 1 to 5'

/** Name and picture come from the shop, never from the form (R36). */
export const NewReview = z.object({
  description: multiLine({ label: 'Review', required: 'Review is Required', max: 1000 }),
  instrumentId: z.string({ error: notBought }).min(1, { error: notBought }).max(100, { error: notBought }).optional(),
  rating: z
    .number({ error: noStars })
    .int({ error: noStars })
    .min(1, { error: noStars })
    .max(5, { error: noStars })
    .optional(),
  submissionId: submissionIdField.optional(),
})
export type NewReview = z.output<typeof NewReview>

/**
 * Adds a review under the customer's current name (spec section 3). Idempotent by `submissionId`. Refuses more than 5 reviews of a customer
 * in a day of the shop, the same `submissionId` with other input, an instrument that the customer has not bought, and a second review of one.
 */
export async function addReview(
  deps: Deps,
  customer: { id: string },
  { submissionId, ...review }: NewReview,
): Promise<{ id: string }> {
  const { description, instrumentId = null, rating = null } = review
  const id = submissionId ? await idOf(`review:${customer.id}:${submissionId}`) : newId()
  const at = deps.now()
  const today = startOfDay(at)
  const written = deps.db.run(sql`
    INSERT INTO reviews (id, user_id, name, img, description, created_at, instrument_id, rating)
    SELECT ${id}, id, name, ${avatar}, ${description}, ${at}, ${instrumentId}, ${rating} FROM users WHERE id = ${customer.id} AND closed_at IS NULL
      AND (SELECT count(*) FROM reviews WHERE user_id = ${customer.id} AND created_at >= ${today}) < ${maxPerDay}
      ${instrumentId === null ? sql`` : sql`AND ${isBought(customer.id, instrumentId)} AND NOT ${hasReviewed(customer.id, instrumentId)}`}
    ON CONFLICT (id) DO NOTHING`)
  const logged = deps.db.run(sql`
    INSERT INTO audit_log (at, event, actor, note) SELECT ${at}, 'review written', ${customer.id}, ${id} WHERE changes() = 1`)
  const [inserted] = await deps.db.batch([written, logged])
  if (inserted.rowsAffected === 1) {
    deps.invalidate('reviews')
    return { id }
  }
  await explainRefusal(deps, customer, { id, description, instrumentId, rating })
  return { id }
}

/** SQL. Also a hidden one: else hiding it would be in vain. */
function hasReviewed(userId: string, instrumentId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM reviews WHERE user_id = ${userId} AND instrument_id = ${instrumentId})`
}

interface Refused {
  id: string
  description: string
  instrumentId: string | null
  rating: number | null
}

/** Returns if it is there already. */
async function explainRefusal({ db, now }: Deps, customer: { id: string }, review: Refused): Promise<void> {
  const { id, description, instrumentId, rating } = review
  const [[before], [state]] = await db.batch([
    db.select().from(reviews).where(eq(reviews.id, id)),
    db.all<{ isBought: number; hasReviewed: number }>(sql`
      SELECT ${isBought(customer.id, instrumentId ?? '')} AS isBought, ${hasReviewed(customer.id, instrumentId ?? '')} AS hasReviewed`),
  ])
  if (before) {
    const isSame = [before.description, before.instrumentId, before.rating].every(
      (value, index) => value === [description, instrumentId, rating][index],
    )
    if (isSame) return
    const message = 'You already sent a review with this form. Send it again to add this one too.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  if (instrumentId !== null && !state!.isBought)
    throw new Refusal('invalid', '', { fields: { instrumentId: [notBought] } })
  if (instrumentId !== null && state!.hasReviewed) {
    const message = 'You have reviewed this instrument already. Choose another one, or the shop.'
    throw new Refusal('conflict', '', { fields: { instrumentId: [message] } })
  }
  const at = now()
  throw rateLimited(`You have written ${maxPerDay} reviews today.`, endOfDay(at) - at)
}

const shownOnPage = 5

/** For the page of an instrument: its newest reviews and one more, and their sums. Queries for a batch. */
export function selectReviewsOf({ db }: Pick<Deps, 'db'>, instrumentId: SQL) {
  return [
    selectReviews(db)
      .where(and(isVisible, eq(reviews.instrumentId, instrumentId)))
      .orderBy(desc(reviews.createdAt), desc(reviews.id))
      .limit(rowsFor(shownOnPage)),
    db
      .select({
        reviews: sql<number>`count(*)`,
        ratings: sql<number>`count(rating)`,
        stars: sql<number>`coalesce(sum(rating), 0)`,
      })
      .from(reviews)
      .where(and(isVisible, eq(reviews.instrumentId, instrumentId))),
  ] as const
}

/** From the rows of `selectReviewsOf`. */
export function toReviewsOf(rows: Row[], [rating]: Rating[]): ReviewsOfInstrument {
  const isEmpty = !rating || rating.reviews === 0
  return {
    rating: isEmpty ? null : rating,
    reviews: rows.slice(0, shownOnPage).map(toReview),
    hasMore: rows.length > shownOnPage,
  }
}
