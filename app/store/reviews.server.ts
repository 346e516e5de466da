import { desc, sql } from 'drizzle-orm'
import { z } from 'zod'
import { reviews } from '../db/schema'
import type { Deps } from './deps'
import { newId } from './ids.server'
import { paragraph } from './text.server'
import { countTry } from './throttle.server'

/** The picture of every review (spec section 3): pictures of people are not asked for. */
const avatar = '/art/avatar.svg'

const mostADay = 5
const day = 24 * 60 * 60 * 1000

/** The query behind the home page's reviews, for a batch: the newest six. */
export function selectNewestReviews(db: Deps['db']) {
  return db
    .select({ id: reviews.id, name: reviews.name, img: reviews.img, description: reviews.description })
    .from(reviews)
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(6)
}

/** What a customer writes. Name and picture are the shop's to say (R36). The database holds the length too. */
export const NewReview = z.object({
  description: paragraph({ called: 'Review', required: 'Review is Required', most: 1000 }),
})
export type NewReview = z.output<typeof NewReview>

/**
 * Puts a customer's words on the home page, under the name that they have now; a later change of name leaves it (spec
 * section 3). Refuses more than 5 of one customer in a day (UTC): the home page shows six.
 */
export async function addReview(
  deps: Pick<Deps, 'db' | 'now'>,
  customer: { id: string },
  { description }: NewReview,
): Promise<{ id: string }> {
  const limit = { key: `review:account:${customer.id}`, most: mostADay, window: day }
  await countTry(deps, [limit], `You have written ${mostADay} reviews today.`)
  const id = newId()
  await deps.db.run(sql`
    INSERT INTO reviews (id, user_id, name, img, description, created_at)
    SELECT ${id}, id, name, ${avatar}, ${description}, ${deps.now()} FROM users WHERE id = ${customer.id}`)
  return { id }
}
