import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../deps'
import { limits } from '../../shared/limits'
import { consumeRateLimit } from '../../shared/rate-limit.server'
import { Refusal } from '../../shared/refusal'
import { isPaid } from '../orders'
import { findOrder } from '../orders.server'

/** Where the customer pressed. */
export const ReceiptRequest = z.object({ backTo: z.literal('order').optional() })

const minute = 60_000

/**
 * Emails the receipt of the customer's own paid order once more, to the address of the order (R52). A second press within a minute is
 * the same email. Refuses an order that is not theirs or not paid, and more than `receiptsAgainOfAccount`.
 */
export async function sendReceiptAgain(
  deps: Deps,
  customer: { id: string },
  orderId: string,
): Promise<{ recipient: string }> {
  const { db, now } = deps
  const order = await findOrder(deps, customer, orderId)
  if (!order) throw new Refusal('not-found', 'Order not found.')
  if (!isPaid(order)) throw new Refusal('conflict', 'This order is not paid, so it has no receipt.')
  await consumeRateLimit(deps, [{ key: `receipt again:${customer.id}`, ...limits.receiptsAgainOfAccount }])
  const at = now()
  const idOf = (minutes: number) => `receipt again:${orderId}:${minutes}`
  const current = Math.floor(at / minute)
  // The outbox writes the text of the event, as it does for the first receipt.
  await db.run(sql`
    INSERT INTO emails (id, recipient, subject, text, html, created_at, due_at, audit_log_id, kind)
    SELECT ${idOf(current)}, ${order.customerEmail}, '', '', '', ${at}, ${at}, audit_log.id, 'receipt again' FROM audit_log
    WHERE order_id = ${orderId} AND event = 'order paid' AND NOT EXISTS (SELECT 1 FROM emails WHERE id = ${idOf(current - 1)})
    LIMIT 1
    ON CONFLICT DO NOTHING`)
  deps.readLogSoon()
  return { recipient: order.customerEmail }
}
