import { sql } from 'drizzle-orm'
import type { Deps } from '../../app/store/deps'
import { nextOrderNumber } from '../../app/store/orders/orders.server'
import { long } from './long-texts'

/** As a parameter it would be a float. */
const whole = (n: number) => sql.raw(String(n))

const day = 24 * 60 * 60 * 1000

/**
 * Adds `count` orders of the demo shop's customer: unpaid, paid, shipped, refunded in part, refunded, and cancelled ones; every fifth
 * with the longest names. Nobody placed or paid them.
 */
export async function addOrders({ db }: Pick<Deps, 'db'>, count: number): Promise<void> {
  const [first] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM orders`)
  const from = first!.n
  const begin = Date.now() - 20 * day
  const many = sql`WITH RECURSIVE many(n) AS (SELECT ${whole(from + 1)} UNION ALL SELECT n + 1 FROM many WHERE n < ${whole(from + count)})`
  const kind = (of: string, kinds: number[]) =>
    sql.raw(`${of}.id LIKE 'desk%' AND CAST(substr(${of}.id, 5) AS integer) % 10 IN (${kinds.join(', ')})`)
  for (const statement of [
    sql`INSERT INTO instruments (id, name, family_slug, img, price_cents, min_quantity, listed_at)
      VALUES ('desk', 'Concert Violin 4/4', 'strings', '/plates/violin-4-4.svg', 118000, 1, 1) ON CONFLICT DO NOTHING`,
    sql`INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta) VALUES (1, 'stock counted', 'test', 'desk', ${2 * count})`,
    sql`${many} INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
        customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
      SELECT 'desk' || n, ${nextOrderNumber} + row_number() OVER () - 1, users.id, 'desk', 'desk' || n, iif(n % 5, 'Concert Violin 4/4', ${long.product}), price_cents, 1 + n % 2,
        price_cents * (1 + n % 2), iif(n % 5, 'Aoife Kelly', ${long.customer}), users.email, '1 Bow Lane' || char(10) || 'Cork', '+353 21 555 0199',
        ${whole(begin)} + n * 1000, 'test' FROM many JOIN users ON users.email = 'ada@example.com'
        JOIN instruments ON instruments.id = 'desk'`,
    sql`INSERT INTO sellers (name, address, vat_rate, created_at) SELECT 'Cadenza', '1 Bow Lane', 0, 1 WHERE NOT EXISTS (SELECT 1 FROM sellers)`,
    sql`UPDATE orders SET state = 'paid', paid_at = created_at + 1000, transaction_id = 'pi_' || id, moved_by = 'stripe'
      WHERE state = 'unpaid' AND ${kind('orders', [0, 1, 2, 3, 5, 6, 7])}`,
    sql`UPDATE orders SET state = 'shipped', shipped_at = paid_at + 1000, moved_by = (SELECT id FROM users WHERE role = 'admin')
      WHERE state = 'paid' AND ${kind('orders', [5, 6])}`,
    sql`UPDATE orders SET state = 'cancelled', cancelled_at = created_at + 1000, moved_by = 'test' WHERE state = 'unpaid' AND ${kind('orders', [8])}`,
    sql`INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at, refund_id, made_at)
      SELECT 'rf' || id, id, 'rf' || id, iif(CAST(substr(id, 5) AS integer) % 10 = 7, total_cents, 15000), 'Dent',
        (SELECT id FROM users WHERE role = 'admin'), ${Date.now()}, 're_' || id, ${Date.now()} FROM orders
      WHERE refunded_cents = 0 AND ${kind('orders', [3, 7])}`,
  ])
    await db.run(statement)
}
