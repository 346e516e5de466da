import { readdirSync, readFileSync } from 'node:fs'
import * as drizzleKit from 'drizzle-kit/api'
import { createClient, type Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import * as schema from '../app/db/schema'
import { placeOrder } from '../app/store/ordering/place-order.server'
import { addInPlace, droppedTriggers, type Snapshot } from '../dev/migration-rules'
import { migrateShop } from '../dev/take-over'
import { expect, orderInput, test } from './support/store'

const migrations = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({ name, sql: readFileSync(`migrations/${name}`, 'utf8') }))
const all = migrations.map(({ sql }) => sql).join('\n')

/** As drizzle-kit writes it. */
const rebuild = (table: string) => `
CREATE TABLE \`__new_${table}\` (\`id\` text PRIMARY KEY NOT NULL) STRICT;--> statement-breakpoint
INSERT INTO \`__new_${table}\`("id") SELECT "id" FROM \`${table}\`;--> statement-breakpoint
DROP TABLE \`${table}\`;--> statement-breakpoint
ALTER TABLE \`__new_${table}\` RENAME TO \`${table}\`;`

test('finds a table with triggers that a migration rebuilds', () => {
  for (const table of ['orders', 'instruments', 'audit_log', 'order_refunds'])
    expect(droppedTriggers(rebuild(table), all)).toEqual([table])
  expect(droppedTriggers(rebuild('email_tokens'), all)).toEqual([])
  expect(droppedTriggers('ALTER TABLE `orders` ADD `x` text;', all)).toEqual([])
})

test('drops no table with triggers in any migration', () => {
  for (const [index, { name, sql }] of migrations.entries()) {
    const earlier = migrations.slice(0, index).map((migration) => migration.sql)
    expect([name, droppedTriggers(sql, earlier.join('\n'))]).toEqual([name, []])
  }
})

/** Its own types name packages that are not installed. */
const { generateSQLiteDrizzleJson, generateSQLiteMigration } = drizzleKit as unknown as {
  generateSQLiteDrizzleJson: (tables: object) => Promise<Snapshot>
  generateSQLiteMigration: (before: Snapshot, after: Snapshot) => Promise<string[]>
}

const newest = readdirSync('migrations/meta').find((name) => name.endsWith('_snapshot.json'))!
const newestSnapshot = () => JSON.parse(readFileSync(`migrations/meta/${newest}`, 'utf8')) as Snapshot

test('has a snapshot that agrees with the schema, so that the next migration begins with it', async () => {
  const { id, prevId } = newestSnapshot()
  const snapshot = { ...(await generateSQLiteDrizzleJson(schema)), id, prevId }
  await expect(`${JSON.stringify(snapshot)}\n`).toMatchFileSnapshot(`../migrations/meta/${newest}`)
})

test('makes the tables and indexes of app/db/schema.ts', async () => {
  const plain = (statement: string) => statement.replace(/[\s"'`;]|STRICT;?$/g, '')
  const made = new Set(all.split('--> statement-breakpoint').map((statement) => plain(statement.trim())))
  const wanted = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(schema),
  )
  expect(wanted.filter((statement) => !made.has(plain(statement.trim())))).toEqual([])
})

test('takes over a shop of another schema with its rows, and leaves one of this schema alone', async () => {
  const schemaOf = async (client: Client) =>
    (await client.execute(`SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)).rows.map(
      ({ name, sql: text }) => [name, (text as string).replace(/[\s"'`]/g, '')],
    )
  const shop = createClient({ url: ':memory:' })
  onTestFinished(() => shop.close())
  await migrateShop(shop)
  const fresh = await schemaOf(shop)
  await shop.batch([
    `INSERT INTO users (id, email, name, created_at) VALUES ('ada', 'ada@example.com', 'Ada Weiß', 1)`,
    `INSERT INTO instruments (id, name, img, price_cents, min_quantity, listed_at) VALUES ('oud', 'Élan', '/o.svg', 100, 1, 1)`,
    `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta) VALUES (1, 'stock counted', 'test', 'oud', 9)`,
    `UPDATE sqlite_sequence SET seq = 500 WHERE name = 'audit_log'`,
    `ALTER TABLE instruments ADD gone text`,
    `ALTER TABLE audit_log ADD gone text`,
    `CREATE TABLE visits (day integer)`,
    `CREATE TRIGGER users_visit AFTER INSERT ON users BEGIN INSERT INTO visits VALUES (1); END`,
    `DROP TRIGGER orders_are_logged`,
    `CREATE TABLE former_family_slugs (slug text, family text)`,
    `INSERT INTO former_family_slugs VALUES ('bowed', 'strings'), ('plucked', 'strings')`,
    `UPDATE instruments SET name_key = NULL`,
  ])
  await migrateShop(shop)
  expect(await schemaOf(shop)).not.toEqual(fresh)
  await shop.execute(`UPDATE __drizzle_migrations SET hash = 'of before an edit'`)
  await migrateShop(shop)
  expect(await schemaOf(shop)).toEqual(fresh)
  const [found] = (
    await shop.execute(
      `SELECT users.name, available_quantity, name_key, (SELECT seq FROM sqlite_sequence WHERE name = 'audit_log') AS seq, former
      FROM users, instruments, families WHERE families.slug = 'strings'`,
    )
  ).rows
  expect(Object.values(found!)).toEqual(['Ada Weiß', 9, 'elan', 500, '["plucked","bowed"]'])
  await shop.execute(`UPDATE __drizzle_migrations SET hash = 'x', created_at = 1`)
  await expect(migrateShop(shop)).rejects.toThrow('too old')
})

test('adds a column with a CHECK to a table in place, with all of its triggers and indexes', async ({ shop }) => {
  const before = newestSnapshot()
  const after = structuredClone(before)
  const orders = after.tables.orders!
  const column = { type: 'text', primaryKey: false, notNull: true, autoincrement: false }
  orders.columns.gift = { ...column, name: 'gift', default: "'no'" }
  orders.columns.wrap = { ...column, name: 'wrap', notNull: false }
  orders.checkConstraints.orders_gift = { name: 'orders_gift', value: `"orders"."gift" IN ('no', 'yes')` }
  orders.checkConstraints.orders_wrap = {
    name: 'orders_wrap',
    value: `"orders"."wrap" IS NULL OR "orders"."gift" = 'yes'`,
  }
  const written = await generateSQLiteMigration(before, after)
  expect(droppedTriggers(written.join('\n'), all)).toEqual(['orders'])
  const migration = addInPlace(written.join('--> statement-breakpoint\n'), before, after)
  const statements = migration.split('--> statement-breakpoint\n')
  expect(statements).toEqual([
    `ALTER TABLE \`orders\` ADD \`gift\` text DEFAULT 'no' NOT NULL CONSTRAINT "orders_gift" CHECK("orders"."gift" IN ('no', 'yes'));`,
    `ALTER TABLE \`orders\` ADD \`wrap\` text CONSTRAINT "orders_wrap" CHECK("orders"."wrap" IS NULL OR "orders"."gift" = 'yes');`,
  ])
  const { db } = shop.deps
  const count = async () => (await db.all(sql`SELECT name FROM sqlite_schema WHERE tbl_name = 'orders'`)).length
  const entries = await count()
  for (const statement of statements) await db.run(sql.raw(statement))
  expect(await count()).toBe(entries)
  const violin = await shop.sells()
  await placeOrder(shop.deps, await shop.customer(), orderInput(violin, 1))
  await expect(db.run(sql`UPDATE orders SET gift = 'perhaps'`)).rejects.toThrow()
  await expect(db.run(sql`UPDATE orders SET wrap = 'paper'`)).rejects.toThrow()
  await db.run(sql`UPDATE orders SET gift = 'yes'`)
})

test('leaves a rebuild for more than new columns to whoever writes the migration', async () => {
  const before = newestSnapshot()
  const after = structuredClone(before)
  after.tables.orders!.columns.quantity = { ...after.tables.orders!.columns.quantity, notNull: false }
  const written = (await generateSQLiteMigration(before, after)).join('--> statement-breakpoint\n')
  const migration = addInPlace(written, before, after)
  expect(droppedTriggers(migration, all)).toEqual(['orders'])
})
