import { sql, type SQL } from 'drizzle-orm'
import { endReading, isOne, logReader } from '../log/reader.server'
import { dayIn, monthIn } from '../shared/dates.server'

/** Whether an order counts as refunded after this event about a refund. */
const counts = (event: SQL) => sql`coalesce(${event} IN ('refund owed', 'refund made'), 0)`

/** What the shop has sold by day and month, and to how many customers, for the desk. In cents. */
export const salesFigures = logReader('sales figures', (events) => {
  const paid = sql`${events} CROSS JOIN orders ON orders.id = event.order_id WHERE ${isOne('order paid')}`
  const month = monthIn('event.at')
  /** The first paid order of a customer is that of a new one, each later one that of one who comes back, in a month once. */
  const buyers = sql`
    SELECT orders.customer_id AS customer, ${month} AS month, buyers.last_month AS last,
      buyers.customer_id IS NULL AND row_number() OVER (PARTITION BY orders.customer_id ORDER BY event.id) = 1 AS isNew
    FROM ${events} CROSS JOIN orders ON orders.id = event.order_id LEFT JOIN buyers ON buyers.customer_id = orders.customer_id
    WHERE ${isOne('order paid')}`
  return [
    sql`INSERT INTO daily_sales (day, orders, revenue_cents)
      SELECT ${dayIn('event.at')}, count(*), sum(total_cents) FROM ${paid} GROUP BY 1
      ON CONFLICT (day) DO UPDATE SET orders = orders + excluded.orders, revenue_cents = revenue_cents + excluded.revenue_cents`,
    sql`INSERT INTO monthly_sales (month, instrument_id, orders, pieces, revenue_cents, refunded_cents, discount_cents)
      SELECT ${month}, orders.instrument_id, count(*), sum(quantity), sum(total_cents), 0, sum(coalesce(discount_cents, 0))
      FROM ${paid} GROUP BY 1, 2
      ON CONFLICT (month, instrument_id) DO UPDATE SET orders = orders + excluded.orders, pieces = pieces + excluded.pieces,
        revenue_cents = revenue_cents + excluded.revenue_cents, discount_cents = discount_cents + excluded.discount_cents`,
    // A refund counts from when it is owed, in the month of its request, until it fails.
    sql`INSERT INTO monthly_sales (month, instrument_id, orders, pieces, revenue_cents, refunded_cents)
      SELECT ${monthIn('refund.created_at')}, orders.instrument_id, 0, 0, 0, sum(amount_cents * (${counts(sql`event.event`)} - ${counts(
        sql`(SELECT event FROM audit_log AS earlier WHERE earlier.order_id = event.order_id AND earlier.about_id = event.about_id
          AND earlier.event IN ('refund owed', 'refund made', 'refund failed') AND earlier.id < event.id ORDER BY earlier.id DESC LIMIT 1)`,
      )}))
      FROM ${events} CROSS JOIN order_refunds AS refund ON refund.id = event.about_id CROSS JOIN orders ON orders.id = refund.order_id
      WHERE ${isOne('refund owed', 'refund made', 'refund failed')} GROUP BY 1, 2
      ON CONFLICT (month, instrument_id) DO UPDATE SET refunded_cents = refunded_cents + excluded.refunded_cents`,
    sql`INSERT INTO monthly_customers (month, new_customers, returning_customers)
      SELECT month, sum(isNew), count(DISTINCT iif(isNew OR month <= last, NULL, customer)) FROM (${buyers}) WHERE true GROUP BY 1
      ON CONFLICT (month) DO UPDATE SET new_customers = new_customers + excluded.new_customers,
        returning_customers = returning_customers + excluded.returning_customers`,
    sql`INSERT INTO buyers (customer_id, last_month)
      SELECT customer, coalesce(max(iif(isNew, NULL, month)), '') FROM (${buyers}) WHERE true GROUP BY 1
      ON CONFLICT (customer_id) DO UPDATE SET last_month = max(last_month, excluded.last_month)`,
  ]
})

/** SQL for a batch: counts them anew from the whole log. */
export const countAnew: SQL[] = [
  ...['daily_sales', 'monthly_sales', 'monthly_customers', 'buyers'].map((table) => sql.raw(`DELETE FROM ${table}`)),
  sql`UPDATE log_readers SET read_id = 0, until_id = (SELECT coalesce(max(id), 0) FROM audit_log) WHERE name = ${salesFigures.name}`,
  ...salesFigures.statements,
  endReading(sql`name = ${salesFigures.name}`),
]
