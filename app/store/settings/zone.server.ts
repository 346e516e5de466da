import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { clockOf, day } from '../shared/dates'
import { dayIn, monthIn } from '../shared/dates.server'

/** Null for what is no IANA name, such as `Mars/Phobos` or `+02:00`; else the name, in its usual capitals where they are known. */
export function readTimeZone(text: string): string | null {
  if (!/^[a-z][\w+/-]{1,49}$/i.test(text)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions()
    // It has old names for some, such as Asia/Calcutta.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    return null
  }
}

/** Further ahead, the offset of then stays. In milliseconds. */
const horizon = 20 * 366 * day
const week = 7 * day

/** From when on, in milliseconds since 1970, the clocks of the zone are how many milliseconds ahead of UTC. */
export function offsetsOf(zone: string, now: number): [fromAt: number, offsetMs: number][] {
  const clock = clockOf(zone)
  const offsets: [number, number][] = [[0, clock(0)]]
  for (let at = week; at < now + horizon; at += week) {
    let [low, high] = [at - week, at]
    const offset = clock(high)
    if (offset === offsets.at(-1)![1]) continue
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000
      if (clock(middle) === offset) high = middle
      else low = middle
    }
    offsets.push([high, offset])
  }
  return offsets
}

/**
 * For the batch that stores another time zone: the offsets by which triggers count, and what they have counted by day and month, anew from all
 * orders and refunds. Former prices have a day alone, and keep it for their 30 days.
 */
export function countInZone({ db, now }: Deps, zone: string) {
  return [
    sql`DELETE FROM zone_offsets`,
    sql`INSERT INTO zone_offsets (from_at, offset_ms)
      SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(offsetsOf(zone, now()))})`,
    sql`DELETE FROM daily_sales`,
    sql`INSERT INTO daily_sales (day, orders, revenue_cents)
      SELECT ${dayIn('paid_at')}, count(*), sum(total_cents) FROM orders WHERE paid_at IS NOT NULL GROUP BY 1`,
    sql`DELETE FROM monthly_sales`,
    sql`INSERT INTO monthly_sales (month, instrument_id, orders, pieces, revenue_cents, refunded_cents, discount_cents)
      SELECT month, instrument_id, sum(orders), sum(pieces), sum(revenue), sum(refunded), sum(discount) FROM (
        SELECT ${monthIn('paid_at')} AS month, instrument_id, 1 AS orders, quantity AS pieces, total_cents AS revenue, 0 AS refunded,
          coalesce(discount_cents, 0) AS discount FROM orders WHERE paid_at IS NOT NULL
        UNION ALL SELECT ${monthIn('order_refunds.created_at')}, instrument_id, 0, 0, 0, amount_cents, 0
          FROM order_refunds JOIN orders ON orders.id = order_id WHERE failed_at IS NULL
      ) GROUP BY 1, 2`,
    sql`DELETE FROM monthly_customers`,
    sql`DELETE FROM buyers`,
    sql`INSERT INTO buyers (customer_id, last_month)
      SELECT customer_id, coalesce(max(iif(nth > 1, month, NULL)), '') FROM (${paidByCustomer}) GROUP BY 1`,
    sql`INSERT INTO monthly_customers (month, new_customers, returning_customers)
      SELECT month, sum(nth = 1), count(DISTINCT iif(nth > 1, customer_id, NULL)) FROM (${paidByCustomer}) GROUP BY 1`,
  ].map((statement) => db.run(statement))
}

const paidByCustomer = sql`SELECT customer_id, ${monthIn('paid_at')} AS month, row_number() OVER (PARTITION BY customer_id ORDER BY paid_at) AS nth
  FROM orders WHERE paid_at IS NOT NULL`
