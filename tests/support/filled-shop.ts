import { sql } from 'drizzle-orm'
import type { Customer, Fixture } from './fixture'
import { indexAll } from './search'

const day = 24 * 60 * 60 * 1000

/** Inserts `rows` rows into each table; `customer` has a quarter of the orders, the returned instrument half. */
export async function fill(shop: Fixture, customer: Customer, rows: number): Promise<string> {
  const popular = await shop.sells({ name: 'Popular Violin', price: 100_00, stock: rows * 2 })
  const now = Date.now()
  const many = `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${rows})`
  for (const statement of [
    `INSERT INTO users (id, email, name, created_at)
      SELECT 'u' || n, 'u' || n || '@example.com', 'Somebody', ${now - day} + n FROM many`,
    `INSERT INTO passwords (user_id, hash, changed_at) SELECT 'u' || n, 'none', ${now} FROM many`,
    `INSERT INTO identities (issuer, subject, user_id, created_at) SELECT 'https://elsewhere.example', n, 'u' || n, ${now} FROM many`,
    `INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at)
      SELECT 's' || n, 'u' || n, ${now}, ${now}, ${now + day} FROM many`,
    `INSERT INTO access_tokens (token_hash, session_hash, created_at, expires_at)
      SELECT 't' || n, 's' || n, ${now}, ${now + day} FROM many`,
    `INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at)
      SELECT 'm' || n, 'u' || n, 'verify-email', ${now}, ${now + day} FROM many`,
    `INSERT INTO rate_limits (key, until, count) SELECT 'sign-in:' || n, ${now + day}, 1 FROM many`,
    `INSERT INTO webhook_events (id, type, received_at) SELECT 'evt_' || n, 'charge.succeeded', ${now} FROM many`,
    `INSERT INTO contact_messages (id, name, email, message, copy, created_at)
      SELECT n, 'Somebody', 'u' || n || '@example.com', 'Hello', 0, ${now} + n FROM many`,
    `INSERT INTO reviews (id, user_id, name, img, description, created_at)
      SELECT 'r' || n, 'u' || n, 'Somebody', '/art/avatar.svg', 'Fine', ${now - day} + n FROM many`,
    `INSERT INTO instruments (id, name, family_slug, img, price_cents, min_quantity, listed_at)
      SELECT 'i' || n, 'Violin no. ' || n, iif(n % 9, 'strings', 'brass'), '/plates/oboe.svg', 10000, 1, ${now} + n FROM many`,
    `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta)
      SELECT ${now}, 'stock counted', 'test', 'i' || n, 9 FROM many`,
    `INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, hold_until, moved_by)
      SELECT 'o' || n, (SELECT number FROM next_order_number) + n - 1, iif(n % 4, 'u' || n, '${customer.id}'), iif(n % 2, '${popular}', 'i' || n), 'submission-' || n, 'Violin', 10000, 1,
        10000, 'Somebody', 'u' || n || '@example.com', '1 Bow Lane', '07700 900123', ${now - 9 * day} + n,
        iif(n % 100 = 5, ${now - day}, ${now + day}), 'test' FROM many`,
    `INSERT INTO sellers (name, address, vat_rate, created_at) VALUES ('Cadenza', '1 Bow Lane', 0, 1)`,
    `INSERT INTO payment_attempts (order_id, attempt, kind, state, provider_id, created_at, expires_at, ask_at)
      SELECT id, 1, 'checkout', 'closed', 'cs_' || id, ${now}, ${now}, 0 FROM orders`,
    `UPDATE orders SET state = 'cancelled', cancelled_at = ${now} WHERE substr(id, -1) IN ('1', '6')`,
    `UPDATE orders SET state = 'paid', paid_at = ${now}, transaction_id = 'pi_' || id
      WHERE substr(id, -1) IN ('2', '3', '4', '7', '8', '9')`,
    `UPDATE orders SET state = 'shipped', shipped_at = ${now} WHERE substr(id, -1) IN ('3', '4', '8', '9')`,
    `INSERT INTO audit_log (at, event, actor, order_id, note)
      SELECT ${now}, 'refund owed', 'stripe', id, 'pi_late_' || id FROM orders WHERE state = 'cancelled'`,
    `INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at)
      SELECT 'pi_late_' || id, id, 10000, ${now} FROM orders WHERE state = 'cancelled'`,
    `UPDATE refunds SET refund_id = 're_' || order_id, made_at = ${now}`,
    `INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at, refund_id, made_at)
      SELECT 'rf' || id, id, 'rf' || id, 100, 'Dent', 'test', ${now}, 're_' || id, ${now} FROM orders WHERE state = 'shipped'`,
    `INSERT INTO quotes (id, customer_id, instrument_id, submission_id, wanted_quantity, created_at)
      SELECT 'q' || n, iif(n % 4, 'u' || n, '${customer.id}'), 'i' || n, 'q' || n, 2, ${now - day} + n FROM many`,
    `UPDATE quotes SET state = 'offered', quantity = 2, unit_price_cents = 9000, valid_until = ${now + day}, answered_at = ${now},
      answered_by = (SELECT id FROM users WHERE role = 'admin') WHERE substr(id, -1) < '6' OR customer_id = '${customer.id}'`,
    `INSERT INTO wishes (id, user_id, instrument_id, created_at, emailed_at)
      SELECT 'w' || n, 'u' || n, 'i' || n, ${now}, iif(n % 2, NULL, ${now}) FROM many`,
  ]) {
    await shop.deps.db.run(sql.raw(statement.includes(' FROM many') ? `${many} ${statement}` : statement))
  }
  await shop.readLog()
  await shop.deps.db.run(sql`UPDATE emails SET sent_at = ${now} WHERE recipient <> 'u1@example.com'`)
  await indexAll(shop.deps)
  shop.skipInvariants('thousands of rows that nobody ordered, paid or wrote')
  return popular
}
