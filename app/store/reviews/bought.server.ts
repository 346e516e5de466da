import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'

type Value = SQL | string | { getSQL: () => SQL }

/** In the words of the index `orders_bought`: SQLite would not use it for others. */
const isBoughtOrder = sql.raw(`orders.state IN ('paid', 'shipped') AND orders.refunded_cents < orders.total_cents`)

/** SQL: an order of this customer for this instrument is paid, and not refunded in full. */
export function isBought(customerId: Value, instrumentId: Value): SQL {
  return sql`EXISTS (
    SELECT 1 FROM orders WHERE orders.customer_id = ${customerId} AND orders.instrument_id = ${instrumentId} AND ${isBoughtOrder})`
}

/** Instruments that are looked at: more fit into no list. */
const mostChoices = 50

/**
 * What a customer may still review: instruments that they bought and have not reviewed, by name. A query for a batch. It jumps from one
 * instrument to the next in the index, so many orders for one cost nothing.
 */
export function selectBought({ db }: Pick<Deps, 'db'>, { id }: { id: string }) {
  const next = (after: SQL) =>
    sql`SELECT min(instrument_id) AS id FROM orders WHERE orders.customer_id = ${id} AND ${isBoughtOrder} AND ${after}`
  return db.all<{ id: string; name: string }>(sql`
    WITH RECURSIVE bought(id) AS (
      ${next(sql`true`)}
      UNION ALL SELECT (${next(sql`orders.instrument_id > bought.id`)}) FROM bought WHERE bought.id IS NOT NULL
      LIMIT ${mostChoices})
    SELECT instruments.id, instruments.name FROM bought CROSS JOIN instruments ON instruments.id = bought.id
    WHERE instruments.hidden = 0
      AND bought.id NOT IN (SELECT instrument_id FROM reviews WHERE user_id = ${id} AND instrument_id IS NOT NULL)
    ORDER BY coalesce(instruments.name_key, lower(instruments.name))`)
}
