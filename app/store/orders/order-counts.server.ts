import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { maxOrderCount, type OrderCounts } from './orders'
import { isToShip } from './orders.server'

/** No index has the refunded orders: the shopkeeper sees those of so many refunds, the latest ones. */
const refundWindow = 1000

/** SQL: the ids of orders with a refund that did not fail. */
export const refundedOrderIds = sql`
  SELECT order_id FROM (SELECT order_id, failed_at FROM order_refunds ORDER BY rowid DESC LIMIT ${refundWindow}) WHERE failed_at IS NULL`

const count = (rows: SQL) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${maxOrderCount}))`

/** For a batch. Indexes have what it counts. */
export function selectOrderCounts({ db }: Pick<Deps, 'db'>) {
  return db.all<OrderCounts>(sql`
    WITH counted AS (SELECT
      ${count(sql`orders WHERE state = 'unpaid'`)} AS unpaid,
      ${count(sql`orders WHERE state = 'paid'`)} AS of_paid,
      ${count(sql`orders WHERE state = 'shipped'`)} AS shipped,
      ${count(sql`orders WHERE state = 'cancelled'`)} AS cancelled,
      ${count(sql`orders WHERE ${isToShip}`)} AS paid,
      (SELECT count(DISTINCT order_id) FROM (${refundedOrderIds})) AS refunded,
      (SELECT count(*) FROM (SELECT 1 FROM order_refunds LIMIT ${refundWindow + 1})) AS refunds)
    SELECT unpaid, paid, shipped, cancelled, refunded, refunds > ${refundWindow} AS olderRefunds, min(unpaid + of_paid + shipped, ${maxOrderCount}) AS "all" FROM counted`)
}
