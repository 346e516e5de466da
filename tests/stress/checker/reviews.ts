import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/**
 * Invariant 20: the sums of each instrument are those of its visible reviews, counted again; who reviews an instrument has paid for it, once for
 * each. Demo reviews have no author.
 */
export function checkReviews({ reviews, instrumentRatings, orders }: Facts, expect: Expect): void {
  const visible = grouped(
    reviews.filter(({ hidden_at: hidden }) => hidden === null),
    (review) => review.instrument_id,
  )
  const stored = new Map(instrumentRatings.map((row) => [row.instrument_id, row]))
  for (const id of new Set([...visible.keys(), ...stored.keys()])) {
    const its = visible.get(id) ?? []
    const stars = its.flatMap(({ rating }) => rating ?? [])
    const counted = [its.length, stars.length, stars.reduce((sum, each) => sum + each, 0)].join(', ')
    const row = stored.get(id)
    const kept = row ? [row.reviews, row.ratings, row.stars].join(', ') : '0, 0, 0'
    expect(kept === counted, 20, `instrument ${id}`, `reviews, ratings and stars are ${kept}, and counted ${counted}`)
  }
  const bought = new Set(
    orders
      .filter(({ transaction_id: transaction }) => transaction !== null)
      .map((order) => `${order.customer_id} ${order.instrument_id}`),
  )
  const seen = new Set<string>()
  for (const { id, user_id: user, instrument_id: instrument, rating } of reviews) {
    const subject = `review ${id}`
    const isWhole = rating === null || (Number.isInteger(rating) && rating >= 1 && rating <= 5)
    expect(isWhole, 20, subject, `${rating} stars`)
    if (user === null) continue
    const key = `${user} ${instrument}`
    expect(bought.has(key), 20, subject, `${user} never paid for ${instrument}`)
    expect(!seen.has(key), 20, subject, `${user} reviewed ${instrument} twice`)
    seen.add(key)
  }
}
