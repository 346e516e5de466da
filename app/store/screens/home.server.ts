import type { Instrument } from '../catalog/instruments'
import { homeInstruments, selectForHome } from '../catalog/instruments.server'
import type { Deps } from '../deps'
import type { Review } from '../reviews/reviews'
import { selectNewestReviews, toReview } from '../reviews/reviews.server'

export async function readHome(deps: Deps): Promise<{ instruments: Instrument[]; reviews: Review[] }> {
  const [instruments, reviews] = await deps.db.batch([selectForHome(deps), selectNewestReviews(deps.db)])
  return { instruments: homeInstruments(instruments), reviews: reviews.map(toReview) }
}
