import { desc } from 'drizzle-orm'
import { reviews } from '../db/schema'
import type { Deps } from './deps'

/** The query behind the home page's reviews, for a batch: the newest six. */
export function selectNewestReviews(db: Deps['db']) {
  return db
    .select({ id: reviews.id, name: reviews.name, img: reviews.img, description: reviews.description })
    .from(reviews)
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(6)
}
