import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, test } from '../../tests/support/store'

/**
 * The whole schema as the migrations leave it: a rebuilt table loses triggers without an error, and no command of the store reaches
 * what some of them refuse. After a migration: `npx vitest run app/db/structure.server.test.ts -u`, and read what changed.
 */
test('has the tables, indexes and triggers of schema.sql', async ({ shop }) => {
  const rows = await shop.deps.db.all<{ sql: string }>(sql`
    SELECT sql FROM sqlite_schema AS entry
    WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_\\_drizzle%' ESCAPE '\\'
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' AND entry.name GLOB name || '_*')
    ORDER BY tbl_name, type <> 'table', type, name`)
  const text = rows.map(({ sql: entry }) => `${entry.startsWith('CREATE TABLE') ? '\n' : ''}${entry};\n`).join('\n')
  const head = '-- Written from the migrations by structure.server.test.ts.\n'
  await expect(head + text).toMatchFileSnapshot('schema.sql')
})

test('every rule that the store recognizes by its text is one of the schema', () => {
  const schema = readFileSync('app/db/schema.sql', 'utf8')
  const files = readdirSync('app/store', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.server.ts'),
  )
  const rules = files.flatMap((file) =>
    [...readFileSync(`app/store/${file}`, 'utf8').matchAll(/isBrokenRule\(\w+, '([^']+)'\)/g)].map(([, rule]) => rule!),
  )
  expect(rules.length).toBeGreaterThan(4)
  // SQLite names the columns of a unique index or key.
  expect(rules.filter((rule) => !schema.includes(`'${rule}'`) && rule !== 'passkeys.id')).toEqual([])
})
