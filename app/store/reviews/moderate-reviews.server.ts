import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { instruments, reviews } from '../../db/schema'
import type { Deps } from '../deps'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { multiLine, optional, singleLine } from '../shared/validation.server'

const reviewId = z.string({ error: 'Which review?' }).max(100)

export const Moderation = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('hide'),
    reviewId,
    reason: singleLine({ label: 'Reason', required: 'Give a reason', max: 200 }),
  }),
  z.object({ intent: z.literal('show'), reviewId }),
  z.object({
    intent: z.literal('reply'),
    reviewId,
    reply: optional(multiLine({ label: 'Reply', required: 'Reply is Required', max: 1000 })),
  }),
])
export type Moderation = z.output<typeof Moderation>

/** All reviews for admins, or those with so many stars, hidden ones too, the newest first; `before` is the cursor. */
export async function listReviewsToModerate(
  { db }: Deps,
  { before, limit, stars }: { before?: string | undefined; limit: number; stars?: number | undefined },
) {
  const rows = await db
    .select({
      id: reviews.id,
      name: reviews.name,
      description: reviews.description,
      createdAt: reviews.createdAt,
      hiddenAt: reviews.hiddenAt,
      hiddenReason: reviews.hiddenReason,
      reply: reviews.reply,
      rating: reviews.rating,
      instrument: instruments.name,
    })
    .from(reviews)
    .leftJoin(instruments, eq(instruments.id, reviews.instrumentId))
    .where(
      and(
        stars === undefined ? undefined : eq(reviews.rating, stars),
        afterCursor([reviews.createdAt, reviews.id], '<', before),
      ),
    )
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { reviews: page, next }
}

export type ReviewToModerate = Awaited<ReturnType<typeof listReviewsToModerate>>['reviews'][number]

/**
 * Hides a review, shows it again, or answers it in public; an empty reply removes the answer. The audit log records
 * what changed. Does nothing if the review is so already; refuses one that does not exist.
 */
export async function moderateReview(deps: Deps, admin: { id: string }, change: Moderation): Promise<void> {
  const { db, now } = deps
  const { values, isDue, event, note } = describe(change, now())
  const isReview = eq(reviews.id, change.reviewId)
  const [found] = await db.batch([
    db.select({ id: reviews.id }).from(reviews).where(isReview),
    db.update(reviews).set(values).where(and(isReview, isDue)),
    // `changes() = 1`: only if the update changed the row.
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, ${event}, ${admin.id}, ${`${change.reviewId} ${note}`.trim()} WHERE changes() = 1`),
  ])
  if (found.length === 0) throw new Refusal('not-found', 'There is no such review.')
  deps.invalidate('reviews')
}

function describe(change: Moderation, at: number) {
  if (change.intent === 'hide') {
    const values = { hiddenAt: at, hiddenReason: change.reason }
    return { values, isDue: isNull(reviews.hiddenAt), event: 'review hidden', note: change.reason }
  }
  if (change.intent === 'show') {
    const values = { hiddenAt: null, hiddenReason: null }
    return { values, isDue: isNotNull(reviews.hiddenAt), event: 'review shown', note: '' }
  }
  const { reply } = change
  const isDue = sql`${reviews.reply} IS NOT ${reply}`
  return { values: { reply }, isDue, event: 'review answered', note: reply ?? '(answer removed)' }
}
