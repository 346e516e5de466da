import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { instruments } from '../../app/db/schema'
import { createDiscount, NewDiscount } from '../../app/store/discounts/manage-discounts.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { shipOrder } from '../../app/store/orders/manage-order.server'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { newId } from '../../app/store/shared/ids.server'
import { startDatabase } from '../../dev/database'
import { aPaidOrder, anOrder, payElsewhere, refundAtStripe } from '../support/payments'
import { expect, openCopy, orderInput, test, type Store } from '../support/store'
import { check } from './checker/check'
import { readAll, type Row } from './checker/database'
import { History } from './checker/history'

const order = (state: string) => `(SELECT id FROM orders WHERE state = '${state}' LIMIT 1)`
const paid = order('paid')
const violin = `(SELECT instrument_id FROM orders WHERE state = 'paid')`

/** A wrong row, and the invariant that it breaks (docs/testing-money.md). */
const wrongRows: [invariant: number, ...statements: string[]][] = [
  [1, `UPDATE instruments SET available_quantity = available_quantity + 1 WHERE id = ${violin}`],
  [1, `UPDATE audit_log SET stock_delta = 1 WHERE instrument_id = ${violin} AND order_id IS NULL`],
  [2, `UPDATE orders SET quantity = 900 WHERE state = 'paid'`],
  [3, `UPDATE instruments SET min_quantity = 9 WHERE id = ${violin}`],
  [4, `UPDATE orders SET state = 'cancelled', cancelled_at = 1 WHERE state = 'unpaid'`],
  [4, `UPDATE audit_log SET stock_delta = -1 WHERE event = 'order placed' AND order_id = ${paid}`],
  [5, `UPDATE orders SET total_cents = total_cents - 1 WHERE state = 'paid'`],
  [5, `UPDATE orders SET unit_price_cents = 1, total_cents = quantity WHERE state = 'paid'`],
  [6, `UPDATE orders SET transaction_id = 'pi_no' WHERE state = 'paid'`],
  [
    6,
    `UPDATE orders SET transaction_id = (SELECT transaction_id FROM orders WHERE state = 'paid') WHERE state = 'unpaid'`,
  ],
  [6, `UPDATE orders SET customer_id = 'somebody' WHERE state = 'paid'`],
  [6, `UPDATE orders SET state = 'paid', paid_at = 1 WHERE state = 'unpaid'`],
  [
    7,
    ...[1, 2].map(
      (n) => `INSERT INTO payment_attempts (order_id, attempt, kind, state, created_at, expires_at)
    VALUES (${order('unpaid')}, ${n}, 'intent', 'opening', 1, 1)`,
    ),
  ],
  [8, `DELETE FROM orders WHERE state = 'paid'`],
  [8, `INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at) VALUES ('pi_no', ${paid}, 100, 1)`],
  [
    9,
    `INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at, refund_id, made_at)
    SELECT transaction_id, id, total_cents, 1, 're_no', 1 FROM orders WHERE state = 'paid'`,
  ],
  [
    10,
    `UPDATE audit_log SET actor = (SELECT customer_id FROM orders WHERE state = 'shipped') WHERE event = 'order shipped'`,
  ],
  [10, `DELETE FROM audit_log WHERE event = 'order paid'`],
  [10, `UPDATE orders SET shipped_at = NULL WHERE state = 'shipped'`],
  [14, `UPDATE orders SET submission_id = 'same', customer_id = 'same'`],
  [15, `UPDATE orders SET number = -number WHERE state = 'paid'`],
  [15, `DELETE FROM orders WHERE state = 'unpaid'`],
  [15, `UPDATE daily_sales SET revenue_cents = revenue_cents + 1`],
  [15, `UPDATE monthly_sales SET pieces = pieces + 1`],
  [15, `UPDATE monthly_customers SET new_customers = new_customers + 1`],
  [16, `DELETE FROM emails WHERE kind = 'order paid'`],
  [
    16,
    `UPDATE emails SET id = 'order cancelled:' || ${paid}, kind = 'order cancelled' WHERE id = 'order paid:' || ${paid}`,
  ],
  [16, `UPDATE emails SET sent_at = 1 WHERE kind = 'order paid'`],
  [16, `DELETE FROM emails WHERE kind = 'low stock'`],
  [17, `UPDATE orders SET refunded_cents = 0`],
  [17, `UPDATE orders SET returned_quantity = 0`],
  [17, `UPDATE order_refunds SET amount_cents = amount_cents + 1`],
  [17, `UPDATE order_refunds SET refund_id = 're_no'`],
  [17, `UPDATE order_refunds SET refund_id = NULL, made_at = NULL`],
  [17, `UPDATE order_refunds SET moved_by = (SELECT customer_id FROM orders WHERE state = 'paid')`],
  [17, `DELETE FROM order_refunds`],
  [17, `UPDATE audit_log SET stock_delta = 2 WHERE event = 'pieces returned'`],
  [18, `DELETE FROM invoices WHERE number = 1`],
  [18, `UPDATE invoices SET number = 1`],
  [18, `UPDATE invoices SET issued_at = 1`],
  [18, `DELETE FROM credit_notes`],
  [18, `UPDATE credit_notes SET amount_cents = amount_cents + 1`],
  [19, `UPDATE discounts SET max_uses_per_customer = 0`],
  [19, `UPDATE discounts SET ended_at = 1`],
  [19, `UPDATE discounts SET instruments = '["another"]'`],
  [19, `UPDATE discounts SET min_total_cents = 9999999`],
  [19, `UPDATE discounts SET percent = 9`],
  [19, `DELETE FROM discounts`],
  [20, `UPDATE reviews SET user_id = 'somebody'`],
]

async function busyShop(shop: Store) {
  const { deps } = shop
  const admin = { ...(await shop.admin()), role: 'admin' as const }
  await shipOrder(deps, admin, (await aPaidOrder(shop)).id)
  const { id, violin, customer } = await aPaidOrder(shop)
  const submission = newId()
  await refundOrder(deps, admin, id, { submissionId: submission, amount: 100_00, reason: 'Dent', restock: 1 })
  await addReview(deps, customer, { description: 'Fine.', instrumentId: violin, rating: 5 })
  const last = await anOrder(shop)
  await deps.db.run(sql`UPDATE instruments SET low_stock_threshold = 7 WHERE id = ${last.violin}`)
  await createDiscount(deps, admin, NewDiscount.parse({ act: 'make', code: 'TEN', percent: 10 }))
  await placeOrder(deps, await shop.customer(), { ...orderInput(last.violin, 2), code: 'TEN' })
  const history = new History()
  for (const instrument of await deps.db.select({ id: instruments.id }).from(instruments))
    history.priced(instrument.id, { price: 250_00, breaks: [] }, 0)
  history.refunded.push({ order: id, submission, amount: 100_00, restock: 1, isSure: true })
  return { id, violin, customer, history, unpaid: last.id }
}

test('finds each wrong row', async ({ shop }) => {
  const { history } = await busyShop(shop)
  await shop.readLog()
  const [main] = await shop.deps.db.all<{ file: string }>(
    sql`SELECT file FROM pragma_database_list WHERE name = 'main'`,
  )
  const brokenBy = async (invariant: number, ...statements: string[]) => {
    const { client, close } = await openCopy(main!.file)
    try {
      const { rows } = await client.execute(
        `SELECT 'DROP ' || type || ' ' || name AS sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL
          AND name NOT IN ('users_id_unique', 'instruments_id_unique') -- which foreign keys need`,
      )
      const drops = rows.map((row) => row.sql as string)
      const free = ['PRAGMA foreign_keys = OFF', 'PRAGMA ignore_check_constraints = ON', ...drops]
      await client.executeMultiple([...free, ...statements, ''].join(';\n'))
      const database = async (query: string) => (await client.execute(query)).rows.map((row) => ({ ...row })) as Row[]
      const found = await check({ database, sandboxUrl: shop.sandbox.url, history, atRest: invariant === 8 })
      return found.map(({ invariant }) => invariant)
    } finally {
      close()
    }
  }
  expect(await brokenBy(0)).toEqual([])
  for (const [invariant, ...statements] of wrongRows)
    expect.soft(await brokenBy(invariant, ...statements), statements.join('; ')).toContain(invariant)
})

test('finds what a customer was told and is not so', async ({ shop }) => {
  const { id, violin, customer, history, unpaid } = await busyShop(shop)
  await shop.readLog()
  const known = { customer: customer.id, instrument: violin, submission: 'lost', quantity: 1 }
  const told: [invariant: number, tell: (history: History) => unknown][] = [
    [2, ({ short }) => short.push(known)],
    [5, ({ ordered }) => ordered.push({ ...known, order: id, shownPrice: 1 })],
    [11, ({ forgedEvents }) => forgedEvents.push({ what: 'edited' })],
    [13, ({ ordered }) => ordered.push({ ...known, order: 'lost', shownPrice: null })],
    [13, ({ ordered }) => ordered.push({ ...known, order: id, shownPrice: null })],
    [13, ({ paid }) => paid.push({ order: unpaid, transaction: null })],
    [13, ({ paid }) => paid.push({ order: id, transaction: 'pi_no' })],
    [13, ({ cancelled }) => cancelled.push({ order: id })],
    [13, ({ shipped }) => shipped.push({ order: id })],
    [13, ({ payables }) => payables.push({ order: id, payable: 'cs_no' })],
    [13, ({ refunded }) => refunded.push({ order: id, submission: 'lost', amount: 1, restock: 0, isSure: true })],
    [14, ({ unsure }) => unsure.push(known)],
    [17, (its) => its.refunded.pop()],
  ]
  const database = (query: string) => shop.deps.db.all<Row>(sql.raw(query))
  for (const [invariant, tell] of told) {
    const its = Object.assign(new History(), structuredClone(history))
    tell(its)
    const found = await check({ database, sandboxUrl: shop.sandbox.url, history: its })
    expect
      .soft(
        found.map((each) => each.invariant),
        String(tell),
      )
      .toContain(invariant)
  }
})

test('finds money that the shop does not know, and an email that nobody wrote', async ({ shop }) => {
  const { id, customer, transactionId } = await aPaidOrder(shop)
  shop.skipInvariants('money comes and goes at Stripe')
  await shop.readLog()
  const broken = async (atRest: boolean) => {
    const database = (query: string) => shop.deps.db.all<Row>(sql.raw(query))
    const found = await check({ database, sandboxUrl: shop.sandbox.url, atRest })
    return [...new Set(found.map(({ invariant }) => invariant))]
  }
  expect(await broken(false)).toEqual([])
  const receipt = { subject: 'Receipt: C-1001', text: 'Order: C-1001', html: '', replyTo: null }
  await shop.deps.email.send({ ...receipt, id: newId(), recipient: 'somebody@example.com' })
  expect(await broken(false)).toEqual([16])
  await payElsewhere(shop, 500_00, { order: id, customer: customer.id })
  expect(await broken(true)).toEqual([8, 16])
  await refundAtStripe(shop, transactionId, 1_00)
  expect(await broken(true)).toEqual([8, 17, 16])
})

test('reads more rows than one answer of the server holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-checker-'))
  const database = await startDatabase({ folder })
  onTestFinished(async () => {
    await database.stop()
    rmSync(folder, { recursive: true })
  })
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, hex(zeroblob(500)) AS text FROM n`
  const { many, few } = await readAll(database, { many: numbers(12_001), few: numbers(3) })
  expect([many.length, new Set(many.map(({ i }) => i)).size, few.length]).toEqual([12_001, 12_001, 3])
})
