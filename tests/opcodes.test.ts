import { sql } from 'drizzle-orm'
import { nextOrderNumber } from '../app/store/orders/orders.server'
import { expect, test } from './support/store'
import { priorCents } from '../app/store/catalog/prior-price.server'

const priced = sql`(SELECT 'i' AS id, 2 AS price_cents, NULL AS sale_cents, NULL AS sale_from_at, NULL AS sale_until_at)`

/**
 * `EXPLAIN` lists the opcodes of the statement and then those of each trigger program that it calls, and that these call: what SQLite compiles
 * each time that it runs.
 */
test.for([
  [
    'placing an order',
    1_050,
    sql`INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents, customer_name,
        customer_email, customer_address, customer_phone, created_at, moved_by)
      VALUES ('o', ${nextOrderNumber}, 'c', 'i', 's', 'Violin', 100, 1, 100, 'Ada', 'ada@example.com', 'a', 'p', 1, 'c')`,
  ],
  ['paying it', 920, sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = 'pi' WHERE id = 'o'`],
  [
    'saving a price',
    250,
    sql`UPDATE instruments SET price_cents = 2, prior_cents = ${priorCents(3, priced)}, version = version + 1 WHERE id = 'i'`,
  ],
] as const)('%s compiles at most %i opcodes', async ([, most, statement], { shop, annotate }) => {
  shop.skipInvariants('an EXPLAIN stays open on the connection')
  const opcodes = await shop.deps.db.all(sql`EXPLAIN ${statement}`)
  await annotate(`${opcodes.length} opcodes`)
  expect(opcodes.length).toBeLessThanOrEqual(most)
})
