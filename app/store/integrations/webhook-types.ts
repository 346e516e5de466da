/** The events that a program may ask for, with the box of each in the form and its words. */
export const webhookFields = {
  'order.placed': { field: 'orderPlaced', words: 'Order placed' },
  'order.paid': { field: 'orderPaid', words: 'Order paid' },
  'order.shipped': { field: 'orderShipped', words: 'Order shipped' },
  'order.refunded': { field: 'orderRefunded', words: 'Order refunded' },
  'order.cancelled': { field: 'orderCancelled', words: 'Order cancelled' },
  'stock.low': { field: 'stockLow', words: 'Stock low' },
  'product.changed': { field: 'productChanged', words: 'Product changed' },
  'review.written': { field: 'reviewWritten', words: 'Review written' },
} as const

export type WebhookType = keyof typeof webhookFields
export const webhookTypes = Object.keys(webhookFields) as [WebhookType, ...WebhookType[]]

/** What the shopkeeper presses to see whether an endpoint works. */
export const testType = 'webhook.test'

/** Of the payloads: a change that programs must know of has the next number. */
export const payloadVersion = 1
