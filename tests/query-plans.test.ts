import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from './support/filled-shop'
import { Host } from './support/host'
import { planOf, Recorder, type Statement } from './support/recorder'
import { Shop } from './support/shop'
import { tour } from './support/tour'

/** How many rows there are of everything that grows. */
const rows = 2_000
/** No statement that shows a page of 50 has to look at more rows than this. */
const most = 250
/** The specified lists without a limit are whole, and read by 1,000: an instrument is looked at with its unpaid orders. */
const wholeList = { during: /^GET \/(instruments|reviews|user|order)(\?customerEmail=[^&]*)?$/, most: 2_100 }

/** What may read a table whole or sort it, and why. */
const allowed: { statement: RegExp; during?: RegExp; plan?: RegExp; why: string }[] = [
  { statement: /"name" LIKE \?/, why: 'Words in the middle of a name are in no index.' },
  {
    statement: /order by random\(\)/,
    plan: /FOR ORDER BY|refunds_owed/,
    why: 'Drawn by lot from what is due, which an index finds.',
  },
  { statement: /from "sessions"/, plan: /FOR ORDER BY/, why: 'One person is not signed in at many places.' },
  {
    statement: /from "orders"/,
    plan: /^SCAN (own|expired)_orders$/,
    why: 'Two short lists, one behind the other: an index has found each.',
  },
  {
    statement: /^insert into (orders|"?audit_log"?) /i,
    plan: /^SCAN (refunds|emails)$/,
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

/** A step that costs more the more rows there are: one page in the order of an index does not. */
function grows(step: string, { sql }: Statement): boolean {
  if (step.startsWith('USE TEMP B-TREE')) return true
  if (!/^SCAN (?!CONSTANT ROW)/.test(step)) return false
  return !(/ USING (COVERING )?INDEX /.test(step) && /\blimit \?/i.test(sql))
}

test('no statement of the shop reads a table whole, or sorts one, beyond those that are meant to', async () => {
  const found = new Set<string>()
  const different = new Map(statements.map((statement) => [`${statement.sql} ${statement.during}`, statement]))
  for (const statement of different.values()) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.sql)) continue
    for (const step of await planOf(shop.database.url, statement)) {
      if (grows(step, statement) && !isAllowed(statement, step)) found.add(tell(statement, step))
    }
  }
  expect([...found]).toEqual([])
})

test('no statement of the shop, with what its triggers do, looks at more rows than a page needs', () => {
  const found = statements.filter((statement) => statement.rowsRead > bound(statement) && !isAllowed(statement))
  expect(found.map((statement) => tell(statement, `${statement.rowsRead} rows`))).toEqual([])
})

test('the tour has seen statements at every table', () => {
  const seen = statements.map(({ sql }) => sql).join('\n')
  const tables =
    'users passwords identities sessions access_tokens email_tokens rate_limits instruments orders payment_attempts refunds webhook_events reviews contact_messages emails audit_log'
  expect(tables.split(' ').filter((table) => !new RegExp(`\\b${table}\\b`).test(seen))).toEqual([])
})

function bound({ during }: Statement): number {
  return wholeList.during.test(during) ? wholeList.most : most
}

function tell({ sql, during }: Statement, what: string): string {
  return `${what}, at ${during}: ${sql.trim().replace(/\s+/g, ' ')}`
}
