import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from './support/filled-shop'
import { Host } from './support/host'
import { planOf, Recorder, type Statement } from './support/recorder'
import { Shop } from './support/shop'
import { tour } from './support/tour'

const rows = 2_000
/** The rows that a statement for a page of 50 may read. */
const max = 250
/** The specification has these lists without a limit; a customer's own data are whole too. */
const wholeList = {
  during:
    /^GET \/(instruments|reviews|user|order)(\?customerEmail=[^&]*)?$|^\/((sitemap|merchant)\.xml|catalog\.html)$|\.csv(\?|$)|\/data(\.json|\/close)$/,
  max: 2_100,
}

const allowed: { statement: RegExp; during?: RegExp; plan?: RegExp; why: string }[] = [
  {
    statement: /log_readers AS reader CROSS JOIN|UPDATE log_readers/,
    plan: /^(SCAN (event|endpoint|log_readers|shop_settings|\(subquery)|USE TEMP B-TREE)/,
    why: 'Of the new events, 500 at most, for six readers and ten endpoints.',
  },
  {
    statement: /UPDATE log_readers|update "webhook_deliveries"/,
    why: '500 events of each reader, or what waits for an endpoint that does not answer.',
  },
  { statement: /FROM log_readers/, plan: /^SCAN log_readers$/, why: 'Six readers.' },
  { statement: /where false$/, plan: /^SCAN emails$/, why: 'None: nothing is read.' },
  {
    statement: /"name" LIKE \?/,
    why: 'Signs, and in the search of users words of one or two characters, are in no index.',
  },
  {
    statement: /(instrument_search|instrument_words|user_search) MATCH/,
    why: 'The full-text index finds at most 1,500 that are sorted, or the page fills soon (decisions 22, 43).',
  },
  {
    statement: /^(INSERT|DELETE)( OR REPLACE)? (INTO|FROM) (instrument_search|instrument_words|user_search)\b/,
    plan: /^SCAN (\(subquery|(layer|instrument_search|instrument_words) VIRTUAL)/,
    why: 'One row, whose letters are replaced in steps.',
  },
  {
    statement: /^(INSERT|DELETE) (INTO|FROM) (instrument_search|instrument_words)\b/,
    during: /^changing a family$/,
    why: 'The search has the name of the family with each of its products (decision 51).',
  },
  {
    statement: /^INSERT INTO orders /,
    plan: /^SCAN (usual|json_each VIRTUAL)/,
    why: 'One row: the price of the product, from a handful.',
  },
  { statement: /json_each\(\?\) r\b/, plan: /^SCAN r VIRTUAL/, why: 'The products of one change.' },
  { statement: / AS news\b/, plan: /^SCAN news$/, why: 'The products of one change, as they will be.' },
  { statement: /^INSERT INTO sellers /, why: 'All invoices without a seller, once for each change of the seller.' },
  { statement: /^INSERT INTO quotes /, why: 'The price requests of one customer.' },
  { statement: /where 0 order by "instruments"\."search_id"/, plan: /^SCAN instruments$/, why: 'Finds nothing.' },
  {
    statement:
      /^delete from "(sessions|access_tokens|drafts|email_tokens|rate_limits|submissions|webhook_events|webhook_deliveries|wishes|contact_messages)"/,
    during: /^the cron trigger$/,
    why: 'Tables that hold the rows of some days: an index would cost each request that writes into them.',
  },
  {
    statement:
      /^delete from "(sessions|access_tokens|drafts|email_tokens|rate_limits|submissions|webhook_events|webhook_deliveries|wishes|contact_messages)"/,
    during: /^the cron trigger$/,
    plan: /^SCAN (sessions|access_tokens|drafts|email_tokens|rate_limits|submissions|webhook_events|webhook_deliveries|wishes|contact_messages)$/,
    why: 'The same.',
  },
  {
    statement: /from "settings_versions" .* limit \?$/,
    plan: /^SCAN settings_versions$/,
    why: 'From the end: the newest eleven.',
  },
  {
    statement:
      /SELECT document ->> 'timeZone' FROM settings_versions WHERE saved_at <= \w+\.issued_at ORDER BY version DESC LIMIT 1/,
    plan: /^SCAN settings_versions$/,
    why: 'From the end, to the settings of the day of an invoice: a shop saves its settings some hundred times (decision 67).',
  },
  {
    statement: /./,
    plan: /^SCAN (pages( USING (COVERING )?INDEX \w+)?|old VIRTUAL TABLE INDEX 1:)$/,
    why: 'The pages of the shopkeeper are at most a hundred (decision 48).',
  },
  { statement: /(from|update) "?pages"?/i, plan: /FOR ORDER BY|^SCAN \(subquery/, why: 'The same.' },
  { statement: /FROM (shop_settings|next_order_number)/, plan: /^SCAN shop_settings$/, why: 'One row.' },
  {
    statement: /refunds/i,
    plan: /^SCAN refunds$/,
    why: 'Payments of orders that were cancelled or paid already are few.',
  },
  { statement: /(from|FROM) "?refunds"? .*(refund_id|failed_at)/, why: 'The same.' },
  { statement: /drafts/, plan: /^SCAN drafts$/, why: 'Forms of the last minutes that nobody has fetched.' },
  {
    statement:
      /'hold ends:'|from "orders" where \("orders"\."state" = 'unpaid' and "orders"\."hold_until" <= \?\) order by random/,
    why: 'The unpaid orders, which an index has: the cron trigger cancels those whose hold has ended.',
  },
  { statement: /'hold ends:'/, plan: /FOR ORDER BY/, why: 'The same.' },
  { statement: /from "discounts"/, plan: /FOR ORDER BY|^SCAN discounts$/, why: 'Codes that an admin has made.' },
  {
    statement: /img LIKE 'https:%'/,
    during: /^(\/dashboard\/manageProduct\/pictures|admin\/copy-pictures)$/,
    why: 'Pictures at other shops have no index: an admin copies them once, after an import (decision 26).',
  },
  {
    statement: /unmatched_payments/,
    plan: /^SCAN unmatched_payments$|FOR ORDER BY/,
    why: 'Payments without an order are few.',
  },
  {
    statement: /FROM disputes/,
    plan: /^SCAN (disputes|its|\(subquery-\d+\))$|FOR ORDER BY/,
    why: 'Disputed payments are few.',
  },
  {
    statement: /FROM \( SELECT transaction_id AS id, order_id/,
    plan: /^SCAN (refunds|order_refunds)( USING INDEX \w+)?$|^SCAN its|FOR ORDER BY|^COMPOUND|^CO-ROUTINE/,
    why: 'Refunds that are owed or have failed, which partial indexes have.',
  },
  {
    statement: /cron_finished_at FROM health/,
    plan: /^SCAN (health|\(subquery-\d+\))$/,
    why: 'One row, and a bounded count.',
  },
  { statement: /^\s*SELECT emails\.recipient AS id/, plan: /FOR ORDER BY/, why: 'Emails that wait or were given up.' },
  {
    statement: /empty_searches/,
    plan: /^SCAN empty_searches( USING (COVERING )?INDEX \w+)?$|FOR (LAST TERM OF |RIGHT PART OF )?ORDER BY/,
    why: 'At most 200 of a month, for a year: 2,400.',
  },
  {
    statement: /api_keys/,
    plan: /^SCAN api_keys( USING COVERING INDEX \w+)?$|FOR ORDER BY/,
    why: 'The shop has at most fifty keys (decision 49).',
  },
  {
    statement: /webhook_endpoints/,
    plan: /^SCAN (webhook_endpoints|e)( USING (COVERING )?INDEX \w+)?$|^SCAN (json_each|lane VIRTUAL)|FOR ORDER BY/,
    why: 'The shop has at most ten endpoints (decision 50).',
  },
  {
    statement: /"instruments"\."id" in \(.*order by coalesce\("instruments"\."name_key"/i,
    plan: /FOR ORDER BY/,
    why: 'At most 25 products that were ticked.',
  },
  {
    statement: /INSERT INTO discounts/,
    plan: /^SCAN discounts$/,
    why: 'Codes that an admin has made, once for each new one (decision 53).',
  },
  {
    statement: /webhook_deliveries/,
    plan: /^SCAN json_each|FOR ORDER BY/,
    why: 'The endpoints that have failed in this run.',
  },
  {
    statement: /^SELECT newest\.version/,
    plan: /^SCAN (last|\(subquery-\d+\))$/,
    why: 'One row: the newest version. And at most a hundred pages (decisions 47, 48).',
  },
  {
    statement: /families|^SELECT newest\.version/,
    plan: /^SCAN (families|all_families|other|discounts)( USING (COVERING )?INDEX \w+)?$|FOR ORDER BY|^CO-ROUTINE|^SCAN json_each/,
    why: 'A shop has at most twenty families, and few codes (decisions 51, 53).',
  },
  {
    statement: /^(delete from|update|insert into) "?families"?/i,
    during: /^admin\/(edit-family|families)/,
    why: 'The foreign key looks for the products of the family; their words in the search change with its name.',
  },
  {
    statement: /from "instruments" where "instruments"."family_slug" = \? limit \?$/,
    during: /^admin\/edit-family delete$/,
    why: 'One of the deleted products, which no index has by family.',
  },
  {
    statement: /AS isAside/,
    plan: /^(SCAN (daily_sales|instruments|pages|\(subquery)|CO-ROUTINE)/,
    why: 'Whether there is one; of pictures, two hundred at most (decision 47).',
  },
  { statement: /AS found0/, why: 'Counts at most 101 for each filter of a search that found nothing (decision 43).' },
  {
    statement: /AS found0/,
    plan: /^SCAN \(subquery/,
    why: 'The same.',
  },
  { statement: /AS later WHERE later\.order_id/, why: 'Looks at 200 events of the audit log, and up to 100 orders.' },
  {
    statement: /AS later WHERE later\.order_id/,
    plan: /^SCAN (event|\(subquery-\d+\))$|FOR ORDER BY/,
    why: 'The same 200 events.',
  },
  { statement: /^WITH RECURSIVE bought/, why: 'At most 50 instruments that one customer has bought (decision 45).' },
  {
    statement: /^WITH RECURSIVE bought/,
    plan: /^SCAN bought|FOR ORDER BY/,
    why: 'The same.',
  },
  {
    statement: /SELECT 'review wanted:'/,
    plan: /^SCAN \(subquery|FOR (GROUP|ORDER) BY/,
    why: 'Orders that were shipped within two days, which an index has found.',
  },
  { statement: /COLLATE NOCASE IN \(SELECT value/, why: 'The products that lines without id may mean, in one query.' },
  { statement: /json_each\(/, plan: /^SCAN (json_each|file|line|update)/i, why: 'The lines of an import.' },
  { statement: /AS block FROM instruments/, why: 'The sizes of the parts of an export, on the page of the import.' },
  { statement: /limit \? offset \?$/, why: 'A numbered page steps over the rows before it (decision 22).' },
  {
    statement: /LIMIT \?\)\) AS (toShip|quotes)/,
    plan: /^SCAN \(subquery/,
    why: 'At most a hundred rows, which an index has found.',
  },
  {
    statement: /from "sessions" .*"users"/,
    plan: /^SCAN \(subquery/,
    why: 'At most a hundred messages and price requests for the menu of an admin, which an index has found.',
  },
  { statement: /^WITH counted AS \(SELECT/i, why: 'Counts at most 1,000 orders for each tab, in indexes.' },
  {
    statement: /^WITH counted AS \(SELECT/i,
    plan: /^SCAN (\(subquery|counted|order_refunds$)|^USE TEMP B-TREE FOR count\(DISTINCT\)/,
    why: 'The same; and the latest 1,000 refunds.',
  },
  {
    statement: /SELECT order_id FROM \(SELECT order_id, failed_at FROM order_refunds/,
    why: 'The latest 1,000 refunds.',
  },
  {
    statement: /SELECT order_id FROM \(SELECT order_id, failed_at FROM order_refunds/,
    plan: /^SCAN (\(subquery|order_refunds$)|FOR ORDER BY/,
    why: 'The orders of the latest 1,000 refunds, sorted.',
  },
  { statement: /AS newest_of_customer$/, why: 'The newest 1,000 orders of one customer, which an index has.' },
  { statement: /AS newest_of_customer$/, plan: /^SCAN newest_of_customer$|^CO-ROUTINE/, why: 'The same.' },
  { statement: /from "orders"/, during: /pickingList/, why: 'At most 500 orders to ship.' },
  {
    statement: /from "orders"/,
    during: /\.csv\?q=/,
    plan: /^SCAN \(subquery/,
    why: 'One row: a text of an order, whose letters are replaced in steps.',
  },
  {
    statement: /from "orders"/,
    during: /\.csv\?order=/,
    plan: /FOR ORDER BY/,
    why: 'At most 50 orders, by their ids.',
  },
  {
    statement: /from "instruments".*"search_window"/,
    plan: /^SCAN \(subquery|FOR ORDER BY/,
    why: 'A search of the shopkeeper looks at 10,000 products (managedWindow), and sorts what it finds.',
  },
  {
    statement: /from "?monthly_sales"?/i,
    during: /reports/,
    why: 'A row for each instrument that was sold in a month, however many its orders: of one month, or of 24.',
  },
  {
    statement: /from "monthly_sales"/,
    during: /reports/,
    plan: /FOR ORDER BY/,
    why: 'The instruments of one month, by revenue.',
  },
  { statement: /AS valueCents/, during: /reports/, why: 'Every instrument on sale, for the value of the stock.' },
  {
    statement: /AS valueCents/,
    during: /reports/,
    plan: /^SCAN instruments USING INDEX instruments_on_sale_by_family$/,
    why: 'The same.',
  },
  {
    statement:
      /^SELECT slug AS family|^select .*\(SELECT count\(\*\) FROM instruments .* from "families"|coalesce\(sum\(rating\), 0\)/i,
    why: 'Counts entries of an index: the instruments on sale, the reviews of one (decisions 22, 45).',
  },
  { statement: /"search_window"/, why: 'A text search reads at most 10,000 orders (searchWindow).' },
  { statement: /"search_window"/, plan: /^SCAN search_window$/, why: 'The same.' },
  { statement: /from "orders".* limit \? offset \?$/, why: 'Where that search ends: 10,000 steps of an index.' },
  {
    statement: /order by random\(\)/,
    plan: /FOR ORDER BY/,
    why: 'Drawn by lot from what is due, which an index finds.',
  },
  { statement: /from "wishes"/, plan: /FOR ORDER BY/, why: 'One person does not wait for many instruments.' },
  { statement: /from "sessions"/, plan: /FOR ORDER BY/, why: 'One person is not signed in at many places.' },
  {
    statement: /from "orders"/,
    plan: /^SCAN (own|expired)_orders$/,
    why: 'Two short lists, one behind the other: an index has found each.',
  },
  {
    statement: /^insert into (orders|"?audit_log"?|"?instruments"?|quotes|sellers|discounts) /i,
    plan: /^SCAN (refunds|disputes|emails|wishes|quotes|orders|invoices|monthly_sales USING COVERING INDEX \S+)$/,
    why: 'Planned for a row that others already refer to, and never done: ids are new.',
  },
]

let host: Host
let shop: Shop
let statements: Statement[]

beforeAll(async () => {
  host = await Host.open()
  shop = await Shop.open(host)
  const [customer, admin] = [await shop.customer(), await shop.admin()]
  const instrument = await fill(shop, customer, rows)
  const recorder = await Recorder.open(shop.database.url)
  await shop.configure({ DATABASE_URL: recorder.url })
  try {
    await tour(shop, { customer, admin, instrument }, (what) => recorder.next(what))
    // With all that it may do.
    await shop.deps.db.run(sql`
      INSERT INTO settings_versions (version, document, saved_at, saved_by)
      SELECT version + 1, json_set(document, '$.reviewDays', '14'), saved_at, saved_by FROM settings_versions ORDER BY version DESC LIMIT 1`)
    recorder.next('the cron trigger')
    await shop.cron()
  } finally {
    recorder.stop()
  }
  statements = recorder.statements
})

afterAll(async () => {
  await shop.close()
  await host.close()
})

function isAllowed({ sql, during }: Statement, step?: string): boolean {
  const words = sql.trim().replace(/\s+/g, ' ')
  return allowed.some(
    (each) =>
      each.statement.test(words) &&
      (each.during?.test(during) ?? true) &&
      (step === undefined ? each.plan === undefined : (each.plan?.test(step) ?? true)),
  )
}

function grows(step: string, { sql }: Statement): boolean {
  if (step.startsWith('USE TEMP B-TREE')) return true
  if (!/^SCAN (?!CONSTANT ROW)/.test(step)) return false
  return !(/ USING (COVERING )?INDEX /.test(step) && /\blimit \?/i.test(sql))
}

test('scans or sorts no whole table, apart from the listed statements', async () => {
  const problems = new Set<string>()
  const unique = new Map(statements.map((statement) => [`${statement.sql} ${statement.during}`, statement]))
  for (const statement of unique.values()) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.sql)) continue
    for (const step of await planOf(shop.database, statement)) {
      if (grows(step, statement) && !isAllowed(statement, step)) problems.add(describe(statement, step))
    }
  }
  expect([...problems]).toEqual([])
})

test('reads no more rows than a page needs, triggers included', () => {
  const offenders = statements.filter((statement) => statement.rowsRead > bound(statement) && !isAllowed(statement))
  expect(offenders.map((statement) => describe(statement, `${statement.rowsRead} rows`))).toEqual([])
})

test('covers every table in the tour', () => {
  const allSql = statements.map(({ sql }) => sql).join('\n')
  const tables =
    'users passwords passkeys identities second_factors recovery_codes sessions access_tokens api_keys email_tokens rate_limits instruments orders payment_attempts refunds order_refunds webhook_events reviews contact_messages emails audit_log wishes quotes webhook_endpoints webhook_deliveries submissions'
  expect(tables.split(' ').filter((table) => !new RegExp(`\\b${table}\\b`).test(allSql))).toEqual([])
})

function bound({ during }: Statement): number {
  return wholeList.during.test(during) ? wholeList.max : max
}

function describe({ sql, during }: Statement, what: string): string {
  return `${what}, at ${during}: ${sql.trim().replace(/\s+/g, ' ')}`
}
