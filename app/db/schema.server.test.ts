import { sql, type SQL } from 'drizzle-orm'
import { expect, test, type Store } from '../../tests/support/store'

/** 'yes', or the database's error. */
async function tryStatement(shop: Store, statement: SQL): Promise<string> {
  try {
    await shop.deps.db.run(statement)
    return 'yes'
  } catch (error) {
    return String(error instanceof Error ? error.cause : error)
  }
}

async function anOrder(shop: Store, sale: Parameters<Store['sells']>[0] = {}) {
  const instrument = await shop.sells({ price: 100_00, minimum: 2, stock: 10, ...sale })
  const { id: customer } = await shop.customer()
  await shop.deps.db.run(sql`UPDATE users SET email_verified_at = 0`)
  const insert = (quantity: number, more: { price?: number; state?: string } = {}) => {
    const price = more.price ?? 100_00
    return sql`INSERT INTO orders (id, number, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity,
      total_cents, customer_name, customer_email, customer_address, customer_phone, state, created_at, moved_by)
      VALUES ('o', (SELECT number FROM next_order_number), ${customer}, ${instrument}, 's', 'Violin', ${price}, ${quantity}, ${price * quantity},
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

test('rejects an order above the stock, below the minimum, or at another price', async ({ shop }) => {
  const { insert, instrument } = await anOrder(shop)
  const refusal = /not on sale at this price, from this minimum, in this quantity/
  expect(await tryStatement(shop, insert(11))).toMatch(refusal)
  expect(await tryStatement(shop, insert(1))).toMatch(refusal)
  expect(await tryStatement(shop, insert(2, { price: 99_00 }))).toMatch(refusal)
  expect(await tryStatement(shop, insert(2, { state: 'paid' }))).toMatch(/begins unpaid|constraint/i)
  expect(await shop.stockOf(instrument)).toBe(10)
})

const aBreak = (from: unknown, priceCents: unknown) => ({ from, priceCents })

test.for([
  [[], 'yes'],
  [[aBreak(3, 99_99)], 'yes'],
  [[3, 4, 5, 6, 7].map((from) => aBreak(from, 10_00 - from)), 'yes'],
  [[3, 4, 5, 6, 7, 8].map((from) => aBreak(from, 10_00 - from)), /price_breaks/],
  [[aBreak(2, 90_00)], /price_breaks/],
  [[aBreak(3, 100_00)], /price_breaks/],
  [[aBreak(3, 0)], /price_breaks/],
  [[aBreak(3, '90')], /price_breaks/],
  [[aBreak(3, null)], /price_breaks/],
  [{ a: aBreak(5, 90_00) }, /price_breaks/],
] as const)('stores the price breaks %j: %s', async ([breaks, result], { shop }) => {
  const id = await shop.sells({ price: 100_00, minimum: 2 })
  const json = JSON.stringify(breaks)
  expect(await tryStatement(shop, sql`UPDATE instruments SET price_breaks = ${json} WHERE id = ${id}`)).toMatch(result)
  const insert = sql`INSERT INTO instruments (id, name, img, price_cents, min_quantity, price_breaks, listed_at)
    VALUES ('new', 'Viola', '/v.svg', 10000, 2, ${json}, 1)`
  expect(await tryStatement(shop, insert)).toMatch(result)
})

test('rejects a price or a minimum that reaches a price break', async ({ shop }) => {
  await shop.sells({ price: 100_00, minimum: 2, priceBreaks: [{ from: 10, priceCents: 90_00 }] })
  for (const change of [sql`price_cents = 9000`, sql`min_quantity = 10`])
    expect(await tryStatement(shop, sql`UPDATE instruments SET ${change}`)).toMatch(/price_breaks/)
  expect(await tryStatement(shop, sql`UPDATE instruments SET price_cents = 9001, min_quantity = 9`)).toBe('yes')
})

test('moves the stock when an order is placed or cancelled', async ({ shop }) => {
  const { insert, instrument } = await anOrder(shop)
  expect(await tryStatement(shop, insert(4))).toBe('yes')
  expect(await shop.stockOf(instrument)).toBe(6)
  expect(await tryStatement(shop, sql`UPDATE orders SET state = 'cancelled', cancelled_at = 2`)).toBe('yes')
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
] as const)('never lets an order %s', async ([, change, refusal], { shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await tryStatement(shop, sql.raw(`UPDATE orders SET ${change}`))).toMatch(refusal)
})

test('rejects deleting an order', async ({ shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await tryStatement(shop, sql`DELETE FROM orders`)).toMatch(/cancelled, not deleted/)
})

test('rejects cancelling a paid order or changing its payment', async ({ shop }) => {
  shop.skipInvariants('an order is paid by a payment that never was')
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  await shop.deps.db.run(sql`UPDATE orders SET state = 'paid', paid_at = 2, transaction_id = 'pi_1'`)
  expect(await tryStatement(shop, sql`UPDATE orders SET state = 'cancelled', cancelled_at = 3`)).toMatch(/only moves/)
  expect(await tryStatement(shop, sql`UPDATE orders SET transaction_id = 'pi_2'`)).toMatch(/keeps its payment/)
})

test('keeps the audit log append-only', async ({ shop }) => {
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  expect(await tryStatement(shop, sql`UPDATE audit_log SET stock_delta = 0`)).toMatch(/never changed/)
  expect(await tryStatement(shop, sql`DELETE FROM audit_log`)).toMatch(/never changed/)
})

test('rejects numbers that JavaScript cannot represent', async ({ shop }) => {
  await shop.sells()
  expect(await tryStatement(shop, sql`UPDATE instruments SET price_cents = 9007199254740993`)).toMatch(/CHECK/)
  expect(await tryStatement(shop, sql`UPDATE instruments SET available_quantity = 9007199254740993`)).toMatch(/CHECK/)
  expect(await tryStatement(shop, sql`UPDATE instruments SET available_quantity = -1`)).toMatch(/CHECK/)
})

/** Tries a statement after an order of two and the statements `before`. */
async function tryAfter(shop: Store, before: string[], statement: string): Promise<string> {
  shop.skipInvariants('rows that no command has written')
  const { insert } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  for (const each of before) await shop.deps.db.run(sql.raw(each))
  return tryStatement(shop, sql.raw(statement))
}

const paid = `UPDATE orders SET state = 'paid', paid_at = 2, transaction_id = 'pi_1'`
const cancelled = `UPDATE orders SET state = 'cancelled', cancelled_at = 2`
const shipped = `UPDATE orders SET state = 'shipped', shipped_at = 3`
const floor = 'UPDATE shop_settings SET order_number_floor = 12000'
const attempt = (nth: number, state: string, id: string | null = `'pi_${nth}'`) =>
  `INSERT INTO payment_attempts (order_id, attempt, kind, state, provider_id, created_at, expires_at) VALUES ('o', ${nth}, 'intent', '${state}', ${id}, 1, 1)`
const refund = (transaction = 'pi_9', cents = 5) =>
  `INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at) VALUES ('${transaction}', 'o', ${cents}, 1)`
const made = `UPDATE refunds SET refund_id = 're_1', made_at = 2`
const undone = 'UPDATE refunds SET failed_at = 3'
/** The order costs $200. */
const part = (
  cents: number,
  { restock = 0, id = `r${cents}`, submission = id }: { restock?: number; id?: string; submission?: string } = {},
) =>
  `INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, restock, moved_by, created_at) VALUES ('${id}', 'o', '${submission}', ${cents}, 'why', ${restock}, 'bea', 4)`
const partMade = `UPDATE order_refunds SET refund_id = 're_1', made_at = 5`
const partFailed = 'UPDATE order_refunds SET failed_at = 6'

test.for<[what: string, before: string[], statement: string, result: string | RegExp]>([
  ['an unpaid order is paid', [], paid, 'yes'],
  ['a paid order is shipped', [paid], shipped, 'yes'],
  ['a customer ships nothing', [paid], `${shipped}, moved_by = customer_id`, /an admin ships/],
  ['a customer refunds nothing', [paid], part(1).replace(`'bea'`, '(SELECT id FROM users)'), /an admin ships/],
  ['an unpaid order is not shipped', [], shipped, /only moves/],
  ['a cancelled order is not paid', [cancelled], paid, /only moves/],
  [
    'a shipped order is not paid again',
    [paid, shipped],
    `UPDATE orders SET state = 'paid', shipped_at = NULL`,
    /only moves/,
  ],
  ['a shipped order is not cancelled', [paid, shipped], cancelled, /only moves/],
  ['a paid order is not paid again', [paid], `UPDATE orders SET state = 'paid'`, /only moves/],
  ['a paid order keeps when it was paid', [paid], 'UPDATE orders SET paid_at = 9', /keeps its payment/],
  ['an order keeps its price', [], 'UPDATE orders SET unit_price_cents = unit_price_cents', /terms of an order/],
  ['an order keeps its quantity', [], 'UPDATE orders SET quantity = quantity', /terms of an order/],
  ['an order keeps its instrument', [], 'UPDATE orders SET instrument_id = instrument_id', /terms of an order/],
  ['an order keeps its customer’s email', [], `UPDATE orders SET customer_email = ''`, /terms of an order/],
  ['an order keeps its age', [], 'UPDATE orders SET created_at = 0', /terms of an order/],
  ['an order keeps its id', [], `UPDATE orders SET id = 'p'`, /terms of an order/],
  ['an order keeps its hold', [], 'UPDATE orders SET hold_until = 9', /terms of an order/],
  ['a customer with orders stays', [], 'DELETE FROM users', /FOREIGN KEY/],
  ['an instrument stays', [], 'DELETE FROM instruments', /FOREIGN KEY/],
  ['an unpaid order can be paid', [], attempt(1, 'opening', null), 'yes'],
  ['a paid order cannot be paid', [paid], attempt(1, 'opening', null), /only an unpaid order can be paid/],
  ['a cancelled order cannot be paid', [cancelled], attempt(1, 'opening', null), /only an unpaid order can be paid/],
  ['one thing is payable at a time', [attempt(1, 'open')], attempt(2, 'opening', null), /UNIQUE/],
  ['another may follow a closed one', [attempt(1, 'closed')], attempt(2, 'open'), 'yes'],
  ['what is open has an id at the provider', [], attempt(1, 'open', null), /CHECK/],
  ['two attempts are not one payment', [attempt(1, 'closed')], attempt(2, 'open', `'pi_1'`), /UNIQUE/],
  ['an order with an open attempt is not cancelled', [attempt(1, 'open')], cancelled, /can still be paid/],
  ['an order with an opening attempt is not cancelled', [attempt(1, 'opening', null)], cancelled, /can still be paid/],
  ['an order with a closed attempt is cancelled', [attempt(1, 'closed')], cancelled, 'yes'],
  ['an order with an open attempt is paid', [attempt(1, 'open')], paid, 'yes'],
  ['a payment that pays an order is not sent back', [paid], refund('pi_1'), /pays an order is not refunded/],
  ['another payment is sent back', [paid], refund('pi_2'), 'yes'],
  ['nothing is sent back twice', [refund()], refund(), /UNIQUE/],
  ['a refund is of some money', [], refund('pi_9', 0), /CHECK/],
  ['a refund is made', [refund()], made, 'yes'],
  ['a refund that is made stays made', [refund(), made], `UPDATE refunds SET refund_id = 're_2'`, /never changed/],
  ['a refund that is made stays of its sum', [refund(), made], 'UPDATE refunds SET amount_cents = 9', /never changed/],
  ['a refund that is made can be noted as undone', [refund(), made], undone, 'yes'],
  ['a refund is undone once', [refund(), made, undone], 'UPDATE refunds SET failed_at = 4', /never changed/],
  ...[
    'amount_cents = 9',
    `transaction_id = 'pi_8'`,
    `refund_id = 're_2'`,
    'refund_id = NULL',
    'made_at = 9',
    'made_at = NULL',
  ].map((change): [string, string[], string, RegExp] => [
    `a refund that is undone keeps the rest (${change})`,
    [refund(), made],
    `${undone}, ${change}`,
    /never changed/,
  ]),
  ['a shipped order has a tracking link', [paid, shipped], `UPDATE orders SET tracking_url = 'https://x'`, 'yes'],
  ['a tracking link is https', [paid, shipped], `UPDATE orders SET tracking_url = 'javascript:x'`, /tracking_url/],
  ['only a shipped order has a parcel', [paid], `UPDATE orders SET carrier = 'UPS'`, /orders_shipment/],
  ['a paid order is refunded in full', [paid, part(120_00)], part(80_00), 'yes'],
  ['a shipped order is refunded', [paid, shipped], part(200_00), 'yes'],
  ['refunds are no more than was paid', [paid, part(120_00)], part(80_01), /orders_refunded/],
  ['a refund that was made counts', [paid, part(120_00), partMade], part(80_01), /orders_refunded/],
  ['a refund that failed does not count', [paid, part(120_00), partMade, partFailed], part(200_00), 'yes'],
  ['an unpaid order is not refunded', [], part(1), /orders_refunded/],
  ['a cancelled order is not refunded', [cancelled], part(1), /orders_refunded/],
  ['a refund of an order is of some money', [paid], part(0), /CHECK/],
  ['pieces go back once', [paid, part(1, { restock: 2 })], part(2, { restock: 1 }), /orders_returned/],
  ['no pieces go back by themselves', [paid, part(1)], 'UPDATE orders SET returned_quantity = 1', /add up/],
  ['the sum of the refunds is what it is', [paid, part(5)], 'UPDATE orders SET refunded_cents = 0', /add up/],
  ['a form makes one refund', [paid, part(1)], part(2, { submission: 'r1' }), /stored once/],
  [
    'a refund is not replaced',
    [paid, part(9)],
    part(1, { id: 'r9', submission: 's' }).replace('INSERT', 'REPLACE'),
    /stored once/,
  ],
  ['a refund keeps its sum', [paid, part(9)], 'UPDATE order_refunds SET amount_cents = 1', /never changed/],
  ['a refund keeps its pieces', [paid, part(9)], 'UPDATE order_refunds SET restock = 1', /never changed/],
  ['a refund is made once', [paid, part(9), partMade], `UPDATE order_refunds SET refund_id = 're_2'`, /never changed/],
  [
    'a failed refund stays failed',
    [paid, part(9), partMade, partFailed],
    'UPDATE order_refunds SET failed_at = NULL',
    /never changed/,
  ],
  [
    'an owed refund that failed is not owed again',
    [paid, part(9), partFailed],
    'UPDATE order_refunds SET failed_at = NULL',
    /never changed/,
  ],
  [
    'an owed refund that failed may have been made',
    [paid, part(9), partFailed],
    `${partMade}, failed_at = NULL`,
    'yes',
  ],
  [
    'a refund found to be made counts again',
    [paid, part(150_00), partFailed, part(60_00)],
    `${partMade}, failed_at = NULL WHERE id = 'r15000'`,
    /orders_refunded/,
  ],
  ['a refund of an order stays', [paid, part(9)], 'DELETE FROM order_refunds', /never deleted/],
  ['a removed instrument is not ordered', ['UPDATE instruments SET removed_at = 1'], insertAgain(2), /not on sale/],
  ['the same submission is one order', [], insertAgain(2), /UNIQUE/],
  ['an order keeps its number', [], 'UPDATE orders SET number = number + 1', /never changed/],
  ['an order does not lose its number', [], 'UPDATE orders SET number = NULL', /never changed/],
  ['an order has the next number', [], insertAgain(2, `'t'`), /^yes$/],
  ['an order does not leave a number out', [], insertAgain(2, `'t'`, '1003'), /numbered without a gap/],
  ['an order does not take a number again', [], insertAgain(2, `'t'`, '1001'), /numbered without a gap/],
  ['an order has a number', [], insertAgain(2, `'t'`, 'NULL'), /numbered without a gap|NOT NULL/],
  ['the first number after a restore is above the floor', [floor], insertAgain(2, `'t'`, '12001'), /^yes$/],
  ['no number after a restore is below the floor', [floor], insertAgain(2, `'t'`, '1002'), /numbered without a gap/],
])('%s', async ([, before, statement, result], { shop }) => {
  expect(await tryAfter(shop, before, statement)).toMatch(result)
})

function insertAgain(
  quantity: number,
  submission = 'submission_id',
  number = '(SELECT number FROM next_order_number)',
): string {
  const kept = `customer_id, instrument_id, product_name, customer_name, customer_email, customer_address, customer_phone, unit_price_cents, moved_by`
  return `INSERT INTO orders (id, submission_id, quantity, total_cents, state, created_at, number, ${kept})
    SELECT 'p', ${submission}, ${quantity}, unit_price_cents * ${quantity}, 'unpaid', 2, ${number}, ${kept} FROM orders`
}

test('records each order event with its actor and time, and enqueues one email each', async ({ shop }) => {
  shop.skipInvariants('a payment that never was')
  const { insert, instrument } = await anOrder(shop)
  const { db } = shop.deps
  await db.run(insert(2))
  await db.run(sql.raw(`${paid}, moved_by = 'stripe'`))
  await db.run(sql.raw(`${shipped}, moved_by = 'bea'`))
  await db.run(sql.raw(refund()))
  await db.run(sql.raw(made))
  await db.run(sql`INSERT INTO audit_log (at, event, actor, order_id) VALUES (9, 'refund owed', 'stripe', 'o')`)
  const rows = await db.all<Record<string, unknown>>(sql`
    SELECT at, event, actor, instrument_id IS NOT NULL AS named, stock_delta, note FROM audit_log WHERE order_id = 'o' ORDER BY id`)
  expect(rows.map((row) => Object.values(row))).toEqual([
    [1, 'order placed', 'test', 1, -2, ''],
    [2, 'order paid', 'stripe', 1, 0, 'pi_1'],
    [3, 'order shipped', 'bea', 1, 0, ''],
    [2, 'refund made', 'shop', 0, 0, 'pi_9'],
    [9, 'refund owed', 'stripe', 0, 0, ''],
  ])
  expect(await shop.stockOf(instrument)).toBe(8)
  await shop.readLog()
  const queued = await db.all<Record<string, unknown>>(
    sql`SELECT id, recipient, text, due_at, audit_log_id IS NOT NULL FROM emails ORDER BY audit_log_id`,
  )
  expect(queued.map((row) => Object.values(row))).toEqual([
    ['order placed:o', 'ada@example.com', '', 1, 1],
    ['order paid:o', 'ada@example.com', '', 2, 1],
    ['order shipped:o', 'ada@example.com', '', 3, 1],
    ['refund made:o:pi_9', 'ada@example.com', '', 2, 1],
  ])
})

test('records refunds of an order, returns its pieces, and enqueues an email when one is made', async ({ shop }) => {
  shop.skipInvariants('a payment that never was')
  const { insert, instrument } = await anOrder(shop)
  const { db } = shop.deps
  await db.run(insert(2))
  for (const each of [paid, part(3, { restock: 1 }), partMade, partFailed]) await db.run(sql.raw(each))
  await db.run(
    sql`INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at, refund_id, made_at)
      VALUES ('re_9', 'o', 're_9', 7, '', 'stripe', 8, 're_9', 8)`,
  )
  const rows = await db.all<Record<string, unknown>>(sql`
    SELECT at, event, actor, stock_delta, note FROM audit_log WHERE order_id = 'o' AND id > 2 ORDER BY id`)
  expect(rows.map((row) => Object.values(row)).slice(-5)).toEqual([
    [4, 'refund owed', 'bea', 0, 'r3'],
    [4, 'pieces returned', 'bea', 1, 'r3'],
    [5, 'refund made', 'shop', 0, 'r3'],
    [6, 'refund failed', 'stripe', 0, 'r3'],
    [8, 'refund made', 'stripe', 0, 're_9'],
  ])
  expect(await shop.stockOf(instrument)).toBe(9)
  expect(await db.all(sql`SELECT refunded_cents AS cents, returned_quantity AS pieces FROM orders`)).toEqual([
    { cents: 7, pieces: 1 },
  ])
  await shop.readLog()
  const queued = await db.all<{ id: string }>(sql`SELECT id FROM emails WHERE id LIKE 'refund%' ORDER BY created_at`)
  expect(queued.map(({ id }) => id)).toEqual(['refund made:o:r3', 'refund made:o:re_9'])
})

test('records and emails a cancellation, and returns the stock to the right instrument', async ({ shop }) => {
  const other = await shop.sells({ stock: 3 })
  const { insert, instrument } = await anOrder(shop)
  await shop.deps.db.run(insert(2))
  await shop.deps.db.run(sql.raw(`${cancelled}, moved_by = 'bea'`))
  expect((await shop.auditLogOf(instrument, 'o')).at(-1)).toMatchObject({
    ...{ event: 'order cancelled', actor: 'bea', at: 2, stockDelta: 2 },
  })
  expect([await shop.stockOf(instrument), await shop.stockOf(other)]).toEqual([10, 3])
  await shop.readLog()
  expect(await shop.deps.db.all(sql`SELECT id FROM emails WHERE id = 'order cancelled:o'`)).toHaveLength(1)
})
