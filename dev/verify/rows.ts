import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../app/db/open.server'
import { verifySales } from './sales'

const pageSize = 1000

/** What is wrong with a row of `table AS its`: how people name it, what its other rows are, and each condition with its words. */
interface Check {
  table: string
  name: SQL
  joins: SQL
  rules: [words: string, isWrong: SQL][]
}

/**
 * Compares rows with the others that they must agree with (decision 35): orders, refunds, stock, roles and closed accounts with the audit
 * log, invoices and credit notes with orders, refunds and each other, sellers and quotes with their terms in the audit log, sales with
 * the paid orders. Calls `find` for each row that differs, is missing or too many. Reads in pages, each consistent; the shop may be open.
 */
export async function verifyRows(db: Db, find: (finding: string) => void): Promise<void> {
  for (const { table, name, joins, rules } of checks) {
    const wrong = sql.join(
      rules.map(([words, isWrong]) => sql`iif(${isWrong}, ${`; ${words}`}, '')`),
      sql` || `,
    )
    const its = sql.raw(table)
    for (let after = 0; ;) {
      const page = sql`SELECT rowid FROM ${its} WHERE rowid > ${after} ORDER BY rowid LIMIT ${pageSize}`
      const [findings, [last]] = await db.batch([
        db.all<{ finding: string }>(sql`
          SELECT name || ': ' || substr(wrong, 3) AS finding FROM (
            SELECT ${name} AS name, ${wrong} AS wrong FROM ${its} AS its ${joins} WHERE its.rowid IN (${page}))
          WHERE wrong <> ''`),
        db.all<{ rowid: number | null }>(sql`SELECT max(rowid) AS rowid FROM (${page})`),
      ])
      for (const { finding } of findings) find(finding)
      if (!last?.rowid) break
      after = last.rowid
    }
  }
  await verifySales(db, find)
}

/** As triggers of `schema.sql` write them. */
const quoteTerms = (
  quotes: SQL,
) => sql`json_array('quote', ${quotes}.id, ${quotes}.state, ${quotes}.customer_id, ${quotes}.instrument_id,
  ${quotes}.quantity, ${quotes}.unit_price_cents, ${quotes}.valid_until)`
const sellerTerms = (
  sellers: SQL,
) => sql`json_array('seller', ${sellers}.id, ${sellers}.name, ${sellers}.address, ${sellers}.vat_number,
  ${sellers}.vat_rate, ${sellers}.created_at)`

/** As `createDiscount` records them. */
const discountTerms = sql`json_array('discount code', its.code, its.percent, its.amount_cents, its.from_at, its.until_at, its.min_total_cents,
  its.max_uses, its.max_uses_per_customer, its.instruments, its.combines, its.created_at)`

/** Answers to a quote in the audit log: `,` is the character before `-`. */
const answersOf = (state: string) =>
  sql.raw(`
  FROM audit_log WHERE submission_id > '["quote","' || its.id || '"${state},' AND submission_id < '["quote","' || its.id || '"${state}-'`)

const paidOf = (orderId: SQL) =>
  sql`(SELECT min(id) FROM audit_log WHERE order_id = ${orderId} AND event = 'order paid')`

/** The event with which the triggers issue a credit note, or its reversal. */
const issuedWith = (note: SQL) => sql`(
  SELECT max(id) FROM audit_log WHERE order_id = ${note}.order_id AND about_id = ${note}.order_refund_id
    AND event = iif(${note}.is_reversal, 'refund failed', 'refund made'))`

/** `previous`: the row with the number before; of the first number of a series, the last of an earlier one. */
const previous = (table: 'invoices' | 'credit_notes') =>
  sql.raw(`LEFT JOIN ${table} AS previous ON previous.rowid = iif(its.number > 1,
    (SELECT rowid FROM ${table} WHERE series = its.series AND number = its.number - 1),
    (SELECT rowid FROM ${table} WHERE series < its.series ORDER BY series DESC, number DESC LIMIT 1))`)

const numbering: Check['rules'] = [
  ['the number before it is missing', sql`its.number < 1 OR (its.number > 1 AND previous.number IS NULL)`],
  ['its series has not begun', sql`its.series > (SELECT max(invoice_series) FROM shop_settings)`],
]

/** A seller, with the number of its event. Those from before sellers had events have later ones than their first invoices. */
const knownAtPayment = sql`FROM sellers AS each JOIN audit_log AS stored ON stored.submission_id = ${sellerTerms(sql`each`)}
  WHERE stored.id < paid.id`

/** Of the event of a quote or a seller. JSON that somebody broke has none. */
const termOf = (index: number) =>
  sql.raw(`iif(its.event IN ('quote offered', 'quote declined', 'seller stored')
    AND json_valid(its.submission_id), json_extract(its.submission_id, '$[${index}]'), NULL)`)

/** When an order was shipped or cancelled. */
const timeOf = (event: string) => sql`(SELECT min(at) FROM audit_log WHERE order_id = its.id AND event = ${event})`

const sumOf = (refunds: SQL) => sql`(SELECT coalesce(sum(${refunds}), 0) FROM order_refunds WHERE order_id = its.id)`

/** `about`: the column with the id of a refund, or with the payment that it returns. */
const agreesWithItsEvents = (about: string): Check['rules'] => {
  const events = sql.raw(`FROM audit_log WHERE order_id = its.order_id AND about_id = its.${about}`)
  return [
    ['it has no event', sql`NOT EXISTS (SELECT 1 ${events} AND event LIKE 'refund %')`],
    [
      'whether it is made is not what the audit log has',
      sql`(its.refund_id IS NOT NULL AND its.made_at IS NOT NULL) <> EXISTS (SELECT 1 ${events} AND event = 'refund made')`,
    ],
  ]
}

const gone = (column: string) => sql.raw(`its.${column} IS NOT NULL AND ${column}.id IS NULL`)

const checks: Check[] = [
  {
    table: 'orders',
    name: sql`'order C-' || its.number || ' (' || its.id || ')'`,
    joins: sql`LEFT JOIN audit_log AS paid ON paid.id = ${paidOf(sql`its.id`)}
      LEFT JOIN invoices ON invoices.order_id = its.id LEFT JOIN quotes ON quotes.id = its.quote_id
      LEFT JOIN audit_log AS placed ON placed.id = (SELECT min(id) FROM audit_log WHERE order_id = its.id AND event = 'order placed')
      LEFT JOIN audit_log AS last ON last.id = (SELECT max(id) FROM audit_log WHERE order_id = its.id
        AND event IN ('order placed', 'order paid', 'order shipped', 'order cancelled'))
      LEFT JOIN discounts ON discounts.code = its.discount_code
      CROSS JOIN (SELECT max(invoices_after) AS since FROM shop_settings)`,
    rules: [
      [
        'its state is not what the audit log has',
        sql`last.event IS NOT 'order ' || iif(its.state = 'unpaid', 'placed', its.state)`,
      ],
      [
        'its quantity or time is not what the audit log has',
        sql`(its.quantity, its.created_at) IS NOT (-placed.stock_delta, placed.at)`,
      ],
      ['its total is not price times quantity', sql`its.total_cents <> its.unit_price_cents * its.quantity`],
      [
        'its payment is not what the audit log has',
        sql`(its.transaction_id, its.paid_at) IS NOT (paid.about_id, paid.at)`,
      ],
      [
        'when it was shipped or cancelled is not what the audit log has',
        sql`(its.shipped_at, its.cancelled_at) IS NOT (${timeOf('order shipped')}, ${timeOf('order cancelled')})`,
      ],
      [
        'what was refunded or returned is not the sum of its refunds',
        sql`(its.refunded_cents, its.returned_quantity)
          <> (${sumOf(sql`iif(failed_at IS NULL, amount_cents, 0)`)}, ${sumOf(sql`restock`)})`,
      ],
      ['it was paid, and its invoice is gone', sql`paid.id > since AND invoices.order_id IS NULL`],
      ['it has an invoice from before there were any', sql`paid.id <= since AND invoices.order_id IS NOT NULL`],
      [
        'its discount is not what the audit log has',
        sql`placed.submission_id IS NOT iif(its.discount_code IS NULL AND its.discount_cents IS NULL, NULL,
          json_array('order with a code', its.id, its.discount_code, its.discount_cents))`,
      ],
      ['its discount code is gone', sql`its.discount_code IS NOT NULL AND discounts.code IS NULL`],
      ['its offer is gone', sql`its.quote_id IS NOT NULL AND quotes.id IS NULL`],
      [
        'its terms are not those of its offer',
        sql`quotes.id IS NOT NULL AND (quotes.state, quotes.customer_id, quotes.instrument_id, quotes.quantity, quotes.unit_price_cents)
          IS NOT ('offered', its.customer_id, its.instrument_id, its.quantity, its.unit_price_cents)`,
      ],
    ],
  },
  {
    table: 'invoices',
    name: sql`'invoice INV-' || its.series || '-' || its.number || ' of order ' || coalesce('C-' || orders.number, its.order_id)`,
    joins: sql`LEFT JOIN orders ON orders.id = its.order_id LEFT JOIN audit_log AS paid ON paid.id = ${paidOf(sql`its.order_id`)}
      LEFT JOIN sellers ON sellers.id = its.seller_id ${previous('invoices')}`,
    rules: [
      ['its order is gone, or was never paid', sql`orders.id IS NULL OR paid.id IS NULL`],
      ['its time is not that of the payment', sql`its.issued_at <> paid.at`],
      [
        'its buyer is not that of the order',
        sql`(its.buyer_name, its.buyer_address, its.company, its.vat_number, its.purchase_order)
          IS NOT (orders.customer_name, orders.customer_address, orders.company, orders.vat_number, orders.purchase_order)`,
      ],
      ...numbering,
      ['it was paid before the invoice with the number before', sql`${paidOf(sql`previous.order_id`)} > paid.id`],
      ['its seller is gone', sql`sellers.id IS NULL AND EXISTS (SELECT 1 FROM sellers)`],
      [
        'its seller is not that of the day of the payment',
        sql`previous.seller_id > its.seller_id OR its.seller_id <> (SELECT max(each.id) ${knownAtPayment})`,
      ],
    ],
  },
  {
    table: 'credit_notes',
    name: sql`'credit note CN-' || its.series || '-' || its.number || ' of order ' || its.order_id`,
    joins: sql`LEFT JOIN order_refunds ON order_refunds.id = its.order_refund_id AND order_refunds.order_id = its.order_id
      LEFT JOIN invoices ON invoices.order_id = its.order_id
      LEFT JOIN audit_log AS issued ON issued.id = ${issuedWith(sql`its`)} ${previous('credit_notes')}`,
    rules: [
      ['its refund is gone, or was never made', sql`order_refunds.id IS NULL OR issued.id IS NULL`],
      ['its invoice is gone', sql`invoices.order_id IS NULL`],
      [
        'its amount is not that of the refund',
        sql`its.amount_cents <> iif(its.is_reversal, -1, 1) * order_refunds.amount_cents`,
      ],
      ['its time is not that of the refund', sql`its.issued_at <> issued.at`],
      ...numbering,
      ['its refund is older than that of the number before', sql`${issuedWith(sql`previous`)} > issued.id`],
    ],
  },
  {
    table: 'order_refunds',
    name: sql`'refund ' || its.id || ' of order ' || its.order_id`,
    joins: sql`LEFT JOIN audit_log AS last ON last.id = (SELECT max(id) FROM audit_log
        WHERE order_id = its.order_id AND about_id = its.id AND event IN ('refund made', 'refund failed'))
      LEFT JOIN invoices ON invoices.order_id = its.order_id
      LEFT JOIN credit_notes AS note ON note.order_refund_id = its.id AND note.is_reversal = 0
      LEFT JOIN credit_notes AS reversal ON reversal.order_refund_id = its.id AND reversal.is_reversal = 1`,
    rules: [
      ...agreesWithItsEvents('id'),
      [
        'whether it failed is not what the audit log has',
        sql`its.failed_at IS NOT iif(last.event = 'refund failed', last.at, NULL)`,
      ],
      [
        'it was made, and its credit note is gone',
        sql`invoices.order_id IS NOT NULL AND its.refund_id IS NOT NULL AND note.number IS NULL`,
      ],
      [
        'it failed, and nothing takes its credit note back',
        sql`invoices.order_id IS NOT NULL AND its.refund_id IS NOT NULL AND its.failed_at IS NOT NULL AND reversal.number IS NULL`,
      ],
      [
        'it did not fail, and its credit note was taken back',
        sql`its.failed_at IS NULL AND reversal.number IS NOT NULL`,
      ],
    ],
  },
  {
    table: 'refunds',
    name: sql`'refund of payment ' || its.transaction_id || ' of order ' || its.order_id`,
    joins: sql``,
    rules: agreesWithItsEvents('transaction_id'),
  },
  {
    table: 'sellers',
    name: sql`'seller ' || its.id`,
    joins: sql`LEFT JOIN audit_log AS stored ON stored.submission_id = ${sellerTerms(sql`its`)} AND stored.event = 'seller stored'`,
    rules: [['its name, address or VAT is not what the audit log has', sql`stored.id IS NULL`]],
  },
  {
    table: 'discounts',
    name: sql`'discount code ' || its.code`,
    joins: sql`LEFT JOIN audit_log AS made ON made.submission_id = ${discountTerms} AND made.event = 'discount code made'`,
    rules: [
      ['its terms are not what the audit log has', sql`made.id IS NULL`],
      [
        'whether it has ended is not what the audit log has',
        sql`its.ended_at IS NOT (SELECT at FROM audit_log WHERE submission_id = json_array('discount code ended', its.code))`,
      ],
    ],
  },
  {
    table: 'quotes',
    name: sql`'quote ' || its.id`,
    joins: sql`LEFT JOIN audit_log AS answer ON answer.submission_id = ${quoteTerms(sql`its`)}
      AND (answer.event, answer.at) = ('quote ' || its.state, its.answered_at)`,
    rules: [
      ['its answer is not what the audit log has', sql`its.state <> 'asked' AND answer.id IS NULL`],
      ['its answer is gone', sql`its.state = 'asked' AND EXISTS (SELECT 1 ${answersOf('')})`],
      ['it was offered twice', sql`(SELECT count(*) ${answersOf(',"offered"')}) > 1`],
    ],
  },
  {
    table: 'instruments',
    name: sql`'product ' || its.id || ' (' || its.name || ')'`,
    joins: sql``,
    rules: [
      [
        'its stock is not the sum of the audit log',
        sql`its.available_quantity <> (SELECT coalesce(sum(stock_delta), 0) FROM audit_log WHERE instrument_id = its.id)`,
      ],
    ],
  },
  {
    table: 'users',
    name: sql`'user ' || its.id || ' (' || its.email || ')'`,
    joins: sql`LEFT JOIN audit_log AS role ON role.id = (
        SELECT max(id) FROM audit_log WHERE user_id = its.id AND event IN ('admin granted', 'admin revoked', 'account closed'))
      LEFT JOIN audit_log AS staff ON staff.id = (
        SELECT max(id) FROM audit_log WHERE user_id = its.id
          AND event IN ('staff role granted', 'staff role revoked', 'admin granted', 'account closed'))
      LEFT JOIN audit_log AS closing ON closing.user_id = its.id AND closing.event = 'account closed'`,
    rules: [
      ['nobody made this user an admin', sql`its.role = 'admin' AND role.event IS NOT 'admin granted'`],
      ['this user was made an admin, and is none', sql`its.role <> 'admin' AND role.event = 'admin granted'`],
      [
        'its role in the shop is not the one that was granted',
        sql`its.staff_role IS NOT iif(staff.event = 'staff role granted', staff.note, NULL)`,
      ],
      ['whether the account is closed is not what the audit log has', sql`its.closed_at IS NOT closing.at`],
    ],
  },
  {
    table: 'audit_log',
    name: sql`'event ' || its.id || ' "' || its.event || '"'`,
    joins: sql`LEFT JOIN instruments AS instrument_id ON instrument_id.id = its.instrument_id
      LEFT JOIN users AS user_id ON user_id.id = its.user_id LEFT JOIN orders AS order_id ON order_id.id = its.order_id
      LEFT JOIN order_refunds AS part ON part.id = its.about_id AND part.order_id = its.order_id
      LEFT JOIN refunds AS whole ON whole.transaction_id = its.about_id AND whole.order_id = its.order_id
      LEFT JOIN users AS customer ON customer.id = ${termOf(3)}
      LEFT JOIN quotes ON quotes.id = ${termOf(1)} LEFT JOIN sellers ON sellers.id = ${termOf(1)}`,
    rules: [
      ['its product is gone', gone('instrument_id')],
      ['its user is gone', gone('user_id')],
      ['its order is gone', gone('order_id')],
      [
        'its refund is gone',
        sql`its.order_id IS NOT NULL AND its.event LIKE 'refund %' AND part.id IS NULL AND whole.order_id IS NULL`,
      ],
      // A closed account takes its quotes along, but for those with an order.
      [
        'its quote is gone',
        sql`its.event IN ('quote offered', 'quote declined') AND quotes.id IS NULL AND customer.closed_at IS NULL`,
      ],
      ['its seller is gone', sql`its.event = 'seller stored' AND sellers.id IS NULL`],
    ],
  },
]
