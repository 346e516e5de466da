import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createClient } from '@libsql/client/web'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { startCheckout, startIntent } from '../app/store/payments/payments.server'
import { finishRestore, takeBackup, restoreBackup } from '../dev/backup'
import { startDatabase, type DatabaseAddress } from '../dev/database'
import { stripeSecretKey } from '../sandbox/keys'
import { runRestores } from './stress/campaigns/restores'
import { eventsAt, signed } from './stress/provider'
import { withoutLogs } from './stress/without-logs'
import { payAt } from './support/hosted-page'
import { aPaidOrder, anOrder, payElsewhere, refundAtStripe, refundsAtStripe } from './support/payments'
import { test, type Shop } from './support/shop'
import { isWhole } from './support/depth'

const quiet = () => undefined

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function emptyDatabase(): Promise<DatabaseAddress> {
  const database = await startDatabase({ folder: temporaryFolder() })
  onTestFinished(() => database.stop())
  return database
}

const cleared = ['sessions', 'access_tokens', 'api_keys', 'email_tokens', 'rate_limits']

/** Every row of every table, also those of the full-text index. */
async function contentsOf(database: DatabaseAddress) {
  const schema = await query<{ type: string; name: string; sql: string }>(
    database,
    'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name',
  )
  const tables: Record<string, string[]> = {}
  for (const { type, name, sql: text } of schema) {
    if (type !== 'table' || text.startsWith('CREATE VIRTUAL')) continue
    const columns = await query<{ name: string }>(database, `SELECT name FROM pragma_table_info('${name}')`)
    const values = columns.map((column) => `quote("${column.name}")`).join(` || ',' || `)
    const rows = await query<{ row: string }>(database, `SELECT ${values} AS row FROM "${name}" ORDER BY 1`)
    tables[name] = rows.map(({ row }) => row)
  }
  return { tables, schema: schema.map((row) => ({ ...row, sql: row.sql.replace('TABLE IF NOT EXISTS', 'TABLE') })) }
}

async function query<Row = Record<string, unknown>>(database: DatabaseAddress, text: string): Promise<Row[]> {
  const client = createClient({ ...database })
  const { rows } = await client.execute(text)
  client.close()
  return rows.map((row) => ({ ...row })) as Row[]
}

function run(script: string, args: string[], env: Record<string, string>) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', `scripts/${script}.ts`, ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

const environmentOf = ({ url, authToken }: DatabaseAddress, shop?: Shop) => ({
  DATABASE_URL: url,
  DATABASE_AUTH_TOKEN: authToken,
  ...(shop && {
    SHOP_ORIGIN: shop.deps.origin,
    SHOP_MAIL: 'shop@cadenza.example',
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_API_URL: shop.sandbox.url,
  }),
})

test('restores every row, index and trigger, and signs everybody out', async ({ shop }) => {
  const { customer } = await aPaidOrder(shop)
  const ada = await shop.customer()
  await shop.signedIn(ada)
  await shop.deps.db.run(sql`
    INSERT INTO contact_messages (id, name, email, message, copy, created_at)
    VALUES ('m1', 'Zoë "O''Hara"', 'zoe@example.com', ${`It's 5 o'clock;\nINSERT INTO users VALUES('x');\r\n\\n 🎻 \u2028 ');--`}, 0, 1)`)
  await shop.deps.db.run(sql`
    INSERT INTO emails (id, kind, recipient, subject, text, html, created_at, due_at) VALUES
      ('reset-password:1', 'reset-password', ${ada.email}, 'Choose', 'link', 'link', 1, 99999999999999), ('order note:1', 'order note', ${ada.email}, 'Hello', 'text', 'text', 1, 99999999999999)`)
  await shop.deps.db.run(
    sql`INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at) VALUES ('t', ${ada.id}, 'reset-password', 1, 2)`,
  )
  const file = join(temporaryFolder(), 'backup.gz')
  expect(await run('backup', [file], environmentOf(shop.database))).toMatchObject({ code: 0 })
  expect(readdirSync(join(file, '..'))).toEqual(['backup.gz'])
  const before = await contentsOf(shop.database)

  const database = await emptyDatabase()
  const restored = await run('restore', [file], environmentOf(database))
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('npm run reconcile -- --since') as string })
  const after = await contentsOf(database)
  expect(after.schema).toEqual(before.schema)
  const entries = after.schema.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`)
  const schema = readFileSync('app/db/schema.sql', 'utf8')
  expect(entries.filter((entry) => !schema.includes(`\n${entry}\n`))).toEqual([])
  expect(entries).toHaveLength([...schema.matchAll(/^CREATE (?:TRIGGER|VIEW|(?:UNIQUE )?INDEX)/gm)].length)
  expect(cleared.map((table) => after.tables[table])).toEqual(cleared.map(() => []))
  expect([before.tables.sessions, before.tables.email_tokens]).toMatchObject([{ length: 1 }, { length: 1 }])
  const changed = ['sqlite_sequence', 'emails', 'shop_settings', ...cleared]
  for (const table of Object.keys(before.tables).filter((name) => !changed.includes(name)))
    expect([table, after.tables[table]]).toEqual([table, before.tables[table]])
  expect(await query(database, `SELECT id, sent_at IS NULL AS waits, text FROM emails WHERE id LIKE '%:1'`)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 'reset-password:1', waits: 0, text: '' }),
      expect.objectContaining({ id: 'order note:1', waits: 1, text: 'text' }),
    ]) as unknown,
  )

  // What a database of Turso's point-in-time recovery gets.
  await finishRestore(database, 0)
  expect(await query(database, `SELECT id FROM emails WHERE sent_at IS NULL`)).toEqual([])

  // The triggers work, and no number is given out twice.
  const deps = { ...shop.deps, db: openDatabase(database) }
  const violin = String((await query(database, 'SELECT id FROM instruments LIMIT 1'))[0]!.id)
  const [old] = await shop.ordersOf(customer)
  const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const { id } = await placeOrder(deps, customer, {
    instrumentId: violin,
    submissionId: 'again',
    orderQuantity: 1,
    ...parcel,
  })
  const [row] = await query(
    database,
    `SELECT number, available_quantity AS left FROM orders JOIN instruments ON instruments.id = instrument_id WHERE orders.id = '${id}'`,
  )
  expect(Number(row!.number)).toBeGreaterThan(old!.number + 20_000)
  expect(row!.left).toBe(7)
  const [audit] = await query(database, 'SELECT max(id) AS last FROM audit_log')
  expect(audit!.last).toBeGreaterThan(2_000_000)
  expect(
    await query(database, `SELECT rowid FROM user_search WHERE user_search MATCH 'Shopkeeper OR Ada'`),
  ).toHaveLength(2)
})

test('holds the pieces of unpaid orders for an hour after a restore', async ({ shop }) => {
  shop.skipInvariants('the holds of its orders end')
  const { holdMs } = shop.deps
  Object.assign(shop.deps, { holdMs: 1 })
  const expired = await anOrder(shop)
  Object.assign(shop.deps, { holdMs })
  const fresh = await anOrder(shop)
  const file = join(temporaryFolder(), 'backup.gz')
  await takeBackup(shop.database, file, quiet)
  const database = await emptyDatabase()
  const restored = Date.now()
  await restoreBackup(file, database, quiet)
  const minutes = async () => {
    const rows = await query<{ id: string; until: number }>(database, 'SELECT id, hold_until AS until FROM orders')
    return Object.fromEntries(rows.map(({ id, until }) => [id, Math.floor((until - restored) / 60_000)]))
  }
  expect(await minutes()).toEqual({ [expired.id]: 60, [fresh.id]: 72 * 60 - 1 })
  await finishRestore(database, 0)
  expect(await minutes()).toEqual({ [expired.id]: 60, [fresh.id]: 72 * 60 - 1 })
  await expect(query(database, 'UPDATE orders SET hold_until = 1')).rejects.toThrow('never changed')
})

test('refuses a broken file, a newer schema and a database with a shop, and writes nothing', async ({ shop }) => {
  await anOrder(shop)
  const folder = temporaryFolder()
  const file = join(folder, 'backup.gz')
  await takeBackup(shop.database, file, quiet)
  const whole = readFileSync(file)
  const contents = gunzipSync(whole)
  const head = contents.indexOf('\n')
  const manifest = JSON.parse(contents.subarray(0, head).toString()) as { schema: number }
  const changed = Buffer.from(contents)
  changed[head + 5000]! ^= 1
  const newer = Buffer.concat([Buffer.from(JSON.stringify({ ...manifest, schema: 9e15 })), contents.subarray(head)])
  const files: [content: Buffer, message: RegExp][] = [
    [whole.subarray(0, whole.length - 100), /is not a whole backup/],
    [
      Buffer.concat([whole.subarray(0, 3000), Buffer.from([whole[3000]! ^ 1]), whole.subarray(3001)]),
      /not a whole backup|was changed/,
    ],
    [gzipSync(changed), /was changed/],
    [gzipSync(newer), /newer schema/],
    [Buffer.from('SELECT 1'), /is not a whole backup/],
    [gzipSync('SELECT 1;\n'), /is not a backup of this shop/],
  ]
  const database = await emptyDatabase()
  for (const [content, message] of files) {
    const broken = join(folder, 'broken.gz')
    writeFileSync(broken, content)
    await expect(restoreBackup(broken, database, quiet)).rejects.toThrow(message)
  }
  expect(await query(database, 'SELECT name FROM sqlite_schema')).toEqual([])
  const before = await contentsOf(shop.database)
  await expect(restoreBackup(file, shop.database, quiet)).rejects.toThrow('not empty')
  expect(await contentsOf(shop.database)).toEqual(before)

  const none = join(folder, 'none.gz')
  const away = { DATABASE_URL: 'http://127.0.0.1:9', DATABASE_AUTH_TOKEN: '' }
  expect((await run('backup', [none], away)).code).toBe(1)
  const nowhere = join(folder, 'nowhere', 'shop.gz')
  await expect(takeBackup(shop.database, nowhere, quiet)).rejects.toThrow('There is no folder')
  await expect(restoreBackup(none, database, quiet)).rejects.toThrow('There is no file')
  await expect(takeBackup({ ...shop.database, authToken: 'wrong' }, none, quiet)).rejects.toThrow('401')
  expect(existsSync(none) || existsSync(`${none}.part`)).toBe(false)
})

test.runIf(isWhole)('finds every payment since the backup, and finds nothing the second time', async ({ shop }) => {
  shop.skipInvariants('its database is lost')
  const paidBefore = await aPaidOrder(shop)
  const [open, again] = [await anOrder(shop), await anOrder(shop)]
  const { url } = await startCheckout(shop.deps, open.customer, open.id)
  const file = join(temporaryFolder(), 'backup.gz')
  const { takenAt } = await takeBackup(shop.database, file, quiet)
  await payAt(url)
  const lost = await aPaidOrder(shop)
  await refundAtStripe(shop, paidBefore.transactionId, 100_00)
  const lostIntent = await startIntent(shop.deps, again.customer, again.id)
  const lostCheckout = await startCheckout(shop.deps, again.customer, again.id)

  const database = await emptyDatabase()
  await restoreBackup(file, database, quiet)
  const env = environmentOf(database, shop)
  await shop.faults({ stripe: { failNext: 1000, only: 'GET /v1/charges' } })
  expect((await run('reconcile', ['--since', takenAt], env)).code).toBe(1)
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  const first = await run('reconcile', ['--since', takenAt], env)
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('the shop did not know 2 and 1') as string })
  expect(first.output).toMatch(new RegExp(`settled +\\$500.00  pi_\\w+  order ${open.id}`))
  expect(first.output).toContain(`owed, without order       $500.00  ${lost.transactionId}  order ${lost.id}`)
  expect(
    await query(
      database,
      `SELECT state, refunded_cents FROM orders WHERE id IN ('${open.id}', '${paidBefore.id}') ORDER BY 2`,
    ),
  ).toMatchObject([
    { state: 'paid', refunded_cents: 0 },
    { state: 'paid', refunded_cents: 100_00 },
  ])
  const messages = await query(database, `SELECT recipient, text FROM emails WHERE id LIKE 'unmatched-payment:%'`)
  expect(messages).toMatchObject([
    { recipient: 'shop@cadenza.example', text: expect.stringContaining(lost.transactionId) as string },
  ])
  const { tables } = await contentsOf(database)
  const second = await run('reconcile', ['--since', takenAt], env)
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('the shop did not know 0 and 0') as string })
  expect((await contentsOf(database)).tables).toEqual(tables)

  expect(await run('reconcile', ['--refund', lost.transactionId], env)).toMatchObject({ code: 0 })
  expect(await refundsAtStripe(shop, lost.transactionId)).toMatchObject([{ amount: 500_00 }])

  // The restored shop counts the attempts of this order again.
  const deps = { ...shop.deps, db: openDatabase(database) }
  expect(await startIntent(deps, again.customer, again.id)).not.toEqual(lostIntent)
  expect(await startCheckout(deps, again.customer, again.id)).not.toEqual(lostCheckout)
})

test('logs and emails a payment of an unknown order once, whatever the number of events', async ({ shop }) => {
  const visitor = shop.visitor()
  const payments = [
    await payElsewhere(shop, 500_00, { order: 'lost', customer: 'somebody' }),
    await payElsewhere(shop, 300_00, { order: 'lost too', customer: 'somebody' }),
  ]
  const events = (await eventsAt(shop.sandbox.url)).filter(({ type }) => type === 'payment_intent.succeeded')
  await visitor.get('/healthz')
  for (const event of [...events, ...events, ...events.map((one) => ({ ...one, id: `${one.id}_2` }))]) {
    const { body, signature } = await signed(event)
    const response = await fetch(`${shop.deps.origin}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: { 'stripe-signature': signature },
    })
    expect(response.status).toBe(200)
  }
  for (const payment of payments) {
    const lines = shop.log.filter((line) => line.includes(`${payment} paid for the order`))
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'error', event: 'payment without order', code: 'see-event' },
    ])
  }
  await shop.cron()
  const emails = await shop.emailsTo('shop@cadenza.example')
  expect(emails.map(({ subject }) => subject).sort()).toEqual([
    'A payment of $300.00 has no order',
    'A payment of $500.00 has no order',
  ])
})

test.runIf(isWhole)('accounts for every payment when the database is lost under load', async () => {
  const { figures, wrong } = await withoutLogs(runRestores, 0.02)
  console.warn(JSON.stringify(figures))
  expect(wrong).toEqual([])
})
