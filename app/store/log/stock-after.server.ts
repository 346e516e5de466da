import { sql } from 'drizzle-orm'

/** SQL: the pieces of `instruments` right after `event`, whatever has been counted, ordered or given back since. */
export const stockAfter = sql`(available_quantity - (
  SELECT coalesce(sum(stock_delta), 0) FROM audit_log AS later WHERE later.instrument_id = event.instrument_id AND later.id > event.id))`

/** SQL: with `event` the stock has fallen to the number that the shopkeeper has set, or below it. */
export const hasFallen = sql`(event.stock_delta < 0
  AND ${stockAfter} <= low_stock_threshold AND ${stockAfter} - event.stock_delta > low_stock_threshold)`
