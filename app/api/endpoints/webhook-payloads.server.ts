import { z } from 'zod'
import { payloadVersion, testType, type WebhookType } from '../../store/integrations/webhook-types'
import { inDollars } from './schemas.server'

/* What `app/store/integrations/webhook-events.server.ts` writes; a test compares. */

const dollars = z.number().meta({ description: inDollars })
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
const product = {
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
  payload('stock.low', 'The stock of a product has fallen to its number', LowStockData, { ...product, lowStock: 5 }),
  payload('product.changed', 'A product was added, changed, counted, hidden, shown or deleted', ProductData, product),
  payload('review.written', 'A customer has written a review', ReviewData, {
    ...{ _id: '9f8b6a4c-1d2e-4f60-8a7b-3c5d7e9f1a2b', description: 'It sings.', instrumentId: 'violin-4-4', rating: 5 },
  }),
  payload(testType, 'An admin has sent a test event', z.strictObject({}), {}),
]
