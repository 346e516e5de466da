import { sql, type SQL } from 'drizzle-orm'
import { isOne, logReader } from '../log/reader.server'
import { hasFallen, stockAfter } from '../log/stock-after.server'
import { z } from 'zod'
import { payloadVersion, testType, type WebhookType } from './webhook-types'

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

const product = sql`CROSS JOIN instruments ON instruments.id = event.instrument_id`

const webhooksOf: Webhook[] = [
  {
    type: sql`CASE event.event WHEN 'refund made' THEN 'order.refunded' ELSE replace(event.event, ' ', '.') END`,
    subject: sql`'order:' || orders.id`,
    // A patch leaves out what is null.
    data: sql`json_patch(${orderData}, CASE event.event WHEN 'refund made' THEN ${refundedData}
      WHEN 'order shipped' THEN json_object('carrier', carrier, 'trackingNumber', tracking_number, 'trackingUrl', tracking_url) ELSE '{}' END)`,
    from: sql`CROSS JOIN orders ON orders.id = event.order_id
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
    from: sql`CROSS JOIN reviews ON reviews.id = event.about_id WHERE ${isOne('review written')}`,
  },
]

/** To the endpoints that are on, of what each has asked for. */
export const webhooks = logReader('webhooks', (events) => [
  sql`INSERT INTO webhook_deliveries (id, endpoint_id, type, subject, payload, created_at)
    SELECT replace(type, '.', '_') || '_' || id, endpoint_id, type, subject,
      json_object('type', type, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'), 'version', ${sql.raw(String(payloadVersion))}, 'data', json(data)), at
    FROM (${sql.join(
      webhooksOf.map(
        ({ type, subject, data, from }) => sql`
          SELECT endpoint.id AS endpoint_id, endpoint.events, event.id, event.at, ${type} AS type, ${subject} AS subject, ${data} AS data
          FROM webhook_endpoints AS endpoint CROSS JOIN ${events} AND endpoint.state = 'on' ${from}`,
      ),
      sql` UNION ALL `,
    )}) WHERE instr(events, ' ' || type || ' ') ORDER BY id ON CONFLICT DO NOTHING`,
])

/* What programs are told of them, in /openapi.json; a test compares it with what was enqueued. */

const dollars = z.number().meta({ description: 'US dollars, in whole cents' })
const pieces = z.int().min(0).max(1_000_000)

const OrderData = z.strictObject({
  _id: z.string().meta({ description: 'For GET /order/{id}, which has the customer' }),
  instrumentId: z.string(),
  productName: z.string(),
  orderQuantity: pieces,
  orderPrice: dollars,
  status: z.enum(['unpaid', 'paid', 'shipped', 'cancelled']),
  paid: z.boolean(),
  transactionId: z.string().nullable(),
})
const ShippedData = OrderData.extend({
  carrier: z.string().optional(),
  trackingNumber: z.string().optional(),
  trackingUrl: z.string().optional(),
})
const RefundedData = OrderData.extend({
  refundId: z.string(),
  refund: dollars.meta({ description: 'This refund, in US dollars' }),
  refunded: dollars.meta({ description: 'All refunds of a paid order, in US dollars' }),
})
const ProductData = z.strictObject({
  _id: z.string(),
  name: z.string(),
  price: dollars,
  minQuantity: pieces,
  availableQuantity: pieces,
  status: z.enum(['on sale', 'hidden', 'deleted']),
})
const LowStockData = ProductData.extend({ lowStock: pieces.meta({ description: 'The number that it has fallen to' }) })
const ReviewData = z.strictObject({
  _id: z.string(),
  description: z.string(),
  instrumentId: z.string().nullable(),
  rating: z.int().min(1).max(5).nullable(),
})

export interface WebhookPayload {
  type: string
  summary: string
  schema: z.ZodType
  example: object
}

const timestamp = '2026-11-25T20:15:00.000Z'

function payload<Data extends z.ZodType>(
  type: WebhookType | typeof testType,
  summary: string,
  dataShape: Data,
  data: z.input<Data>,
): WebhookPayload {
  const schema = z.strictObject({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When it happened' }),
    version: z.literal(payloadVersion).meta({ description: 'Of this form. Fields may be added under the same number' }),
    data: dataShape,
  })
  return { type, summary, schema, example: { type, timestamp, version: payloadVersion, data } }
}

const order = {
  ...{ _id: '0b9d2f4a-7c1e-4e3b-a5d6-8f0a1c2e3b4d', instrumentId: 'violin-4-4', productName: 'Concert Violin 4/4' },
  ...{ orderQuantity: 2, orderPrice: 2900, status: 'unpaid' as const, paid: false, transactionId: null },
}
const paid = { ...order, status: 'paid' as const, paid: true, transactionId: 'pi_3TxYqL2eZvKYlo2C' }
const productExample = {
  ...{ _id: 'violin-4-4', name: 'Concert Violin 4/4', price: 1450, minQuantity: 2, availableQuantity: 3 },
  status: 'on sale' as const,
}

export const webhookPayloads: WebhookPayload[] = [
  payload('order.placed', 'An order was placed', OrderData, order),
  payload('order.paid', 'An order was paid', OrderData, paid),
  payload('order.shipped', 'An order was shipped', ShippedData, { ...paid, status: 'shipped', carrier: 'DHL' }),
  payload('order.refunded', 'A payment was given back, whole or in part', RefundedData, {
    ...paid,
    ...{ refundId: '7d1f0c52-9a3e-4a61-8c0b-2f4e6a8c0d1e', refund: 150, refunded: 150 },
  }),
  payload('order.cancelled', 'An unpaid order was cancelled', OrderData, { ...order, status: 'cancelled' }),
  payload('stock.low', 'The stock of a product has fallen to its number', LowStockData, {
    ...productExample,
    lowStock: 5,
  }),
  payload(
    'product.changed',
    'A product was added, changed, counted, hidden, shown or deleted',
    ProductData,
    productExample,
  ),
  payload('review.written', 'A customer has written a review', ReviewData, {
    ...{ _id: '9f8b6a4c-1d2e-4f60-8a7b-3c5d7e9f1a2b', description: 'It sings.', instrumentId: 'violin-4-4', rating: 5 },
  }),
  payload(testType, 'An admin has sent a test event', z.strictObject({}), {}),
]
