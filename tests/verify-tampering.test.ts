import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/web'
import { expect } from 'vitest'
import { askForPrice, declineQuote, offerPrice } from '../app/store/quotes/quotes.server'
import { grantAdmin, revokeAdmin } from '../app/store/accounts/users.server'
import { findHead, sealEvents } from '../app/store/chain/seal.server'
import { verifyChain } from '../app/store/chain/verify-chain.server'
import { verifyRows } from '../app/store/chain/verify-rows.server'
import { importColumns, importInstruments, type ImportLine } from '../app/store/catalog/import-instruments.server'
import { removeInstrument } from '../app/store/catalog/manage-instruments.server'
import { closeAccount, eraseOldOrders } from '../app/store/privacy/close-account.server'
import type { Deps } from '../app/store/deps'
import { newId } from '../app/store/shared/ids.server'
import { createDiscount, endDiscount, NewDiscount } from '../app/store/discounts/manage-discounts.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { acceptQuote } from '../app/store/ordering/accept-quote.server'
import { shipOrder } from '../app/store/orders/manage-order.server'
import { confirmOrderPayment } from '../app/store/payments/confirm-payment.server'
import { startCheckout } from '../app/store/payments/payments.server'
import { refundOrder } from '../app/store/payments/order-refunds.server'
import { addReview } from '../app/store/reviews/reviews.server'
import { formatted } from '../dev/format'
import { findTriggerChanges } from '../dev/triggers'
import { fill } from './support/filled-shop'
import { payAt } from './support/hosted-page'
import { aPaidOrder, anOrder } from './support/payments'
import { day, openCopy, orderInput, parcel, test, type Store } from './support/store'

/** WRITE_TAMPERING_TABLE=1 writes the results to the table in decision 35. */
const document = 'docs/decisions/0035-provable-receipts.md'
const [begin, end] = ['<!-- tampering table -->', '<!-- end of the tampering table -->']

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
  await sealEvents(deps)
  return {
    ...{ paid: paid.id, shipped: shipped.id, unpaid: unpaid.id, accepted },
    ...{ refund: made, failed, owed: owed!.id, open, taken, declined },
    ...{ admin: admin.id, former: former.id, ada: ada.id, closed: gone.customer.id, violin },
    discounted,
  }
}

interface Attack {
  statements: string[]
  /** The cron trigger runs afterwards. */
  seal?: boolean
}

const by = (...statements: string[]): Attack => ({ statements })
const thenSealed = (...statements: string[]): Attack => ({ statements, seal: true })

const rewriteLinks = 'DELETE FROM chain_links'
const swap = (table: string, one: number, other: number) => [
  `UPDATE ${table} SET number = -1 WHERE series = 1 AND number = ${one}`,
  `UPDATE ${table} SET number = ${one} WHERE series = 1 AND number = ${other}`,
  `UPDATE ${table} SET number = ${other} WHERE series = 1 AND number = -1`,
]

/** What somebody does who has the database, by the row that it is done to. */
const attacksOn = (shop: Names): Record<string, Record<string, Attack>> => ({
  order: {
    'its price and total are lowered': by(
      `UPDATE orders SET unit_price_cents = 100, total_cents = 200 WHERE id = '${shop.paid}'`,
    ),
    'it is marked as paid': by(
      `UPDATE orders SET state = 'paid', paid_at = 5, transaction_id = 'pi_no' WHERE id = '${shop.unpaid}'`,
    ),
    'it is marked as unpaid': by(
      `UPDATE orders SET state = 'unpaid', paid_at = NULL, transaction_id = NULL WHERE id = '${shop.paid}'`,
    ),
    'its transaction id is replaced': by(`UPDATE orders SET transaction_id = 'pi_no' WHERE id = '${shop.paid}'`),
    'it is given to another customer': by(`UPDATE orders SET customer_id = '${shop.ada}' WHERE id = '${shop.paid}'`),
    'it is deleted': by(`DELETE FROM orders WHERE id = '${shop.paid}'`),
    'it is deleted, with its events and its invoice': by(
      `DELETE FROM orders WHERE id = '${shop.paid}'`,
      `DELETE FROM audit_log WHERE order_id = '${shop.paid}'`,
      `DELETE FROM invoices WHERE order_id = '${shop.paid}'`,
    ),
    'one is added': by(
      `CREATE TABLE copy AS SELECT * FROM orders WHERE id = '${shop.unpaid}'`,
      `UPDATE copy SET id = 'new', number = 9999, submission_id = 'new'`,
      `INSERT INTO orders SELECT * FROM copy`,
    ),
    'the newest is deleted, with its events and links': by(
      `DELETE FROM chain_links WHERE event_id IN (SELECT id FROM audit_log WHERE order_id = '${shop.unpaid}')`,
      `UPDATE instruments SET available_quantity = 10 WHERE id = (SELECT instrument_id FROM orders WHERE id = '${shop.unpaid}')`,
      `DELETE FROM audit_log WHERE order_id = '${shop.unpaid}'`,
      `DELETE FROM orders WHERE id = '${shop.unpaid}'`,
    ),
    'name and address of a paid one': by(
      `UPDATE orders SET customer_name = 'Mallory', customer_address = 'Elsewhere' WHERE id = '${shop.paid}'`,
    ),
    'name and address of an unpaid one': by(
      `UPDATE orders SET customer_name = 'Mallory', customer_address = 'Elsewhere' WHERE id = '${shop.unpaid}'`,
    ),
    'its offer is taken off, so that it can be used again': by(
      `UPDATE orders SET quote_id = NULL WHERE id = '${shop.accepted}'`,
    ),
    'its discount code is taken off': by(
      `UPDATE orders SET discount_code = NULL, discount_cents = NULL WHERE id = '${shop.discounted}'`,
    ),
    'its discount is changed': by(`UPDATE orders SET discount_cents = 1 WHERE id = '${shop.discounted}'`),
    'one gets a discount code': by(
      `UPDATE orders SET discount_code = 'TEN', discount_cents = 10 WHERE id = '${shop.unpaid}'`,
      `UPDATE discounts SET uses = uses + 1`,
    ),
    'parcel, note for colleagues, end of the hold': by(
      `UPDATE orders SET carrier = 'x', staff_note = 'x', hold_until = 5 WHERE id = '${shop.shipped}'`,
    ),
  },
  refund: {
    'it is deleted': by(`DELETE FROM order_refunds WHERE id = '${shop.refund}'`),
    'its amount is changed': by(`UPDATE order_refunds SET amount_cents = 1 WHERE id = '${shop.refund}'`),
    'the sum in the order is changed': by(`UPDATE orders SET refunded_cents = 0 WHERE id = '${shop.shipped}'`),
    'an owed one is marked as made': by(
      `UPDATE order_refunds SET refund_id = 're_no', made_at = 5 WHERE id = '${shop.owed}'`,
    ),
    'one is added': by(
      `INSERT INTO order_refunds (id, order_id, submission_id, amount_cents, reason, moved_by, created_at)
        VALUES ('rf_no', '${shop.paid}', 'x', 100, 'x', 'x', 5)`,
    ),
    'its reason is changed': by(`UPDATE order_refunds SET reason = 'x' WHERE id = '${shop.refund}'`),
  },
  event: {
    'it is deleted': by(`DELETE FROM audit_log WHERE order_id = '${shop.paid}' AND event = 'order paid'`),
    'it is deleted with its link': by(
      `DELETE FROM chain_links WHERE event_id = (SELECT id FROM audit_log WHERE order_id = '${shop.paid}' AND event = 'order paid')`,
      `DELETE FROM audit_log WHERE order_id = '${shop.paid}' AND event = 'order paid'`,
    ),
    'its pieces are changed, and the stock': by(
      `UPDATE audit_log SET stock_delta = stock_delta + 5 WHERE instrument_id = '${shop.violin}' AND note = 'opening stock'`,
      `UPDATE instruments SET available_quantity = available_quantity + 5 WHERE id = '${shop.violin}'`,
    ),
    'one is added between others': by(
      `UPDATE audit_log SET id = -1 WHERE id = 2`,
      `INSERT INTO audit_log (id, at, event, actor) VALUES (2, 5, 'shop emails changed', 'x')`,
    ),
    'who did it is changed': by(`UPDATE audit_log SET actor = 'x'`),
  },
  chain: {
    'a link is changed': by(
      `UPDATE chain_links SET hash = substr(hash, 2) || iif(hash LIKE '%Z', 'Y', 'Z') WHERE position = 5`,
    ),
    'a link is deleted': by(`DELETE FROM chain_links WHERE position = 5`),
    'the newest links are cut off, and the same are sealed again': thenSealed(
      `DELETE FROM chain_links WHERE position > 5`,
    ),
    'the newest links are cut off, an order of theirs is changed, and others are sealed': thenSealed(
      `DELETE FROM chain_links WHERE position > 5`,
      `UPDATE orders SET unit_price_cents = 100, total_cents = 200 WHERE id = '${shop.unpaid}'`,
    ),
    'all links are written anew after a price was changed': thenSealed(
      rewriteLinks,
      `UPDATE orders SET unit_price_cents = unit_price_cents + 1, total_cents = total_cents + quantity WHERE id = '${shop.unpaid}'`,
    ),
  },
  invoice: {
    'it is deleted': by(`DELETE FROM invoices WHERE series = 1 AND number = 2`),
    'the newest is deleted': by(
      `DELETE FROM invoices WHERE (series, number) = (SELECT series, max(number) FROM invoices)`,
    ),
    'it is deleted, and those after it are numbered anew': by(
      `DELETE FROM invoices WHERE series = 1 AND number = 1`,
      `UPDATE invoices SET number = number + 100`,
      `UPDATE invoices SET number = number - 101`,
    ),
    'two change their numbers': by(...swap('invoices', 2, 3)),
    'its number is changed': by(`UPDATE invoices SET number = 99 WHERE number = 2`),
    'its series is changed': by(`UPDATE invoices SET series = 2 WHERE number = 4`),
    'its buyer is changed': by(`UPDATE invoices SET buyer_name = 'Mallory' WHERE number = 2`),
    'its day is changed': by(`UPDATE invoices SET issued_at = issued_at - 400 * 86400000 WHERE number = 1`),
    'its total is changed (the order’s)': by(
      `UPDATE orders SET unit_price_cents = 1, total_cents = quantity WHERE id = '${shop.shipped}'`,
    ),
    'its seller is changed to an earlier one': by(`UPDATE invoices SET seller_id = 1 WHERE number = 4`),
    'its seller is changed to a later one': by(`UPDATE invoices SET seller_id = 2 WHERE number = 1`),
    'one is added, of an unpaid order': by(
      `INSERT INTO invoices (order_id, series, number, issued_at, seller_id, buyer_name, buyer_address)
        SELECT id, 1, 5, 5, 2, customer_name, customer_address FROM orders WHERE id = '${shop.unpaid}'`,
    ),
    'all are deleted, and the shop is said to have had none': by(
      `DELETE FROM invoices`,
      `DELETE FROM credit_notes`,
      `UPDATE shop_settings SET invoices_after = 9999999`,
    ),
  },
  'credit note': {
    'it is deleted': by(`DELETE FROM credit_notes WHERE number = 1`),
    'the newest is deleted': by(`DELETE FROM credit_notes WHERE number = (SELECT max(number) FROM credit_notes)`),
    'its amount is changed': by(`UPDATE credit_notes SET amount_cents = 1 WHERE number = 1`),
    'two change their numbers': by(...swap('credit_notes', 1, 2)),
    'its day is changed': by(`UPDATE credit_notes SET issued_at = 5 WHERE number = 1`),
    'its reversal is deleted': by(`DELETE FROM credit_notes WHERE is_reversal`),
    'one is added': by(
      `INSERT INTO credit_notes SELECT 1, 5, order_id, id, 0, amount_cents, created_at FROM order_refunds WHERE id = '${shop.owed}'`,
    ),
  },
  seller: {
    'its VAT rate is changed': by(`UPDATE sellers SET vat_rate = 700 WHERE id = 1`),
    'its VAT number or address is changed': by(`UPDATE sellers SET vat_number = 'IT0', address = 'x' WHERE id = 2`),
    'it is deleted, and its invoices have the other': by(
      `DELETE FROM sellers WHERE id = 2`,
      `UPDATE invoices SET seller_id = 1`,
    ),
    'one is added': by(`INSERT INTO sellers (name, address, vat_rate, created_at) VALUES ('x', 'x', 0, 5)`),
  },
  stock: {
    'it is raised': by(
      `UPDATE instruments SET available_quantity = available_quantity + 1 WHERE id = '${shop.violin}'`,
    ),
    'it is lowered': by(
      `UPDATE instruments SET available_quantity = available_quantity - 1 WHERE id = '${shop.violin}'`,
    ),
    'it is raised by an event of its own, as the shop does': by(
      `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta) VALUES (5, 'stock counted', 'x', '${shop.violin}', 1)`,
      `UPDATE instruments SET available_quantity = available_quantity + 1 WHERE id = '${shop.violin}'`,
    ),
  },
  user: {
    'is made an admin': by(`UPDATE users SET role = 'admin' WHERE id = '${shop.ada}'`),
    'is made an admin with the event of another': by(
      `UPDATE users SET role = 'admin' WHERE id = '${shop.ada}'`,
      `UPDATE audit_log SET user_id = '${shop.ada}' WHERE event = 'admin granted' AND user_id = '${shop.former}'`,
    ),
    'is made an admin by an event of its own, as the shop does': by(
      `UPDATE users SET role = 'admin' WHERE id = '${shop.ada}'`,
      `INSERT INTO audit_log (at, event, actor, user_id) VALUES (5, 'admin granted', 'x', '${shop.ada}')`,
    ),
    'is made a packer': by(`UPDATE users SET staff_role = 'packer' WHERE id = '${shop.ada}'`),
    'is no admin any more': by(`UPDATE users SET role = 'customer' WHERE id = '${shop.admin}'`),
    'a closed account is open again': by(`UPDATE users SET closed_at = NULL WHERE id = '${shop.closed}'`),
    'the row is deleted': by(`DELETE FROM users WHERE id = '${shop.former}'`),
    'has another email, name or address': by(`UPDATE users SET email = 'mallory@example.com' WHERE id = '${shop.ada}'`),
    'has another password, or one more passkey or session': by(
      `INSERT INTO passwords VALUES ('${shop.ada}', 'x', 5)`,
      `INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES ('x', '${shop.admin}', 5, 5, 5)`,
      `INSERT INTO passkeys VALUES ('x', '${shop.admin}', 'x', 'x', 0, 'x', 5, NULL)`,
    ),
  },
  quote: {
    'the price of an open offer': by(`UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.open}'`),
    'quantity or last day of an open offer': by(
      `UPDATE quotes SET quantity = 4, valid_until = valid_until + 86400000 WHERE id = '${shop.open}'`,
    ),
    'an offer goes to another customer': by(
      `UPDATE quotes SET customer_id = '${shop.former}' WHERE id = '${shop.open}'`,
    ),
    'the price of an accepted offer': by(`UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.taken}'`),
    'a declined one is an offer again': by(`UPDATE quotes SET state = 'offered' WHERE id = '${shop.declined}'`),
    'an answered one is open again': by(
      `UPDATE quotes SET state = 'asked', quantity = NULL, unit_price_cents = NULL, valid_until = NULL, answered_by = NULL,
        answered_at = NULL WHERE id = '${shop.open}'`,
    ),
    'an offer is added': by(
      `INSERT INTO quotes (id, customer_id, instrument_id, submission_id, wanted_quantity, created_at, state, quantity, unit_price_cents,
        valid_until, answered_by, answered_at) VALUES ('new', '${shop.ada}', '${shop.violin}', 'x', 1, 5, 'offered', 1, 100, 9, 'x', 5)`,
    ),
    'an offer is offered again by an event of its own': by(
      `UPDATE quotes SET unit_price_cents = 100 WHERE id = '${shop.open}'`,
      `INSERT INTO audit_log (at, event, actor, submission_id) SELECT answered_at, 'quote offered', answered_by, json_array('quote', id,
        state, customer_id, instrument_id, quantity, unit_price_cents, valid_until) FROM quotes WHERE id = '${shop.open}'`,
    ),
    'an answered one is deleted': by(`DELETE FROM quotes WHERE id = '${shop.declined}'`),
    'one that waits is deleted': by(`DELETE FROM quotes WHERE state = 'asked'`),
    'the words of both sides': by(`UPDATE quotes SET note = 'x', reply = 'x'`),
  },
  'discount code': {
    'its percentage is raised': by(`UPDATE discounts SET percent = 90 WHERE code = 'TEN'`),
    'it may be used again': by(`UPDATE discounts SET uses = 0 WHERE code = 'TEN'`),
    'it may be used more often': by(`UPDATE discounts SET max_uses = 9 WHERE code = 'TEN'`),
    'one that has ended counts again': by(`UPDATE discounts SET ended_at = NULL WHERE code = 'OLD'`),
    'it is deleted': by(`DELETE FROM discounts WHERE code = 'TEN'`),
    'one is added': by(`INSERT INTO discounts (code, percent, from_at, created_at) VALUES ('MINE', 99, 5, 5)`),
    'its families are changed': by(`UPDATE discounts SET families = '["brass"]' WHERE code = 'TEN'`),
  },
  sales: {
    'the sum of a day is changed': by(`UPDATE daily_sales SET revenue_cents = revenue_cents + 1`),
    'a day is deleted': by(`DELETE FROM daily_sales`),
    'a day is added': by(`INSERT INTO daily_sales VALUES (1, 1, 1)`),
    'a refund of a month is changed': by(
      `UPDATE monthly_sales SET refunded_cents = refunded_cents + 1 WHERE rowid = (SELECT rowid FROM monthly_sales ORDER BY refunded_cents DESC, revenue_cents DESC LIMIT 1)`,
    ),
    'a month is deleted': by(
      `DELETE FROM monthly_sales WHERE rowid = (SELECT rowid FROM monthly_sales ORDER BY refunded_cents DESC, revenue_cents DESC LIMIT 1)`,
    ),
    'a month is added': by(`INSERT INTO monthly_sales VALUES ('2020-01', '${shop.violin}', 1, 1, 1, 0, 0)`),
    'the customers of a month are changed': by(
      `UPDATE monthly_customers SET returning_customers = returning_customers + 1`,
    ),
    'a month of customers is deleted': by(`DELETE FROM monthly_customers`),
    'a customer who paid is forgotten': by(`DELETE FROM buyers`),
    'a customer counts as returning': by(`UPDATE buyers SET last_month = '2020-01'`),
  },
  trigger: {
    'it is dropped': by(`DROP TRIGGER IF EXISTS orders_keep_their_terms`),
    'it does nothing any more': by(
      `DROP TRIGGER IF EXISTS orders_keep_their_terms`,
      `CREATE TRIGGER orders_keep_their_terms BEFORE UPDATE OF id ON orders BEGIN SELECT 1; END`,
    ),
  },
  product: {
    'its price or name is changed': by(
      `UPDATE instruments SET price_cents = 1, name = 'x' WHERE id = '${shop.violin}'`,
    ),
    'its price breaks are changed': by(`UPDATE instruments SET price_breaks = '[]' WHERE id = '${shop.violin}'`),
    'it is hidden, or shown again': by(`UPDATE instruments SET removed_at = 5, hidden = 1 WHERE id = '${shop.violin}'`),
    'it is deleted': by(`DELETE FROM instruments WHERE id = '${shop.violin}'`),
  },
  other: {
    'the text of a review': by(`UPDATE reviews SET description = 'x'`),
    'a message, an email that waits, a setting': by(
      `UPDATE emails SET recipient = 'x'`,
      `UPDATE shop_settings SET order_emails = 'each'`,
    ),
  },
})

interface Outcome {
  verdict: 'found' | 'only with `--head`' | 'never'
  words: string
}

async function triedOn(file: string, head: string, deps: Deps, kind: string, { statements, seal }: Attack) {
  const { client, close } = await openCopy(file)
  try {
    const its = { ...deps, db: drizzle(client) }
    const triggers = await its.db.all<{ name: string; sql: string }>(
      sql`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
    )
    await client.executeMultiple(
      [
        'PRAGMA foreign_keys = OFF',
        'PRAGMA ignore_check_constraints = ON',
        ...(kind === 'trigger' ? [] : triggers.map(({ name }) => `DROP TRIGGER ${name}`)),
        ...statements,
        // As before, so that they do not tell.
        ...(kind === 'trigger' ? [] : triggers.map((trigger) => trigger.sql)),
        '',
      ].join(';\n'),
    )
    if (seal) await sealEvents(its)
    return await verdictOn(its, head, kind)
  } finally {
    close()
  }
}

async function verdictOn(deps: Deps, head: string, kind: string): Promise<Outcome> {
  const findings: string[] = kind === 'trigger' ? await findTriggerChanges(deps.db) : []
  const { foundAt } = await verifyChain(deps, (finding) => findings.push(finding), head)
  await verifyRows(deps, (finding) => findings.push(finding))
  const [first] = findings
  if (first !== undefined) return { verdict: 'found', words: plain(first) }
  if (foundAt === null) return { verdict: 'only with `--head`', words: 'no link has the hash' }
  return { verdict: 'never', words: '' }
}

/** Without ids and times, which are others each time. */
function plain(finding: string): string {
  return finding
    .replace(/ \([^)]*\)/g, '')
    .replace(/\b[\w-]{20,}\b|\b\d{7,}\b/g, '…')
    .replace(/sales of \d+-\d+-\d+/, 'sales of a day')
    .replace(/customers of \d+-\d+/, 'customers of a month')
    .replace(/sales of \d+-\d+ of \S+(?=:)/, 'sales of a month of …')
}

test('finds what is changed in a copy of the shop, as the table of decision 35 says', async ({ shop }) => {
  const names = await busyShop(shop)
  const { position, hash } = (await findHead(shop.deps))!
  expect(await verdictOn(shop.deps, hash, '')).toEqual({ verdict: 'never', words: '' })
  const file = await fileOf(shop)
  const rows: string[][] = []
  for (const [kind, attacks] of Object.entries(attacksOn(names))) {
    for (const [what, attack] of Object.entries(attacks)) {
      const { verdict, words } = await triedOn(file, hash, shop.deps, kind, attack)
      rows.push([kind, what, verdict, words])
    }
  }
  expect(position).toBeGreaterThan(20)
  const lines = [['row', 'what is done', '`npm run verify`', 'the first of its words'], Array(4).fill('---'), ...rows]
  const table = await formatted(document, lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
  const markdown = readFileSync(document, 'utf8')
  const [before, after] = [markdown.split(begin)[0]!, markdown.split(end)[1]!]
  if (process.env.WRITE_TAMPERING_TABLE) writeFileSync(document, `${before}${begin}\n\n${table}\n${end}${after}`)
  expect(markdown.split(begin)[1]!.split(end)[0]!.trim()).toBe(table.trim())
})

async function fileOf({ deps }: Store): Promise<string> {
  const [main] = await deps.db.all<{ file: string }>(sql`SELECT file FROM pragma_database_list WHERE name = 'main'`)
  return main!.file
}

async function findingsOf(deps: Deps): Promise<string[]> {
  const findings: string[] = []
  await verifyChain(deps, (finding) => findings.push(finding))
  await verifyRows(deps, (finding) => findings.push(finding))
  return findings
}

test('finds nothing in a shop that nobody tampered with: empty, and after what takes rows away', async ({ shop }) => {
  const { deps } = shop
  expect(await findingsOf(deps)).toEqual([])
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
  await sealEvents(deps, 10)
  expect(await deps.db.all(sql`SELECT name FROM users WHERE id = ${names.ada}`)).toEqual([{ name: 'Closed account' }])
  expect(await findingsOf(deps)).toEqual([])
})

test('finds nothing in a shop of several pages, and what is wrong on the last', async ({ shop }) => {
  const [customer, admin] = [await shop.customer(), await shop.customer()]
  await grantAdmin(shop.deps, 'test', admin.email)
  await fill(shop, customer, 1100)
  expect(await findingsOf(shop.deps)).toEqual([])
  await shop.deps.db.run(sql`UPDATE instruments SET available_quantity = 3 WHERE id = 'i1100'`)
  await shop.deps.db.run(sql`UPDATE users SET role = 'admin' WHERE id = 'u1100'`)
  expect(await findingsOf(shop.deps)).toEqual([
    expect.stringContaining('product i1100'),
    expect.stringContaining('user u1100'),
  ])
})
