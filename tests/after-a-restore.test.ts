import { sql } from 'drizzle-orm'
import { endWhatMustNotLiveAgain } from '../dev/backup'
import { auditLog, creditNotes, invoices, orderRefunds, orders } from '../app/db/schema'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { cancelBehindItsBack } from './support/payments'
import { day, expect, hour, minute, orderInput, test, type Store } from './support/store'

/* What a restore ends, raises and leaves: docs/restore.md. tests/restore.test.ts takes real backups; this needs no server. */

type Row = Record<string, unknown>

const tablesOf = async ({ deps }: Store) =>
  deps.db.all<{ name: string }>(sql`
    SELECT name FROM sqlite_schema AS entry WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' AND entry.name GLOB name || '_*')`)

async function rowsOf(shop: Store): Promise<Record<string, Row[]>> {
  const rows: Record<string, Row[]> = {}
  for (const { name } of await tablesOf(shop))
    rows[name] = (await shop.deps.db.all<Row>(sql.raw(`SELECT * FROM "${name}"`))).map((row) => ({ ...row }))
  return rows
}

/** What differs, as `table.column`: a row that is gone is `table`. */
function differences(before: Record<string, Row[]>, after: Record<string, Row[]>): string[] {
  const found = new Set<string>()
  for (const [table, rows] of Object.entries(before)) {
    if (after[table]!.length !== rows.length) found.add(table)
    for (const [index, row] of after[table]!.entries())
      for (const [column, value] of Object.entries(row))
        if (value !== rows[index]![column]) found.add(`${table}.${column}`)
  }
  return [...found].sort()
}

const restore = (shop: Store, takenAt: number) =>
  endWhatMustNotLiveAgain(
    (shop.deps.db as unknown as { $client: Parameters<typeof endWhatMustNotLiveAgain>[0] }).$client,
    takenAt,
  )

async function anOrderOf(shop: Store, state: 'unpaid' | 'paid' | 'shipped' | 'cancelled', holdUntil: number | null) {
  const violin = await shop.sells({ price: 250_00 })
  const customer = await shop.customer()
  const holdMs = holdUntil === null ? 0 : Math.max(1, holdUntil - Date.now())
  const deps = {
    ...shop.deps,
    holdMs,
    ...(holdUntil !== null && holdUntil < Date.now() && { now: () => holdUntil - 1 }),
  }
  const { id } = await placeOrder(deps, customer, orderInput(violin))
  if (state === 'cancelled') await cancelBehindItsBack(shop, id)
  if (state === 'paid' || state === 'shipped')
    await shop.deps.db.run(
      sql`UPDATE orders SET state = 'paid', paid_at = 1, transaction_id = ${`pi_${id}`}, moved_by = 'stripe' WHERE id = ${id}`,
    )
  if (state === 'shipped')
    await shop.deps.db.run(sql`UPDATE orders SET state = 'shipped', shipped_at = 2, moved_by = 'test' WHERE id = ${id}`)
  return id
}

test('ends sessions, tokens, limits and secret links, and changes nothing else', async ({ shop }) => {
  shop.skipInvariants('the checker does not know a restore')
  const { db } = shop.deps
  await anOrderOf(shop, 'unpaid', Date.now() + day)
  await anOrderOf(shop, 'paid', Date.now() + day)
  const { id } = await shop.customer()
  await db.run(
    sql`INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES ('s', ${id}, 1, 1, ${Date.now() + day})`,
  )
  await db.run(
    sql`INSERT INTO access_tokens (token_hash, session_hash, created_at, expires_at) VALUES ('a', 's', 1, ${Date.now() + day})`,
  )
  await db.run(
    sql`INSERT INTO api_keys (id, secret_hash, user_id, name, scopes, created_at, expires_at) VALUES ('k', 'h', ${id}, 'x', 'orders:read', 1, ${Date.now() + day})`,
  )
  await db.run(
    sql`INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at) VALUES ('t', ${id}, 'verify-email', 1, 2)`,
  )
  await db.run(sql`INSERT INTO rate_limits (key, until, count) VALUES ('k', ${Date.now() + day}, 1)`)
  await db.run(sql`INSERT INTO webhook_events (id, type, received_at) VALUES ('evt_1', 'x', 1)`)
  await db.run(
    sql`INSERT INTO webhook_endpoints (id, url, secret, events, state, created_at) VALUES ('w', 'https://warehouse.example', 's', ' order.paid ', 'on', 1)`,
  )
  await db.run(
    sql`INSERT INTO webhook_deliveries (id, endpoint_id, type, subject, payload, created_at) VALUES ('d', 'w', 'order.paid', 'order:1', '{}', 1)`,
  )
  await db.run(sql`UPDATE health SET cron_finished_at = 1`)
  const before = await rowsOf(shop)
  await restore(shop, Date.now() - hour)
  const after = await rowsOf(shop)
  expect(differences(before, after)).toEqual([
    'access_tokens',
    'api_keys',
    'email_tokens',
    'rate_limits',
    'sessions',
    'shop_settings.invoice_series',
    'shop_settings.order_number_floor',
    'sqlite_sequence.seq',
    'webhook_deliveries.state',
    'webhook_endpoints.reason',
    'webhook_endpoints.state',
  ])
  for (const table of ['access_tokens', 'api_keys', 'email_tokens', 'rate_limits', 'sessions'])
    expect(after[table]).toEqual([])
})

/** Resend knows an id for a day: until then it recognizes an email that was sent after the backup. */
test.for([
  { id: 'order note:1', age: 23 * hour, waits: true },
  { id: 'order note:1', age: 24 * hour - minute, waits: true },
  { id: 'order note:1', age: 24 * hour + minute, waits: false },
  { id: 'order note:1', age: 40 * day, waits: false },
  { id: 'verify-email:1', age: 0, waits: false },
  { id: 'reset-password:1', age: 0, waits: false },
  { id: 'sign-in:1', age: 0, waits: false },
  { id: 'verify-email:1', age: 40 * day, waits: false },
])('after a backup that is $age ms old, $id still waits: $waits', async ({ id, age, waits }, { shop }) => {
  shop.skipInvariants('emails that nothing enqueued')
  const text = {
    recipient: 'ada@example.com',
    subject: 'Hello',
    text: 'a link',
    html: 'a link',
    created_at: 1,
    due_at: 2,
  }
  for (const [name, sentAt] of [
    [id, null],
    [`${id}: sent`, 3],
  ])
    await shop.deps.db.run(sql`
      INSERT INTO emails (id, kind, recipient, subject, text, html, created_at, due_at, sent_at)
      VALUES (${name}, ${id.split(':')[0]}, ${text.recipient}, ${text.subject}, ${text.text}, ${text.html}, 1, 2, ${sentAt})`)
  const start = Date.now()
  await restore(shop, start - age)
  const rows = await shop.deps.db.all<Row>(
    sql`SELECT id, sent_at AS sentAt, subject, text, html FROM emails ORDER BY id`,
  )
  const ended = { text: '', html: '', sentAt: expect.any(Number) as number }
  expect(rows).toEqual([
    { id, subject: 'Hello', ...(waits ? { text: 'a link', html: 'a link', sentAt: null } : ended) },
    { id: `${id}: sent`, subject: 'Hello', text: 'a link', html: 'a link', sentAt: 3 },
  ])
  if (!waits) expect(rows[0]!.sentAt).toBeGreaterThanOrEqual(start)
})

test('holds the pieces of unpaid orders for an hour from now, and no others', async ({ shop }) => {
  shop.skipInvariants('the holds of its orders end')
  const now = Date.now()
  const cases = [
    ['unpaid', now - day, 60],
    ['unpaid', now + 10 * minute, 60],
    ['unpaid', now + 2 * hour, 120],
    ['unpaid', null, null],
    ['paid', now - day, -24 * 60],
    ['shipped', now - day, -24 * 60],
    ['cancelled', now - day, -24 * 60],
  ] as const
  const ids: string[] = []
  for (const [state, holdUntil] of cases) ids.push(await anOrderOf(shop, state, holdUntil))
  await restore(shop, now)
  const rows = await shop.deps.db.select().from(orders)
  const minutes = ids.map((id) => {
    const { holdUntil } = rows.find((row) => row.id === id)!
    return holdUntil === null ? null : Math.round((holdUntil - now) / minute)
  })
  expect(minutes).toEqual(cases.map(([, , left]) => left))
  await expect(shop.deps.db.run(sql`UPDATE orders SET hold_until = 1`)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('never changed') as string },
  })
})

test.for([
  { floor: 1_000, last: 1_004, next: 12_001 },
  { floor: 1_000, last: 2_000, next: 12_001 },
  { floor: 1_000, last: 2_001, next: 13_001 },
  // A restore of a restored shop: nobody has ordered since.
  { floor: 50_000, last: 1_004, next: 60_001 },
])('after the order $last and the floor $floor, the next order is $next', async ({ floor, last, next }, { shop }) => {
  shop.skipInvariants('the checker does not know a restore')
  const { db } = shop.deps
  await db.run(sql`UPDATE shop_settings SET order_number_floor = ${last - 1}`)
  await anOrderOf(shop, 'unpaid', null)
  expect(await db.select({ number: orders.number }).from(orders)).toEqual([{ number: last }])
  await db.run(sql`UPDATE shop_settings SET order_number_floor = ${floor}`)
  await restore(shop, Date.now())
  await anOrderOf(shop, 'unpaid', null)
  const numbers = (await db.select({ number: orders.number }).from(orders)).map(({ number }) => number)
  expect(numbers.sort()).toEqual([last, next].sort())
})

test('begins a new series of invoices and credit notes at 1, and leaves a million numbers of the audit log free', async ({
  shop,
}) => {
  shop.skipInvariants('the checker does not know a restore')
  const { db } = shop.deps
  const refunded = async () => {
    const orderId = await anOrderOf(shop, 'paid', null)
    const refund = { id: `r${orderId}`, orderId, submissionId: 's', amountCents: 1_00, reason: 'Dent', movedBy: 'test' }
    await db.insert(orderRefunds).values({ ...refund, createdAt: 1, refundId: `re_${orderId}`, madeAt: 1 })
  }
  await refunded()
  await refunded()
  const [{ last } = { last: 0 }] = await db.select({ last: sql<number>`max(id)` }).from(auditLog)
  await restore(shop, Date.now())
  await refunded()
  await restore(shop, Date.now())
  await refunded()
  for (const table of [invoices, creditNotes]) {
    const rows = await db.select({ series: table.series, number: table.number }).from(table)
    expect(rows.map(({ series, number }) => `${series}-${number}`)).toEqual(['1-1', '1-2', '2-1', '3-1'])
  }
  const [added] = await db
    .select({ first: sql<number>`min(id)` })
    .from(auditLog)
    .where(sql`id > ${last}`)
  expect(added!.first).toBe(last + 1_000_001)
})
