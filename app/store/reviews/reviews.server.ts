import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { reviews, users } from '../../db/schema'
import { day } from '../dates'
import type { Deps } from '../deps'
import { idOf, newId } from '../ids.server'
import { pageOf, rowsFor } from '../pagination'
import { afterCursor } from '../pagination.server'
import { Refusal } from '../refusal'
import type { Review } from './reviews'
import { multiLine, submissionIdField } from '../validation.server'
import { rateLimited } from '../rate-limit.server'

/** The picture of a new review (spec section 3). */
const avatar = '/art/avatar.svg'

const maxPerDay = 5

const reviewColumns = {
  id: reviews.id,
  name: reviews.name,
  img: sql<string>`coalesce(${users.image}, ${reviews.img})`,
  description: reviews.description,
  reply: reviews.reply,
}

const isVisible = isNull(reviews.hiddenAt)

/** SQL: this customer has verified their email or paid for an order. */
function isTrusted(userId: SQL | typeof reviews.userId): SQL {
  return sql`(EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND email_verified_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM orders WHERE customer_id = ${userId} AND state IN ('paid', 'shipped')))`
}

/** For the home page: only of customers who have verified their email or paid for an order. A query for a batch. */
export function selectNewestReviews(db: Deps['db']) {
  return db
    .select(reviewColumns)
    .from(reviews)
    .leftJoin(users, eq(users.id, reviews.userId))
    .where(and(isVisible, sql`(${reviews.userId} IS NULL OR ${isTrusted(reviews.userId)})`))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(6)
}

export interface OwnReviews {
  /** Their reviews may appear on the home page. */
  isTrusted: boolean
  /** Null: they have written none. `createdAt` in milliseconds since 1970. */
  newest: { createdAt: number; isHidden: boolean; isOnHome: boolean } | null
}

/** Where the customer's reviews appear. One round trip. */
export async function readOwnReviews({ db }: Deps, { id }: { id: string }): Promise<OwnReviews> {
  const [[customer], [newest], home] = await db.batch([
    db.all<{ isTrusted: number }>(sql`SELECT ${isTrusted(sql`${id}`)} AS isTrusted`),
    db
      .select({ id: reviews.id, createdAt: reviews.createdAt, hiddenAt: reviews.hiddenAt })
      .from(reviews)
      .where(eq(reviews.userId, id))
      .orderBy(desc(reviews.createdAt))
      .limit(1),
    selectNewestReviews(db),
  ])
  return {
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

/** Newest first; `before` is the cursor. */
export async function listReviews(
  { db }: Deps,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ reviews: Review[]; next: string | null }> {
  const rows = await db
    .select(reviewColumns)
    .from(reviews)
    .leftJoin(users, eq(users.id, reviews.userId))
    .where(and(isVisible, afterCursor([reviews.createdAt, reviews.id], '<', before)))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { reviews: page, next }
}

/** Name and picture come from the shop, never from the form (R36). */
export const NewReview = z.object({
  description: multiLine({ label: 'Review', required: 'Review is Required', max: 1000 }),
  submissionId: submissionIdField.optional(),
})
export type NewReview = z.output<typeof NewReview>

/**
 * Adds a review under the customer's current name (spec section 3). Idempotent by `submissionId`. Refuses more than 5
 * reviews of a customer in a day (UTC), and the same `submissionId` with another text.
 */
export async function addReview(
  deps: Deps,
  customer: { id: string },
  { description, submissionId }: NewReview,
): Promise<{ id: string }> {
  const id = submissionId ? await idOf(`review:${customer.id}:${submissionId}`) : newId()
  const at = deps.now()
  const today = Math.floor(at / day) * day
  const inserted = await deps.db.run(sql`
    INSERT INTO reviews (id, user_id, name, img, description, created_at)
    SELECT ${id}, id, name, ${avatar}, ${description}, ${at} FROM users WHERE id = ${customer.id}
      AND (SELECT count(*) FROM reviews WHERE user_id = ${customer.id} AND created_at >= ${today}) < ${maxPerDay}
    ON CONFLICT (id) DO NOTHING`)
  if (inserted.rowsAffected === 1) {
    deps.invalidate('reviews')
    return { id }
  }
  const [before] = await deps.db.select({ description: reviews.description }).from(reviews).where(eq(reviews.id, id))
  if (!before) throw rateLimited(`You have written ${maxPerDay} reviews today.`, today + day - at)
  if (before.description === description) return { id }
  const message = 'You already sent a review with this form. Send it again to add this one too.'
  throw new Refusal('conflict', message, { isUsed: true })
}
