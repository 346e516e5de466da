/* Fills a running shop for tests at size. For the sandbox only: npm run task -- seed --instruments N --orders N --users N */
import { sql, type SQL } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { readArguments } from '../dev/arguments'
import { userSearchInsert } from '../app/store/accounts/user-search.server'
import { nextOrderNumber } from '../app/store/orders/orders.server'
import { searchInserts } from '../app/store/catalog/search/index-instruments.server'
import { databaseOf, sayFailure } from '../dev/environment'

const { values } = readArguments(
  { options: { instruments: { type: 'string' }, orders: { type: 'string' }, users: { type: 'string' } } },
  'Usage: npm run task -- seed --instruments N --orders N --users N',
)
const counts = { instruments: count('instruments'), orders: count('orders'), users: count('users') }
const database = databaseOf(process.env)
const db = openDatabase(database)
process.on('uncaughtException', (error) => {
  sayFailure(error, database)
  process.exit()
})
const prefix = Date.now().toString(36)
/** Rows in one statement, so that no request reaches the time limit. */
const batchSize = 1_000
/** The shop may have families of its own. */
const firstFamily = sql`(SELECT slug FROM families ORDER BY position LIMIT 1)`
/** Orders are spread over these last 400 days. */
const orderHistoryMs = 400 * 24 * 60 * 60 * 1000

await fill('users', counts.users, (from, to) => [
  sql`${numbers(from, to)}
    INSERT INTO users (id, email, name, created_at)
    SELECT ${prefix} || '-' || n, 'customer' || n || '.' || ${prefix} || '@example.com', 'Customer ' || n, ${Date.now()} + n FROM numbers`,
  userSearchInsert(isSeeded(from, to)),
])
await fill('instruments', counts.instruments, (from, to) => [
  sql`${numbers(from, to)}
    INSERT INTO instruments (id, name, family_slug, img, description, price_cents, min_quantity, listed_at)
    SELECT ${prefix} || '-' || n, 'Violin no. ' || n, ${firstFamily}, '/plates/violin-4-4.svg', 'One of many.', 10000 + n, 1, ${Date.now()} + n
    FROM numbers`,
  sql`${numbers(from, to)}
    INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
    SELECT ${Date.now()}, 'stock counted', 'seed', ${prefix} || '-' || n, 1000, 'opening stock' FROM numbers`,
  ...searchInserts(isSeeded(from, to)),
])
if (counts.orders > 0) await stockForOrders()
await fill('orders', counts.orders, (from, to) => [
  sql`${numbers(from, to)}
    INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT ${prefix} || '-' || n, ${nextOrderNumber} + row_number() OVER () - 1, u.id, i.id, ${prefix} || '-submission-' || n, i.name, i.price_cents, 1, i.price_cents,
      u.name, u.email, '1 Bow Lane', '07700 900123',
      ${Date.now()} - (${counts.orders} - n) * ${orderHistoryMs} / ${counts.orders}, u.id
    FROM numbers
    JOIN users u ON u.id = coalesce((SELECT id FROM users WHERE id = ${prefix} || '-' || (1 + n % CAST(${Math.max(1, counts.users)} AS INTEGER))), 'demo-ada')
    JOIN instruments i ON i.id = ${prefix} || '-for-orders'`,
  // Two of three are paid, a third of those are shipped.
  sql`UPDATE orders SET state = 'paid', paid_at = created_at, transaction_id = 'pi_' || id, moved_by = 'seed'
    WHERE id IN (${numbers(from, to)} SELECT ${prefix} || '-' || n FROM numbers WHERE n % 3 > 0)`,
  sql`UPDATE orders SET state = 'shipped', shipped_at = created_at, moved_by = 'seed'
    WHERE id IN (${numbers(from, to)} SELECT ${prefix} || '-' || n FROM numbers WHERE n % 9 = 1)`,
  // Seeded orders send no emails.
  sql`UPDATE emails SET sent_at = created_at WHERE sent_at IS NULL AND audit_log_id IN (
    SELECT id FROM audit_log WHERE order_id IN (${numbers(from, to)} SELECT ${prefix} || '-' || n FROM numbers))`,
])
process.exit()

function isSeeded(from: number, to: number): SQL {
  return sql`id IN (${numbers(from, to)} SELECT ${prefix} || '-' || n FROM numbers)`
}

async function stockForOrders(): Promise<void> {
  const id = `${prefix}-for-orders`
  await db.batch([
    db.run(sql`
      INSERT INTO instruments (id, name, family_slug, img, price_cents, min_quantity, listed_at)
      VALUES (${id}, 'Violin for many orders', ${firstFamily}, '/plates/violin-4-4.svg', 12345, 1, ${Date.now()})`),
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta, note)
      VALUES (${Date.now()}, 'stock counted', 'seed', ${id}, ${counts.orders}, 'opening stock')`),
  ])
}

async function fill(what: string, total: number, statements: (from: number, to: number) => SQL[]): Promise<void> {
  for (let from = 1; from <= total; from += batchSize) {
    const to = Math.min(total, from + batchSize - 1)
    for (const statement of statements(from, to)) await db.run(statement)
    console.log(`${what}: ${to} of ${total}`)
  }
}

function numbers(from: number, to: number): SQL {
  return sql`WITH RECURSIVE numbers(n) AS (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`
}

function count(name: 'instruments' | 'orders' | 'users'): number {
  const number = Number(values[name] ?? 0)
  if (Number.isInteger(number) && number >= 0 && number <= 1_000_000) return number
  console.error(`--${name} is a whole number up to 1,000,000, and not "${values[name]}".`)
  process.exit(2)
}
