import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * Rows after the cursor (a row id): `<` for newest first, `>` for oldest first. A row comparison can use the index, so
 * the last page is as fast as the first.
 */
export function afterCursor(
  [time, id]: [time: SQLiteColumn, id: SQLiteColumn],
  direction: '<' | '>',
  cursor: string | undefined,
): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${time}, ${id}) ${sql.raw(direction)} (SELECT ${time}, ${id} FROM ${id.table} WHERE ${id} = ${cursor})`
}
