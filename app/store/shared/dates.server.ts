import { sql, type SQL } from 'drizzle-orm'

/** SQL: a column of milliseconds since 1970, as the clocks of the shop show it. */
const inShop = (column: string) =>
  `(${column} + coalesce((SELECT offset_ms FROM zone_offsets WHERE from_at <= ${column} ORDER BY from_at DESC LIMIT 1), 0))`

/** SQL: the day of the shop, in days since 1970, of a column of milliseconds. */
export const dayIn = (column: string): SQL<number> => sql.raw(`${inShop(column)} / 86400000`) as SQL<number>

/** SQL: the month of the shop, such as `2026-11`, of a column of milliseconds. */
export const monthIn = (column: string): SQL<string> =>
  sql.raw(`strftime('%Y-%m', ${inShop(column)} / 1000, 'unixepoch')`) as SQL<string>
