import { sql } from 'drizzle-orm'
import type { Db } from '../../app/db/open.server'
import { dayIn, monthIn } from '../../app/store/shared/dates.server'

/** Daily and monthly sales, and customers, against the paid orders and their refunds, in one transaction and when the log has been read. */
export async function verifySales(db: Db, find: (finding: string) => void): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const [[log], days, months, customers] = await db.batch([
      db.all<{ isUnread: number }>(
        sql`SELECT EXISTS (
          SELECT 1 FROM audit_log WHERE id > (SELECT read_id FROM log_readers WHERE name = 'sales figures')
            AND event IN ('order paid', 'refund owed', 'refund made', 'refund failed')) AS isUnread`,
      ),
      findWrongDays(db),
      findWrongMonths(db),
      findWrongCustomers(db),
    ])
    if (log?.isUnread === 0) {
      for (const { when, found, expected } of [...days, ...months])
        find(`sales of ${when}: they are ${found}, and by the paid orders ${expected}`)
      for (const { whose, found, expected } of customers)
        find(`customers ${whose}: they are ${found}, and by the paid orders ${expected}`)
      return
    }
    // Its reader is milliseconds behind while people buy.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  find('sales: not checked, the shop has not read its audit log to the end: start it, and verify again')
}

function findWrongDays(db: Db) {
  return db.all<{ when: string; found: string; expected: string }>(sql`
    SELECT date(86400 * coalesce(daily_sales.day, paid.day), 'unixepoch') AS "when",
      coalesce(daily_sales.orders, 0) || ' orders, ' || coalesce(daily_sales.revenue_cents, 0) || ' cents' AS found,
      coalesce(paid.orders, 0) || ' orders, ' || coalesce(paid.cents, 0) || ' cents' AS expected
    FROM daily_sales FULL JOIN (
      SELECT ${dayIn('paid_at')} AS day, count(*) AS orders, sum(total_cents) AS cents FROM orders WHERE paid_at IS NOT NULL GROUP BY 1
    ) AS paid ON paid.day = daily_sales.day
    WHERE (daily_sales.orders, daily_sales.revenue_cents) IS NOT (paid.orders, paid.cents)`)
}

/** Of a month, and the month in which each customer was counted as returning (decision 52). */
function findWrongCustomers(db: Db) {
  const sums = (alias: string) =>
    sql.raw(`coalesce(${alias}.new_customers, 0) || ' new, '
    || coalesce(${alias}.returning_customers, 0) || ' returning'`)
  const last = (alias: string) =>
    sql.raw(`CASE ${alias}.last_month WHEN '' THEN 'new'
    ELSE coalesce('returning in ' || ${alias}.last_month, 'no customers') END`)
  return db.all<{ whose: string; found: string; expected: string }>(sql`
    WITH paid AS MATERIALIZED (
      SELECT customer_id, ${monthIn('paid_at')} AS month,
        row_number() OVER (PARTITION BY customer_id ORDER BY paid_at) AS nth
      FROM orders WHERE paid_at IS NOT NULL)
    SELECT 'of ' || coalesce(stored.month, counted.month) AS whose, ${sums('stored')} AS found, ${sums('counted')} AS expected
    FROM monthly_customers AS stored FULL JOIN (
      SELECT month, sum(nth = 1) AS new_customers, count(DISTINCT iif(nth > 1, customer_id, NULL)) AS returning_customers
      FROM paid GROUP BY 1
    ) AS counted ON counted.month = stored.month
    WHERE ${sums('stored')} <> ${sums('counted')}
    UNION ALL SELECT 'with the id ' || coalesce(stored.customer_id, counted.customer_id), ${last('stored')}, ${last('counted')}
    FROM buyers AS stored FULL JOIN (
      SELECT customer_id, coalesce(max(iif(nth > 1, month, NULL)), '') AS last_month FROM paid GROUP BY 1
    ) AS counted ON counted.customer_id = stored.customer_id
    WHERE stored.last_month IS NOT counted.last_month`)
}

/** Of an instrument. A refund that failed leaves a row of zeros, which is none. */
function findWrongMonths(db: Db) {
  const words = (alias: string) => {
    const sum = (column: string) => sql.raw(`coalesce(${alias}.${column}, 0)`)
    return sql`${sum('orders')} || ' orders, ' || ${sum('pieces')} || ' pieces, ' || ${sum('revenue_cents')} || ' cents, '
      || ${sum('refunded_cents')} || ' refunded, ' || ${sum('discount_cents')} || ' off'`
  }
  return db.all<{ when: string; found: string; expected: string }>(sql`
    SELECT coalesce(stored.month, counted.month) || ' of ' || coalesce(stored.instrument_id, counted.instrument_id) AS "when",
      ${words('stored')} AS found, ${words('counted')} AS expected
    FROM (SELECT * FROM monthly_sales WHERE (orders, pieces, revenue_cents, refunded_cents, discount_cents) <> (0, 0, 0, 0, 0)) AS stored FULL JOIN (
      SELECT month, instrument_id, sum(orders) AS orders, sum(pieces) AS pieces, sum(revenue_cents) AS revenue_cents,
        sum(refunded_cents) AS refunded_cents, sum(discount_cents) AS discount_cents
      FROM (
        SELECT ${monthIn('paid_at')} AS month, instrument_id, 1 AS orders, quantity AS pieces,
          total_cents AS revenue_cents, 0 AS refunded_cents, coalesce(discount_cents, 0) AS discount_cents
          FROM orders WHERE paid_at IS NOT NULL
        UNION ALL SELECT ${monthIn('order_refunds.created_at')}, instrument_id, 0, 0, 0, amount_cents, 0
          FROM order_refunds JOIN orders ON orders.id = order_id WHERE failed_at IS NULL
      ) GROUP BY 1, 2
    ) AS counted ON counted.month = stored.month AND counted.instrument_id = stored.instrument_id
    WHERE ${words('stored')} <> ${words('counted')}`)
}
