import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/**
 * Invariant 5, for orders that accept an offer: customer, instrument, quantity and price are the offer's, the offer was made before and
 * valid then, and it makes one order.
 */
export function checkQuotes({ orders, quotes }: Facts, expect: Expect): void {
  const byId = new Map(quotes.map((quote) => [quote.id, quote]))
  const accepting = orders.filter((order) => order.quote_id !== null)
  for (const order of accepting) {
    const subject = `order ${order.id}`
    const quote = byId.get(order.quote_id!)
    expect(quote?.state === 'offered', 5, subject, `accepts ${order.quote_id}, which is no offer`)
    if (!quote) continue
    const { customer_id: customer, instrument_id: instrument, quantity, unit_price_cents: price } = quote
    expect(customer === order.customer_id, 5, subject, `accepts an offer to ${customer}`)
    expect(instrument === order.instrument_id, 5, subject, `accepts an offer of ${instrument}`)
    const isTerm = quantity === order.quantity && price === order.unit_price_cents
    const terms = `${quantity} at ${price} offered, ${order.quantity} at ${order.unit_price_cents} ordered`
    expect(isTerm, 5, subject, terms)
    const isValid = quote.answered_at! <= order.created_at && order.created_at < quote.valid_until!
    expect(isValid, 5, subject, `placed at ${order.created_at}, outside the time of its offer`)
  }
  for (const [quote, made] of grouped(accepting, (order) => order.quote_id))
    expect(made.length === 1, 5, `quote ${quote}`, `made ${made.length} orders`)
}
