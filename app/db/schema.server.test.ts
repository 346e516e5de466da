import { sql, type SQL } from 'drizzle-orm'
import { expect } from 'vitest'
import { test, type Store } from '../../tests/store'

/** What the database itself says to a statement: no code of the shop stands between. */
async function says(shop: Store, statement: SQL): Promise<string> {
  try {
    await shop.deps.db.run(statement)
    return 'yes'
  } catch (error) {
    return String(error instanceof Error ? error.cause : error)
  }
}

async function anOrder(shop: Store) {
  const instrument = await shop.sells({ price: 100_00, minimum: 2, stock: 10 })
  const { id: customer } = await shop.customer()
  const insert = (quantity: number, more: { price?: number; state?: string } = {}) => {
    const price = more.price ?? 100_00
    return sql`INSERT INTO orders (id, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity,
      total_cents, customer_name, customer_email, customer_address, customer_phone, state, created_at, moved_by)
      VALUES ('o', ${customer}, ${instrument}, 's', 'Violin', ${price}, ${quantity}, ${price * quantity},
        'Ada', 'ada@example.com', '1 Bow Lane', '07700900123', ${more.state ?? 'unpaid'}, 1, 'test')`
  }
  return { instrument, insert }
}

test('every table is STRICT', async ({ shop }) => {
  const loose = await shop.deps.db.all<{ name: string }>(sql`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'`)
  expect(loose).toEqual([])
})

test('no writer can sell more than there is, less than the minimum, or at another price', async ({ shop }) => {
  const { insert, instrument } = await anOrder(shop)
  const refusal = /not on sale at this price, from this minimum, in this quantity/
  expect(await says(shop, insert(11))).toMatch(refusal)
  expect(await says(shop, insert(1))).toMatch(refusal)
  expect(await says(shop, insert(2, { price: 99_00 }))).toMatch(refusal)
  expect(await says(shop, insert(2, { state: 'paid' }))).toMatch(/begins unpaid|constraint/i)
  expect(await shop.stockOf(instrument)).toBe(10)
})

test('no writer can forget to take the stock, or to give it back', async ({ shop }) => {
  const { insert, instrument } = await anOrder(shop)
  expect(await says(shop, insert(4))).toBe('yes')
  expect(await shop.stockOf(instrument)).toBe(6)
  expect(await says(shop, sql`UPDATE orders SET state = 'cancelled', cancelled_at = 2`)).toBe('yes')
  expect(await shop.stockOf(instrument)).toBe(10)
})

test.for([
  [
    'skip from unpaid to shipped',
    `state = 'shipped', shipped_at = 2, paid_at = 2, transaction_id = 'pi'`,
    /only moves from/,
  ],
  ['be paid by nothing', `state = 'paid', paid_at = 2`, /orders_paid/],
  ['change its total', `total_cents = total_cents`, /terms of an order are never changed/],
  ['change what was ordered', `product_name = 'Another'`, /terms of an order are never changed/],
  ['change its submission', `submission_id = 'another'`, /terms of an order are never changed/],
  ['go to somebody else', `customer_id = customer_id`, /terms of an order are never changed/],
] as const)('no writer can make an order %s', async ([, change, refusal], { shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await says(shop, sql.raw(`UPDATE orders SET ${change}`))).toMatch(refusal)
})

test('no writer can delete an order', async ({ shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await says(shop, sql`DELETE FROM orders`)).toMatch(/cancelled, not deleted/)
})

test('a cancelled order stays cancelled, and a paid one keeps its payment', async ({ shop }) => {
  shop.breaks('an order is paid by a payment that never was')
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  await shop.deps.db.run(sql`UPDATE orders SET state = 'paid', paid_at = 2, transaction_id = 'pi_1'`)
  expect(await says(shop, sql`UPDATE orders SET state = 'cancelled', cancelled_at = 3`)).toMatch(/only moves/)
  expect(await says(shop, sql`UPDATE orders SET transaction_id = 'pi_2'`)).toMatch(/keeps its payment/)
})

test('the journal is only ever added to', async ({ shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await says(shop, sql`UPDATE journal SET stock_delta = 0`)).toMatch(/never changed/)
  expect(await says(shop, sql`DELETE FROM journal`)).toMatch(/never changed/)
})

test('a number that JavaScript cannot read exactly gets in nowhere', async ({ shop }) => {
  await shop.sells()
  expect(await says(shop, sql`UPDATE instruments SET price_cents = 9007199254740993`)).toMatch(/CHECK/)
  expect(await says(shop, sql`UPDATE instruments SET available_quantity = 9007199254740993`)).toMatch(/CHECK/)
  expect(await says(shop, sql`UPDATE instruments SET available_quantity = -1`)).toMatch(/CHECK/)
})
