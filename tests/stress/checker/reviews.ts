import type { Facts } from './facts'
import type { Expect } from './violation'

/**
 * Invariant 20: who reviews an instrument has paid for it, once for each. Demo reviews have no author.
 */
export function checkReviews({ reviews, orders }: Facts, expect: Expect): void {
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
