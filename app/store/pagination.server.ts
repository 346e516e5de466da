import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * True of rows behind the one with the id `place`, in the order of a time and the id: `<` when the newest come first, `>` when
 * the oldest do. As a comparison of rows it is a place in the index, so that the last page is as quick as the first.
 */
export function afterCursor(
  [time, id]: [time: SQLiteColumn, id: SQLiteColumn],
  direction: '<' | '>',
  place: string | undefined,
): SQL | undefined {
  if (!place) return undefined
  return sql`(${time}, ${id}) ${sql.raw(direction)} (SELECT ${time}, ${id} FROM ${id.table} WHERE ${id} = ${place})`
}
