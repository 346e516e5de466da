import { sql } from 'drizzle-orm'
import { expect, test } from '../../tests/support/store'

/** A rebuilt table loses these without an error. After a migration: `npx vitest run app/db/structure.server.test.ts -u`, and read the change. */
test('has the triggers, CHECKs and indexes of the list', async ({ shop }) => {
  const rows = await shop.deps.db.all<{ type: string; name: string; tbl_name: string; sql: string | null }>(sql`
    SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE tbl_name NOT LIKE 'sqlite_%' AND tbl_name NOT LIKE '%drizzle%'`)
  const lines = rows.flatMap(({ type, name, tbl_name: table, sql: text }) => {
    if (type !== 'table') return text === null ? [] : [`${table}: ${type} ${name}`]
    return [...(text ?? '').matchAll(/CONSTRAINT\s+[`"](\w+)[`"]\s+CHECK/gi)].map(
      ([, check]) => `${table}: check ${check}`,
    )
  })
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('structure.txt')
})
