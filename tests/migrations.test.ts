import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { droppedTriggers } from '../dev/migration-rules'

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
