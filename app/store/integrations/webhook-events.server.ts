import { sql, type SQL } from 'drizzle-orm'
import { isOne, logReader } from '../log/reader.server'
import { hasFallen, stockAfter } from '../log/stock-after.server'
import { payloadVersion } from './webhook-types'

/** SQL of a webhook: `from` says which events, and joins what its `data`, a JSON object, tells. It names nobody. */
interface Webhook {
  type: SQL
  subject: SQL
  data: SQL
  from: SQL
}

/** As it was after the event, whatever has happened since. */
const orderData = sql`json_object('_id', orders.id, 'instrumentId', orders.instrument_id, 'productName', product_name, 'orderQuantity', quantity,
  'orderPrice', total_cents / 100.0, 'status', (
    SELECT CASE event WHEN 'order placed' THEN 'unpaid' ELSE replace(event, 'order ', '') END FROM audit_log AS moved
    WHERE moved.order_id = orders.id AND moved.id <= event.id AND moved.event IN ('order placed', 'order paid', 'order shipped', 'order cancelled')
    ORDER BY moved.id DESC LIMIT 1),
  'paid', json(iif(paid.id IS NULL, 'false', 'true')), 'transactionId', paid.about_id)`

const refundedData = sql`json_object('refundId', event.about_id,
  'refund', coalesce(
    (SELECT amount_cents FROM order_refunds WHERE id = event.about_id),
    (SELECT amount_cents FROM refunds WHERE transaction_id = event.about_id)) / 100.0,
  'refunded', (
    SELECT coalesce(sum(amount_cents), 0) FROM order_refunds AS its
    WHERE its.order_id = orders.id AND (
      SELECT event FROM audit_log AS last WHERE last.order_id = orders.id AND last.about_id = its.id AND last.id <= event.id
        AND last.event IN ('refund owed', 'refund made', 'refund failed') ORDER BY last.id DESC LIMIT 1) <> 'refund failed') / 100.0)`

const productData = sql`json_object('_id', instruments.id, 'name', instruments.name,
  'price', min(price_cents, iif(event.at >= sale_from_at AND event.at < sale_until_at, sale_cents, price_cents)) / 100.0,
  'minQuantity', min_quantity, 'availableQuantity', ${stockAfter},
  'status', CASE WHEN removed_at IS NULL THEN 'on sale' WHEN hidden THEN 'hidden' ELSE 'deleted' END)`

const product = sql`JOIN instruments ON instruments.id = event.instrument_id`

const webhooksOf: Webhook[] = [
  {
    type: sql`CASE event.event WHEN 'refund made' THEN 'order.refunded' ELSE replace(event.event, ' ', '.') END`,
    subject: sql`'order:' || orders.id`,
    // A patch leaves out what is null.
    data: sql`json_patch(${orderData}, CASE event.event WHEN 'refund made' THEN ${refundedData}
      WHEN 'order shipped' THEN json_object('carrier', carrier, 'trackingNumber', tracking_number, 'trackingUrl', tracking_url) ELSE '{}' END)`,
    from: sql`JOIN orders ON orders.id = event.order_id
      LEFT JOIN audit_log AS paid ON paid.order_id = orders.id AND paid.event = 'order paid' AND paid.id <= event.id
      WHERE ${isOne('order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made')}`,
  },
  {
    type: sql`'product.changed'`,
    subject: sql`'product:' || instruments.id`,
    data: productData,
    from: sql`${product} WHERE event.order_id IS NULL`,
  },
  {
    type: sql`'stock.low'`,
    subject: sql`'product:' || instruments.id`,
    data: sql`json_set(${productData}, '$.lowStock', low_stock_threshold)`,
    from: sql`${product} WHERE ${hasFallen}`,
  },
  {
    type: sql`'review.written'`,
    subject: sql`'review:' || reviews.id`,
    data: sql`json_object('_id', reviews.id, 'description', description, 'instrumentId', reviews.instrument_id, 'rating', rating)`,
    from: sql`JOIN reviews ON reviews.id = event.about_id WHERE ${isOne('review written')}`,
  },
]

/** To the endpoints that are on, of what each has asked for. */
export const webhooks = logReader('webhooks', (events) => [
  sql`INSERT INTO webhook_deliveries (id, endpoint_id, type, subject, payload, created_at)
    SELECT replace(type, '.', '_') || '_' || id, endpoint_id, type, subject,
      json_object('type', type, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'), 'version', ${payloadVersion}, 'data', json(data)), at
    FROM (${sql.join(
      webhooksOf.map(
        ({ type, subject, data, from }) => sql`
          SELECT endpoint.id AS endpoint_id, endpoint.events, event.id, event.at, ${type} AS type, ${subject} AS subject, ${data} AS data
          FROM webhook_endpoints AS endpoint CROSS JOIN ${events} AND endpoint.state = 'on' ${from}`,
      ),
      sql` UNION ALL `,
    )}) WHERE instr(events, ' ' || type || ' ') ORDER BY id ON CONFLICT DO NOTHING`,
])
