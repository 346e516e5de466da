import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createClient, type Client } from '@libsql/client'
import { createClient as createWebClient } from '@libsql/client/web'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { z } from 'zod'
import { migrateDatabase } from './database'
import { migrateShop } from './take-over'

/*
 * A backup is one gzip file: a line of JSON, the manifest, and after it an SQLite database. It was loaded and checked before the file was
 * written: `gunzip -c FILE | tail -n +2 > shop.db` opens in any SQLite tool.
 */
const Manifest = z.object({
  cadenza: z.literal(1),
  takenAt: z.iso.datetime(),
  /** When the last migration was written, in milliseconds: the version of the schema. */
  schema: z.number(),
  rows: z.record(z.string(), z.number()),
  sha256: z.string(),
})
export type Manifest = z.output<typeof Manifest>

interface Address {
  url: string
  authToken?: string
}

type Log = (line: string) => void

/** Tables that people and the shop read; not those of SQLite, libSQL and the full-text index. */
const ownTables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'
  AND NOT EXISTS (SELECT 1 FROM sqlite_schema AS virtual WHERE virtual.sql LIKE 'CREATE VIRTUAL%' AND sqlite_schema.name GLOB virtual.name || '_*')`

/** Writes a consistent copy of the database. The file is there as a whole or not at all. */
export async function takeBackup(database: Address, file: string, log: Log): Promise<Manifest> {
  const part = `${file}.part`
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}.`)
  return inTemporaryFolder(async (folder) => {
    try {
      const copy = join(folder, 'shop.db')
      const takenAt = new Date().toISOString()
      const dump = join(folder, 'dump.sql')
      // First all of it: while a reader is slow, sqld keeps its one connection from customers.
      await pipeline(dumpOf(database, log), createWriteStream(dump))
      await loadDump(createReadStream(dump, 'utf8'), copy)
      log('Checking the copy …')
      const contents = await withLocal(copy, checkContents)
      const manifest: Manifest = { cadenza: 1, takenAt, ...contents, sha256: await sha256Of(copy) }
      log('Compressing …')
      await pipeline(
        Readable.from(manifestThen(manifest, createReadStream(copy))),
        createGzip(),
        createWriteStream(part, { mode: 0o600, flags: 'w' }),
      )
      await sync(part)
      renameSync(part, file)
      await sync(dirname(file))
      return manifest
    } finally {
      rmSync(part, { force: true })
    }
  })
}

/** Milliseconds until Stripe and Resend have forgotten an idempotency key. */
const keyTtl = 24 * 60 * 60 * 1000
/** What the shop may have given out after the backup, rounded up. */
const skippedNumbers = 10_000
const skippedAuditRows = 1_000_000

/**
 * Loads a backup into an empty database: checked and migrated in a local copy first, so that a broken file writes nothing.
 * Refuses a backup of a newer schema than this code knows.
 */
export async function restoreBackup(file: string, database: Address, log: Log): Promise<Manifest> {
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, 'shop.db')
    log('Checking the file …')
    const manifest = await unpack(file, copy)
    const newest = readMigrationFiles({ migrationsFolder: 'migrations' }).at(-1)!.folderMillis
    if (manifest.schema > newest) {
      throw new Error(
        'This backup has a newer schema than this version of the shop. Check out the version that took it.',
      )
    }
    const target = createWebClient(database)
    try {
      const { rows } = await target.execute(`SELECT name FROM sqlite_schema WHERE name NOT LIKE 'libsql%' LIMIT 1`)
      if (rows.length > 0)
        throw new Error('The database is not empty. Restore into a new one: this would mix two shops.')
      await withLocal(copy, async (local) => {
        const { schema, rows: counts } = await checkContents(local)
        if (schema !== manifest.schema || JSON.stringify(counts) !== JSON.stringify(manifest.rows)) {
          throw new Error('The rows of this file are not those of its manifest.')
        }
        if (schema < newest) log('Migrating …')
        await migrateShop(local)
        await endWhatMustNotLiveAgain(local, Date.parse(manifest.takenAt))
        log('Writing …')
        await copyDatabase(local, target)
        log('Checking the database …')
        const wanted = await checkContents(local)
        if (JSON.stringify(await checkContents(target)) !== JSON.stringify(wanted)) {
          throw new Error('The database differs from the backup. Restore into a new one.')
        }
      })
    } finally {
      target.close()
    }
    return manifest
  })
}

/** The same end of a restore for a database that Turso has restored as of a time in milliseconds. */
export async function finishRestore(database: Address, takenAt: number): Promise<void> {
  await migrateDatabase(database)
  const client = createWebClient(database)
  await endWhatMustNotLiveAgain(client, takenAt)
  client.close()
}

/**
 * Ends sign-ins and secret links, because some had been ended after the backup. Marks emails as sent whose idempotency keys Resend has
 * forgotten, jumps over numbers that may be in customers' hands, and gives reconciling an hour before the cron trigger cancels orders.
 */
export async function endWhatMustNotLiveAgain(client: Client, takenAt: number): Promise<void> {
  const now = Date.now()
  // It refuses any change of a hold.
  const trigger = 'orders_keep_their_terms'
  const { rows } = await client.execute(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = '${trigger}'`)
  const links = `kind IN ('verify-email', 'reset-password', 'sign-in')`
  await client.batch([
    'DELETE FROM access_tokens',
    'DELETE FROM api_keys',
    'DELETE FROM sessions',
    'DELETE FROM email_tokens',
    'DELETE FROM drafts',
    // Some may have been deleted since, and what waits has perhaps arrived.
    `UPDATE webhook_endpoints SET state = 'off', reason = 'The shop was restored from a backup' WHERE state = 'on'`,
    'DELETE FROM rate_limits',
    `UPDATE emails SET sent_at = ${now}, text = '', html = ''
      WHERE sent_at IS NULL AND (${links} OR ${takenAt} < ${now - keyTtl})`,
    // Of what they had not read, emails may have gone out since.
    `UPDATE log_readers SET read_id = (SELECT coalesce(max(id), 0) FROM audit_log)
      WHERE ${takenAt} < ${now - keyTtl} AND name <> 'sales figures'`,
    `UPDATE shop_settings SET order_number_floor =
      (max(order_number_floor, (SELECT coalesce(max(number), 0) FROM orders)) + ${skippedNumbers + 999}) / 1000 * 1000`,
    'UPDATE shop_settings SET invoice_series = invoice_series + 1',
    `UPDATE sqlite_sequence SET seq = seq + ${skippedAuditRows} WHERE name = 'audit_log'`,
    `DROP TRIGGER ${trigger}`,
    `UPDATE orders SET hold_until = ${now + 60 * 60 * 1000} WHERE state = 'unpaid' AND hold_until < ${now + 60 * 60 * 1000}`,
    rows[0]!.sql as string,
  ])
}

async function* dumpOf({ url, authToken }: Address, log: Log): AsyncGenerator<Uint8Array> {
  const request = () =>
    fetch(`${url.replace(/^libsql:/, 'https:').replace(/\/+$/, '')}/dump`, {
      headers: authToken ? { authorization: `Bearer ${authToken}` } : {},
      redirect: 'manual',
    })
  // The second time: a busy server closes connections, also one that it has just been given a request on.
  const response = await request().catch(request)
  if (!response.ok || !response.body)
    throw new Error(`The database answered ${response.status}: ${await response.text()}`)
  let megabytes = 0
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > (megabytes + 20) * 1e6) log(`${(megabytes = Math.floor(bytes / 1e6))} MB …`)
    yield chunk
  }
}

/** An INSERT may have any text in it; no other statement has a line that ends with a semicolon, but for triggers. */
async function* statementsOf(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let [statement, rest] = ['', '']
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      statement += statement ? `\n${line}` : line
      if (!isComplete(statement)) continue
      yield statement
      statement = ''
    }
  }
  if ((statement + rest).trim() !== '') yield statement + rest
}

function isComplete(statement: string): boolean {
  if (!statement.endsWith(';')) return false
  if (statement.startsWith('CREATE TRIGGER')) return statement.endsWith('\nEND;')
  return !statement.startsWith('INSERT INTO') || statement.split(`'`).length % 2 === 1
}

/** sqld (0.24) writes the text of a virtual table without doubling its quotes. */
function withQuotes(statement: string): string {
  const [, head, text] = /^(INSERT INTO sqlite_schema\b.*?)'(CREATE VIRTUAL TABLE [\s\S]*)'\);$/.exec(statement) ?? []
  if (!text || !/(?<!')(?:'')*'(?!')/.test(text)) return statement
  return `${head}'${text.replaceAll(`'`, `''`)}');`
}

async function loadDump(text: AsyncIterable<unknown>, path: string): Promise<void> {
  await withLocal(path, async (local) => {
    let [statements, length, last]: [string[], number, string] = [[], 0, '']
    const flush = async () => {
      // The dump writes virtual tables into the schema itself.
      await local.executeMultiple(['PRAGMA writable_schema = ON; BEGIN;', ...statements, 'COMMIT;'].join('\n'))
      ;[statements, length] = [[], 0]
    }
    for await (const statement of statementsOf(text)) {
      last = statement
      if (/^(PRAGMA|BEGIN TRANSACTION|COMMIT)/.test(statement)) continue
      statements.push(withQuotes(statement))
      length += statement.length
      if (length > 100_000) await flush()
    }
    if (last !== 'COMMIT;') throw new Error('The dump is cut off: the database or the line broke down. Try again.')
    await flush()
  })
}

/** Throws if the database is damaged. */
async function checkContents(client: Client): Promise<Pick<Manifest, 'schema' | 'rows'>> {
  const [integrity] = await select<{ text: string }>(
    client,
    'SELECT integrity_check AS text FROM pragma_integrity_check',
  )
  if (integrity?.text !== 'ok') throw new Error(`The database is damaged: ${integrity?.text}`)
  const [broken] = await select<{ name: string }>(client, 'SELECT "table" AS name FROM pragma_foreign_key_check')
  if (broken) throw new Error(`The database is damaged: rows of ${broken.name} refer to nothing.`)
  const rows: Manifest['rows'] = {}
  for (const { name } of await select<{ name: string }>(client, `${ownTables} ORDER BY name`)) {
    const [counted] = await select<{ count: number }>(client, `SELECT count(*) AS count FROM "${name}"`)
    rows[name] = counted!.count
  }
  if (rows.__drizzle_migrations === undefined) throw new Error('This database has no shop: it was never migrated.')
  const [last] = await select<{ at: number }>(client, 'SELECT max(created_at) AS at FROM __drizzle_migrations')
  return { schema: last!.at, rows }
}

/** Rows before indexes, for speed, and before triggers: these would write the audit log and emails again. */
async function copyDatabase(local: Client, target: Client): Promise<void> {
  const entries = await select<{ type: string; name: string; sql: string }>(
    local,
    `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*' ORDER BY rowid`,
  )
  const tables = entries.filter(({ type }) => type === 'table')
  const virtual = tables.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql))
  const rest = tables.filter((table) => !virtual.includes(table))
  // The full-text index makes these by itself.
  const shadows = rest.filter(({ name }) => virtual.some((table) => name.startsWith(`${table.name}_`)))
  const plain = rest.filter((table) => !shadows.includes(table))
  // `migrate` holds foreign keys off, so that tables may come in any order.
  await target.migrate([...plain, ...virtual].map(({ sql }) => sql))
  await target.migrate(shadows.map(({ name }) => `DELETE FROM "${name}"`))
  for (const table of [...plain, ...shadows]) {
    for await (const insert of insertsOf(local, table)) await target.migrate([insert])
  }
  const sequences = await select<{ name: string; seq: number }>(local, 'SELECT name, seq FROM sqlite_sequence')
  await target.migrate([
    'DELETE FROM sqlite_sequence',
    ...sequences.map(({ name, seq }) => `INSERT INTO sqlite_sequence VALUES ('${name}', ${seq})`),
  ])
  for (const type of ['index', 'view', 'trigger']) {
    for (const { sql } of entries.filter((entry) => entry.type === type)) await target.migrate([sql])
  }
}

/** Characters of one statement, and rows of one read. */
const [statementLength, page] = [200_000, 2_000]

async function* insertsOf(local: Client, { name, sql }: { name: string; sql: string }): AsyncGenerator<string> {
  const columns = (await select<{ name: string }>(local, `SELECT name FROM pragma_table_info('${name}')`)).map(
    (column) => `"${column.name}"`,
  )
  const values = columns.map((column) => `quote(${column})`).join(` || ',' || `)
  const order = /WITHOUT ROWID/i.test(sql) ? columns[0]! : 'rowid'
  let [rows, length]: [string[], number] = [[], 0]
  const insert = () => `INSERT INTO "${name}" (${columns.join(', ')}) VALUES ${rows.join(',')}`
  for (let offset = 0; ; offset += page) {
    const query = `SELECT '(' || ${values} || ')' AS row FROM "${name}" ORDER BY ${order} LIMIT ${page} OFFSET ${offset}`
    const found = await select<{ row: string }>(local, query)
    for (const { row } of found) {
      rows.push(row)
      length += row.length
      if (length < statementLength) continue
      yield insert()
      ;[rows, length] = [[], 0]
    }
    if (found.length < page) break
  }
  if (rows.length > 0) yield insert()
}

async function select<Row>(client: Client, query: string): Promise<Row[]> {
  return (await client.execute(query)).rows as unknown as Row[]
}

async function unpack(file: string, copy: string): Promise<Manifest> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const head = { line: '' }
  try {
    await pipeline(createReadStream(file), createGunzip(), splitHead(head), createWriteStream(copy))
  } catch (error) {
    throw new Error(`${file} is not a whole backup: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  const manifest = Manifest.safeParse(parseJson(head.line))
  if (!manifest.success) throw new Error(`${file} is not a backup of this shop.`)
  if (manifest.data.sha256 !== (await sha256Of(copy)))
    throw new Error(`${file} was changed: its checksum does not fit.`)
  return manifest.data
}

function splitHead(head: { line: string }) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let pending: Buffer | null = Buffer.alloc(0)
    for await (const chunk of chunks) {
      if (pending === null) {
        yield chunk
        continue
      }
      pending = Buffer.concat([pending, chunk])
      const end = pending.indexOf('\n')
      if (end < 0) continue
      head.line = pending.subarray(0, end).toString()
      yield pending.subarray(end + 1)
      pending = null
    }
  }
}

async function* manifestThen(manifest: Manifest, contents: AsyncIterable<unknown>): AsyncGenerator {
  yield Buffer.from(`${JSON.stringify(manifest)}\n`)
  yield* contents
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, statSync(path).isDirectory() ? 'r' : 'r+')
  await handle.sync()
  await handle.close()
}

async function withLocal<T>(path: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: `file:${path}` })
  try {
    // A temporary file: nobody needs it after a power failure.
    await client.executeMultiple('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = OFF;')
    return await use(client)
  } finally {
    client.close()
  }
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-backup-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
