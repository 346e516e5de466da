import { createClient, type Client, type InStatement } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { nameKeyOf } from '../app/store/catalog/order-by-name.server'
import { userSearchInsert } from '../app/store/accounts/user-search.server'
import { searchInserts } from '../app/store/catalog/search/index-instruments.server'

const migrationsFolder = 'migrations'

/** `created_at` of the last migration of 0e30b007, the oldest shop that is taken over. */
const oldestVersion = 1795712673795

/** Brings the schema up to date, also that of a shop from before the migrations became one. */
export async function migrateShop(client: Client): Promise<void> {
  await takeOver(client)
  await migrate(drizzle(client), { migrationsFolder })
}

interface Entry {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  sql: string
}

/**
 * Turns the schema of a shop from before the migrations became one (2026-11-28), or from before an edit of the first one, into that of the first
 * migration, in one transaction: all rows stay, of tables and columns that are still there. Nobody else may write meanwhile.
 */
async function takeOver(client: Client): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder })
  const [first] = migrations
  const newest = await newestOf(client)
  if (newest === null || migrations.some(({ hash }) => hash === newest.hash)) return
  if (newest.at < oldestVersion)
    throw new Error('This shop is too old to be taken over: start version 0e30b007 with its data first.')
  // It has a migration of a later version.
  if (newest.at > first!.folderMillis) return
  const wanted = createClient({ url: ':memory:' })
  try {
    await wanted.migrate(first!.sql)
    const [after, before] = [await readEntries(wanted), await readEntries(client)]
    await client.migrate([
      ...before.filter(({ type }) => type !== 'table').map(({ type, name }) => `DROP ${type} IF EXISTS \`${name}\``),
      ...(
        await Promise.all(after.filter(isTable).map((table) => convert(table, find(before, table), [wanted, client])))
      ).flat(),
      ...before.flatMap(({ name }) => moved[name] ?? []),
      ...before.filter((table) => isTable(table) && !find(after, table)).map(({ name }) => `DROP TABLE \`${name}\``),
      ...after.filter((entry) => !isTable(entry)).map(({ sql }) => sql),
      ...refillSearch,
      ...(await nameKeys(client)),
      ...(await newReaders(wanted)),
      'DELETE FROM __drizzle_migrations',
      {
        sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
        args: [first!.hash, first!.folderMillis],
      },
    ])
  } finally {
    wanted.close()
  }
}

async function newestOf(client: Client): Promise<{ hash: string; at: number } | null> {
  const { rows } = await client.execute(`SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'`)
  if (rows.length === 0) return null
  const newest = await client.execute('SELECT hash, max(created_at) AS at FROM __drizzle_migrations')
  return newest.rows[0] as unknown as { hash: string; at: number }
}

const isTable = ({ type }: Entry) => type === 'table'
const find = (entries: Entry[], { name }: Entry) => entries.find((entry) => entry.name === name)

/** Without what SQLite and its full-text search make by themselves. */
async function readEntries(client: Client): Promise<Entry[]> {
  const { rows } = await client.execute(`
    SELECT type, name, sql FROM sqlite_schema AS entry
    WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*' AND name <> '__drizzle_migrations'
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' AND entry.name GLOB name || '_*')
    ORDER BY rowid`)
  return rows as unknown as Entry[]
}

async function convert(table: Entry, old: Entry | undefined, [wanted, client]: [Client, Client]): Promise<string[]> {
  const { name } = table
  if (old && plain(old) === plain(table)) return []
  if (!old) return [table.sql]
  const has = new Set(await columnsOf(client, name))
  const kept = (await columnsOf(wanted, name)).filter((column) => has.has(column)).join(', ')
  return [
    // Its CHECKs name it too, until it gets its name.
    table.sql
      .replace(`CREATE TABLE \`${name}\``, `CREATE TABLE \`__new_${name}\``)
      .replaceAll(`"${name}".`, `"__new_${name}".`),
    `INSERT INTO \`__new_${name}\` (${kept}) SELECT ${kept} FROM \`${name}\``,
    ...(table.sql.includes('AUTOINCREMENT') ? [keepSequence(name)] : []),
    `DROP TABLE \`${name}\``,
    `ALTER TABLE \`__new_${name}\` RENAME TO \`${name}\``,
  ]
}

/** A restore has left numbers out, which customers may know. */
const keepSequence = (name: string) =>
  `UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = '${name}') WHERE name = '__new_${name}'`

/** Versions of SQLite and of drizzle-kit quote and break lines in different ways. */
const plain = ({ sql: text }: Entry) => text.replace(/[\s"'`[\]]/g, '')

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.execute({ sql: 'SELECT name FROM pragma_table_info(?)', args: [table] })
  return rows.map(({ name }) => `\`${name as string}\``)
}

/** Where names stand in a list: 0e30b007 has not stored it yet. */
async function nameKeys(client: Client): Promise<InStatement[]> {
  const { rows } = await client.execute('SELECT id, name FROM instruments WHERE octet_length(name) > length(name)')
  return rows.map(({ id, name }) => ({
    sql: 'UPDATE instruments SET name_key = ? WHERE id = ?',
    args: [nameKeyOf(name as string), id as string],
  }))
}

/** What happened before them was read by triggers. */
async function newReaders(wanted: Client): Promise<InStatement[]> {
  const { rows } = await wanted.execute('SELECT name FROM log_readers')
  return rows.map(({ name }) => ({
    sql: 'INSERT OR IGNORE INTO log_readers SELECT ?, newest, newest FROM (SELECT coalesce(max(id), 0) AS newest FROM audit_log)',
    args: [name as string],
  }))
}

/** By table: what takes its rows along. */
const moved: Record<string, string> = {
  former_family_slugs: `UPDATE families SET former = (SELECT json_group_array(slug) FROM (
    SELECT slug FROM former_family_slugs AS old WHERE old.family = families.slug ORDER BY rowid DESC))`,
  page_addresses: `UPDATE pages SET former = (
    SELECT json_group_array(slug) FROM page_addresses AS old WHERE old.page_id = pages.id AND old.slug <> pages.slug)`,
}

/** Names with letters that the indexes did not know at first, and what triggers put into the search. */
const refillSearch = [
  ...['user_search', 'instrument_search', 'instrument_words'].map((table) => sql.raw(`DELETE FROM ${table}`)),
  userSearchInsert(sql`true`),
  ...searchInserts(sql`true`),
].map((statement) => new SQLiteSyncDialect().sqlToQuery(statement).sql)
