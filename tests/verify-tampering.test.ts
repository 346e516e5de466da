import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/web'
import { expect } from 'vitest'
import { askForPrice, declineQuote, offerPrice } from '../app/store/quotes/quotes.server'
import { grantAdmin, revokeAdmin } from '../app/store/accounts/users.server'
import { importColumns, importInstruments, type ImportLine } from '../app/store/catalog/import-instruments.server'
import { removeInstrument } from '../app/store/catalog/manage-instruments.server'
import { closeAccount, eraseOldOrders } from '../app/store/privacy/close-account.server'
import { newId } from '../app/store/shared/ids.server'
import { createDiscount, endDiscount, NewDiscount } from '../app/store/discounts/manage-discounts.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { acceptQuote } from '../app/store/ordering/accept-quote.server'
import { shipOrder } from '../app/store/orders/manage-order.server'
import { confirmOrderPayment } from '../app/store/payments/confirm-payment.server'
import { startCheckout } from '../app/store/payments/payments.server'
import { refundOrder } from '../app/store/payments/order-refunds.server'
import { addReview } from '../app/store/reviews/reviews.server'
import { findTriggerChanges } from '../dev/triggers'
import { verifyRows } from '../dev/verify/rows'
import { fill } from './support/filled-shop'
import { payAt } from './support/hosted-page'
import { aPaidOrder, anOrder } from './support/payments'
import { day, openCopy, orderInput, parcel, test, type Store } from './support/store'

interface Names {
  paid: string
  shipped: string
  unpaid: string
  accepted: string
  refund: string
  failed: string
  owed: string
  open: string
  taken: string
  declined: string
  admin: string
  former: string
  ada: string
  closed: string
  violin: string
  discounted: string
}

/** Of each kind of row at least one, and of the numbered ones several. */
async function busyShop(shop: Store): Promise<Names> {
  const { deps } = shop
  const admin = await shop.customer({ name: 'The Shopkeeper' })
  const former = await shop.customer()
  await grantAdmin(deps, 'make-admin', admin.email)
  await grantAdmin(deps, admin.id, former.email)
  await revokeAdmin(deps, admin, former.email)
  const refund = async (id: string, amount: number, restock = 0) => {
    await refundOrder(deps, admin, id, { submissionId: newId(), amount, reason: 'Dent', restock })
    const [row] = await deps.db.all<{ id: string }>(sql`SELECT id FROM order_refunds ORDER BY rowid DESC LIMIT 1`)
    return row!.id
  }
  const gone = await aPaidOrder(shop)
  const paid = await aPaidOrder(shop)
  deps.seller = { ...deps.seller!, vatRate: 1000 }
  const shipped = await aPaidOrder(shop)
  const made = await refund(shipped.id, 100_00, 1)
  const failed = await refund(shipped.id, 50_00)
  await deps.db.run(sql`UPDATE order_refunds SET failed_at = ${deps.now()} WHERE id = ${failed}`)
  await shipOrder(deps, admin, shipped.id)
  await refund(paid.id, 20_00)
  const last = await aPaidOrder(shop)
  const owing = { ...deps, payments: { ...deps.payments, refundPart: () => Promise.reject(new Error('down')) } }
  await refundOrder(owing, admin, last.id, { submissionId: newId(), amount: 1_00, reason: 'Dent' }).catch(
    () => undefined,
  )
  const [owed] = await deps.db.all<{ id: string }>(sql`SELECT id FROM order_refunds WHERE refund_id IS NULL`)

  const violin = await shop.sells({ price: 100_00, stock: 50, priceBreaks: [{ from: 5, priceCents: 90_00 }] })
  const ada = await shop.customer({ name: 'Ada' })
  const asked = async () =>
    (await askForPrice(deps, ada, { submissionId: newId(), instrumentId: violin, orderQuantity: 3 })).id
  const offer = { price: 80_00, orderQuantity: 3, validUntil: deps.now() + 9 * day }
  const [open, taken, declined] = [await asked(), await asked(), await asked()]
  await asked()
  await offerPrice(deps, admin, open, offer)
  await offerPrice(deps, admin, taken, offer)
  await offerPrice(deps, admin, declined, offer)
  // Not in the same millisecond: the offer would stand with its own time again.
  await declineQuote({ ...deps, now: () => deps.now() + 1 }, admin, declined, { reason: 'Sold' })
  const { id: accepted } = await acceptQuote(deps, ada, taken, parcel)
  const shopkeeper = { ...admin, role: 'admin' as const }
  for (const code of ['TEN', 'OLD'])
    await createDiscount(deps, shopkeeper, NewDiscount.parse({ act: 'make', code, percent: 10, maxUses: 1 }))
  await endDiscount(deps, shopkeeper, 'OLD')
  const { id: discounted } = await placeOrder(deps, ada, { ...orderInput(violin, 2), code: 'TEN' })
  await addReview(deps, ada, { description: 'Fine' })
  await closeAccount(deps, gone.customer)
  const unpaid = await anOrder(shop)
  return {
    ...{ paid: paid.id, shipped: shipped.id, unpaid: unpaid.id, accepted },
    ...{ refund: made, failed, owed: owed!.id, open, taken, declined },
    ...{ admin: admin.id, former: former.id, ada: ada.id, closed: gone.customer.id, violin },
    discounted,
  }
}

type Attack = [what: string, words: string, ...statements: string[]]

const swap = (table: string, one: number, other: number) => [
  `UPDATE ${table} SET number = -1 WHERE series = 1 AND number = ${one}`,
  `UPDATE ${table} SET number = ${one} WHERE series = 1 AND number = ${other}`,
  `UPDATE ${table} SET number = ${other} WHERE series = 1 AND number = -1`,
]

/** What somebody does who has the database, the first words of the command about it, without ids, and how it is done. */
const attacksOn = (shop: Names): Attack[] => [
  [
    'the price of a paid order is lowered',
    'sales of a day: they are 4 orders, 200000 cents, and by the paid orders 4 orders, 150200 cents',
    `UPDATE orders SET unit_price_cents = 100, total_cents = 200 WHERE id = '${shop.paid}'`,
  ],
  [
    'the total of an order is lowered',
    'order C-1007: its total is not price times quantity',
    `UPDATE orders SET total_cents = 200 WHERE id = '${shop.unpaid}'`,
  ],
  [
    'the quantity of an order is changed',
    'order C-1007: its quantity or time is not what the audit log has',
    `UPDATE orders SET quantity = quantity + 1, total_cents = total_cents + unit_price_cents WHERE id = '${shop.unpaid}'`,
  ],
  [
    'an order is marked as paid',
    'order C-1007: its state is not what the audit log has; its payment is not what the audit log has',
    `UPDATE orders SET state = 'paid', paid_at = 5, transaction_id = 'pi_no' WHERE id = '${shop.unpaid}'`,
  ],
  [
    'the transaction id of an order is replaced',
    'order C-1002: its payment is not what the audit log has',
    `UPDATE orders SET transaction_id = 'pi_no' WHERE id = '${shop.paid}'`,
  ],
  [
    'the day of a shipment is changed',
    'order C-1003: when it was shipped or cancelled is not what the audit log has',
    `UPDATE orders SET shipped_at = 5 WHERE id = '${shop.shipped}'`,
  ],
  [
    'a paid order is given to another customer',
    'customers with the id …: they are new, and by the paid orders no customers',
    `UPDATE orders SET customer_id = '${shop.ada}' WHERE id = '${shop.paid}'`,
  ],
  [
    'a paid order is deleted',
    'invoice INV-1-2 of order …: its order is gone, or was never paid; its buyer is not that of the order',
    `DELETE FROM orders WHERE id = '${shop.paid}'`,
  ],
  [
    'an unpaid order is deleted',
    'event … "order placed": its order is gone',
    `DELETE FROM orders WHERE id = '${shop.unpaid}'`,
  ],
  [
    'a paid order is deleted, with its events and its invoice',
    'invoice INV-1-3 of order C-1003: the number before it is missing',
    `DELETE FROM orders WHERE id = '${shop.paid}'`,
    `DELETE FROM audit_log WHERE order_id = '${shop.paid}'`,
    `DELETE FROM invoices WHERE order_id = '${shop.paid}'`,
  ],
  [
    'an order is added',
    'order C-9999: its state is not what the audit log has; its quantity or time is not what the audit log has',
    `CREATE TABLE copy AS SELECT * FROM orders WHERE id = '${shop.unpaid}'`,
    `UPDATE copy SET id = 'new', number = 9999, submission_id = 'new'`,
    `INSERT INTO orders SELECT * FROM copy`,
  ],
  [
    'the discount of an order is changed',
    'order C-1006: its discount is not what the audit log has',
    `UPDATE orders SET discount_cents = 1 WHERE id = '${shop.discounted}'`,
  ],
  [
    'a refund is deleted',
    'order C-1003: what was refunded or returned is not the sum of its refunds',
    `DELETE FROM order_refunds WHERE id = '${shop.refund}'`,
  ],
  [
    'a refund is deleted, and its sum in the order',
    'credit note CN-1-1 of order …: its refund is gone, or was never made',
    `DELETE FROM order_refunds WHERE id = '${shop.refund}'`,
    `UPDATE orders SET refunded_cents = 0, returned_quantity = 0 WHERE id = '${shop.shipped}'`,
  ],
  [
    'an owed refund is deleted, and its sum in the order',
    'event … "refund owed": its refund is gone',
    `UPDATE orders SET refunded_cents = 0 WHERE id = (SELECT order_id FROM order_refunds WHERE id = '${shop.owed}')`,
    `DELETE FROM order_refunds WHERE id = '${shop.owed}'`,
  ],
  [
    'an owed refund is marked as made',
    'refund … of order …: whether it is made is not what the audit log has; it was made, and its credit note is gone',
    `UPDATE order_refunds SET refund_id = 're_no', made_at = 5 WHERE id = '${shop.owed}'`,
  ],
  [
    'a made refund is marked as failed',
    'order C-1003: what was refunded or returned is not the sum of its refunds',
    `UPDATE order_refunds SET failed_at = 5 WHERE id = '${shop.refund}'`,
  ],
  [
    'the day of a failure is changed',
    'refund … of order …: whether it failed is not what the audit log has',
    `UPDATE order_refunds SET failed_at = 5 WHERE id = '${shop.failed}'`,
  ],
  [
    'the refund of a second payment is added',
    'refund of payment pi_no of order …: it has no event',
    `INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at) VALUES ('pi_no', '${shop.paid}', 100, 5)`,
  ],
  [
    'the event of a payment is deleted',
    'order C-1002: its state is not what the audit log has; its payment is not what the audit log has',
    `DELETE FROM audit_log WHERE order_id = '${shop.paid}' AND event = 'order paid'`,
  ],
  [
    'an invoice is deleted',
    'order C-1002: it was paid, and its invoice is gone',
    `DELETE FROM invoices WHERE series = 1 AND number = 2`,
  ],
  [
    'two invoices change their numbers',
    'invoice INV-1-3 of order C-1002: it was paid before the invoice with the number before; its seller is not that of the day of the payment',
    ...swap('invoices', 2, 3),
  ],
  [
    'the number of an invoice is changed',
    'invoice INV-1-99 of order C-1002: the number before it is missing',
    `UPDATE invoices SET number = 99 WHERE number = 2`,
  ],
  [
    'the series of an invoice is changed',
    'invoice INV-2-4 of order C-1004: the number before it is missing; its series has not begun',
    `UPDATE invoices SET series = 2 WHERE number = 4`,
  ],
  [
    'the buyer of an invoice is changed',
    'invoice INV-1-2 of order C-1002: its buyer is not that of the order',
    `UPDATE invoices SET buyer_name = 'Mallory' WHERE number = 2`,
  ],
  [
    'the day of an invoice is changed',
    'invoice INV-1-1 of order C-1001: its time is not that of the payment',
    `UPDATE invoices SET issued_at = issued_at - 400 * 86400000 WHERE number = 1`,
  ],
  [
    'the seller of an invoice is changed',
    'invoice INV-1-4 of order C-1004: its seller is not that of the day of the payment',
    `UPDATE invoices SET seller_id = 1 WHERE number = 4`,
  ],
  [
    'an invoice is added',
    'invoice INV-1-5 of order C-1007: its order is gone, or was never paid',
    `INSERT INTO invoices (order_id, series, number, issued_at, seller_id, buyer_name, buyer_address)
      SELECT id, 1, 5, 5, 2, customer_name, customer_address FROM orders WHERE id = '${shop.unpaid}'`,
  ],
  [
    'a credit note is deleted',
    'credit note CN-1-2 of order …: the number before it is missing',
    `DELETE FROM credit_notes WHERE number = 1`,
  ],
  [
    'the newest credit note is deleted',
    'refund … of order …: it was made, and its credit note is gone',
    `DELETE FROM credit_notes WHERE number = (SELECT max(number) FROM credit_notes)`,
  ],
  [
    'the reversal of a credit note is deleted, and the next one numbered anew',
    'refund … of order …: it failed, and nothing takes its credit note back',
    `DELETE FROM credit_notes WHERE is_reversal`,
    `UPDATE credit_notes SET number = 3 WHERE number = 4`,
  ],
  [
    'the amount of a credit note is changed',
    'credit note CN-1-1 of order …: its amount is not that of the refund',
    `UPDATE credit_notes SET amount_cents = 1 WHERE number = 1`,
  ],
  [
    'two credit notes change their numbers',
    'credit note CN-1-2 of order …: its refund is older than that of the number before',
    ...swap('credit_notes', 1, 2),
  ],
  [
    'the day of a credit note is changed',
    'credit note CN-1-1 of order …: its time is not that of the refund',
    `UPDATE credit_notes SET issued_at = 5 WHERE number = 1`,
  ],
  [
    'the VAT rate of a seller is changed',
    'seller 1: its name, address or VAT is not what the audit log has',
    `UPDATE sellers SET vat_rate = 700 WHERE id = 1`,
  ],
  [
    'a seller is deleted, and its invoices have the other',
    'event … "seller stored": its seller is gone',
    `DELETE FROM sellers WHERE id = 2`,
    `UPDATE invoices SET seller_id = 1`,
  ],
  [
    'a stock is raised',
    'product …: its stock is not the sum of the audit log',
    `UPDATE instruments SET available_quantity = available_quantity + 1 WHERE id = '${shop.violin}'`,
  ],
  [
    'a customer is made an admin',
    'user …: nobody made this user an admin',
    `UPDATE users SET role = 'admin' WHERE id = '${shop.ada}'`,
  ],
  [
    'a customer is made a packer',
    'user …: its role in the shop is not the one that was granted',
    `UPDATE users SET staff_role = 'packer' WHERE id = '${shop.ada}'`,
  ],
  [
    'an admin is one no more',
    'user …: this user was made an admin, and is none',
    `UPDATE users SET role = 'customer' WHERE id = '${shop.admin}'`,
  ],
  [
    'a closed account is open again',
    'user …: whether the account is closed is not what the audit log has',
    `UPDATE users SET closed_at = NULL WHERE id = '${shop.closed}'`,
  ],
  ['a user is deleted', 'event … "admin granted": its user is gone', `DELETE FROM users WHERE id = '${shop.former}'`],
  [
    'the price of an open offer is changed',
    'quote …: its answer is not what the audit log has',
    `UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.open}'`,
  ],
  [
    'the price of an accepted offer is changed',
    'order C-1005: its terms are not those of its offer',
    `UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.taken}'`,
  ],
  [
    'an answered request is open again',
    'quote …: its answer is gone',
    `UPDATE quotes SET state = 'asked', quantity = NULL, unit_price_cents = NULL, valid_until = NULL, answered_by = NULL,
      answered_at = NULL WHERE id = '${shop.open}'`,
  ],
  [
    'an offer is offered again by an event of its own',
    'quote …: it was offered twice',
    `UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.open}'`,
    `INSERT INTO audit_log (at, event, actor, submission_id) SELECT answered_at, 'quote offered', answered_by, json_array('quote', id,
      state, customer_id, instrument_id, quantity, unit_price_cents, valid_until) FROM quotes WHERE id = '${shop.open}'`,
  ],
  [
    'an answered request is deleted',
    'event … "quote offered": its quote is gone',
    `DELETE FROM quotes WHERE id = '${shop.declined}'`,
  ],
  [
    'the percentage of a discount code is raised',
    'discount code TEN: its terms are not what the audit log has',
    `UPDATE discounts SET percent = 90 WHERE code = 'TEN'`,
  ],
  [
    'a discount code that has ended counts again',
    'discount code OLD: whether it has ended is not what the audit log has',
    `UPDATE discounts SET ended_at = NULL WHERE code = 'OLD'`,
  ],
  ['a discount code is deleted', 'order C-1006: its discount code is gone', `DELETE FROM discounts WHERE code = 'TEN'`],
  [
    'the sales of a day are changed',
    'sales of a day: they are 4 orders, 200001 cents, and by the paid orders 4 orders, 200000 cents',
    `UPDATE daily_sales SET revenue_cents = revenue_cents + 1`,
  ],
  [
    'the refunds of a month are changed',
    'sales of a month of …: they are 1 orders, 2 pieces, 50000 cents, 10001 refunded, 0 off, and by the paid orders 1 orders, 2 pieces, 50000 cents, 10000 refunded, 0 off',
    `UPDATE monthly_sales SET refunded_cents = refunded_cents + 1
      WHERE rowid = (SELECT rowid FROM monthly_sales ORDER BY refunded_cents DESC, revenue_cents DESC LIMIT 1)`,
  ],
  [
    'the customers of a month are changed',
    'customers of a month: they are 4 new, 1 returning, and by the paid orders 4 new, 0 returning',
    `UPDATE monthly_customers SET returning_customers = returning_customers + 1`,
  ],
  [
    'a customer who paid is forgotten',
    'customers with the id …: they are no customers, and by the paid orders new',
    `DELETE FROM buyers`,
  ],
  [
    'an instrument is deleted',
    'event … "stock counted": its product is gone',
    `DELETE FROM instruments WHERE id = '${shop.violin}'`,
  ],
]

async function wordsOf(file: string, statements: string[]): Promise<string> {
  const { client, close } = await openCopy(file)
  try {
    const db = drizzle(client)
    const triggers = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
    await client.executeMultiple(
      [
        'PRAGMA foreign_keys = OFF',
        'PRAGMA ignore_check_constraints = ON',
        ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
        ...statements,
        '',
      ].join(';\n'),
    )
    return plain((await findingsIn(db))[0] ?? '')
  } finally {
    close()
  }
}

/** Without ids and times, which are others each time. */
function plain(finding: string): string {
  return finding
    .replace(/ \([^)]*\)/g, '')
    .replace(/^event \d+/, 'event …')
    .replace(/\b[\w-]{20,}\b|\b\d{7,}\b/g, '…')
    .replace(/sales of \d+-\d+-\d+/, 'sales of a day')
    .replace(/customers of \d+-\d+/, 'customers of a month')
    .replace(/sales of \d+-\d+ of \S+(?=:)/, 'sales of a month of …')
}

test('finds what is changed in a copy of the shop, and names it', async ({ shop }) => {
  const attacks = attacksOn(await busyShop(shop))
  expect(await findingsOf(shop)).toEqual([])
  const file = await fileOf(shop)
  for (const [what, words, ...statements] of attacks) {
    expect([what, await wordsOf(file, statements)]).toEqual([what, words])
    // SQLite answers at once, and no timer would close idle connections to the sandbox meanwhile.
    await setImmediate()
  }
})

test('finds a trigger that is gone, and one that does nothing any more', async ({ shop: { deps } }) => {
  expect(await findTriggerChanges(deps.db)).toEqual([])
  await deps.db.run(sql`DROP TRIGGER orders_keep_their_terms`)
  expect(await findTriggerChanges(deps.db)).toEqual(['trigger orders_keep_their_terms: it is gone'])
  await deps.db.run(sql`CREATE TRIGGER orders_keep_their_terms BEFORE UPDATE OF id ON orders BEGIN SELECT 1; END`)
  expect(await findTriggerChanges(deps.db)).toEqual(['trigger orders_keep_their_terms: it was changed'])
})

async function fileOf({ deps }: Store): Promise<string> {
  const [main] = await deps.db.all<{ file: string }>(sql`SELECT file FROM pragma_database_list WHERE name = 'main'`)
  return main!.file
}

async function findingsIn(db: Store['deps']['db']): Promise<string[]> {
  const findings: string[] = []
  await verifyRows(db, (finding) => findings.push(finding))
  return findings
}

async function findingsOf(shop: Store): Promise<string[]> {
  await shop.readLog()
  return findingsIn(shop.deps.db)
}

test('finds nothing in a shop that nobody tampered with: empty, and after what takes rows away', async ({ shop }) => {
  const { deps } = shop
  expect(await findingsOf(shop)).toEqual([])
  const names = await busyShop(shop)
  const admin = { id: names.admin }
  const blank = Object.fromEntries(importColumns.map((column) => [column, ''])) as ImportLine['cells']
  const cells = { ...blank, name: 'Rebec', img: '/r.svg', price: '12.50', minQuantity: '1', availableQuantity: '5' }
  await importInstruments(deps, admin, [{ line: 2, cells }])
  await removeInstrument(deps, names.admin, names.violin)
  // Its answered request goes; the accepted one stays with its order, which is paid.
  await payAt((await startCheckout(deps, { id: names.ada }, names.accepted)).url)
  await confirmOrderPayment(deps, names.accepted)
  await closeAccount(deps, { id: names.ada })
  await eraseOldOrders({ ...deps, now: () => Date.now() + 20 * 365 * day })
  await deps.db.run(sql`UPDATE shop_settings SET invoice_series = 2`)
  const next = await aPaidOrder(shop)
  await refundOrder(deps, admin, next.id, { submissionId: newId(), amount: 1_00, reason: 'Dent' })
  expect(await deps.db.all(sql`SELECT name FROM users WHERE id = ${names.ada}`)).toEqual([{ name: 'Closed account' }])
  expect(await findingsOf(shop)).toEqual([])
})

test('finds nothing in a shop of several pages, and what is wrong on the last', async ({ shop }) => {
  const [customer, admin] = [await shop.customer(), await shop.customer()]
  await grantAdmin(shop.deps, 'test', admin.email)
  await fill(shop, customer, 1100)
  expect(await findingsOf(shop)).toEqual([])
  await shop.deps.db.run(sql`UPDATE instruments SET available_quantity = 3 WHERE id = 'i1100'`)
  await shop.deps.db.run(sql`UPDATE users SET role = 'admin' WHERE id = 'u1100'`)
  expect(await findingsOf(shop)).toEqual([
    expect.stringContaining('product i1100'),
    expect.stringContaining('user u1100'),
  ])
})
