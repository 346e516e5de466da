import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.server'
import type { OrderFacts } from './order-facts'

type Row<T> = T & { orderId: string }
export type OrderRow = Row<OrderFacts['order']> & { number: number; productName: string }

/** What `OrderFacts` needs of the orders whose ids `ids` selects: for one batch. */
export function selectOrderFacts(db: Db, ids: SQL) {
  return [
    db.all<OrderRow>(sql`
      SELECT id AS orderId, number, state, product_name AS productName, unit_price_cents AS unitPriceCents, quantity,
        total_cents AS totalCents, created_at AS createdAt, paid_at AS paidAt, shipped_at AS shippedAt, cancelled_at AS cancelledAt,
        transaction_id AS transactionId, refunded_cents AS refundedCents, returned_quantity AS returnedQuantity
      FROM orders WHERE id IN (${ids})`),
    db.all<Row<OrderFacts['events'][number]> & { id: number }>(sql`
      SELECT order_id AS orderId, id, at, event, about_id AS aboutId, stock_delta AS stockDelta FROM audit_log
      WHERE order_id IN (${ids}) ORDER BY id`),
    db.all<Row<OrderFacts['refunds'][number]>>(sql`
      SELECT order_id AS orderId, id, amount_cents AS amountCents, restock, refund_id AS refundId, made_at AS madeAt, failed_at AS failedAt
      FROM order_refunds WHERE order_id IN (${ids})`),
    db.all<Row<OrderFacts['otherRefunds'][number]>>(sql`
      SELECT order_id AS orderId, transaction_id AS id, refund_id AS refundId, made_at AS madeAt FROM refunds WHERE order_id IN (${ids})`),
  ] as const
}
