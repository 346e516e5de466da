import { z } from 'zod'
import { listChangedOrders } from '../../store/orders/changed-orders.server'
import type { Order } from '../../store/orders/orders'
import { endpoint, type ApiPath } from '../endpoint.server'
import { orderJson, OrderShape, withoutNulls } from './schemas.server'

const maxOrders = 100

const ChangedOrder = OrderShape.extend({
  instrumentId: z.string(),
  status: z.enum(['unpaid', 'paid', 'shipped', 'cancelled']),
  changedAt: z.string().meta({ description: 'Of the last change, such as 2026-11-25T20:15:00.000Z' }),
  carrier: z.string().optional(),
  trackingNumber: z.string().optional(),
  trackingUrl: z.string().optional(),
}).meta({ id: 'ChangedOrder' })

function changedOrderJson(order: Order & { changedAt: number }): z.input<typeof ChangedOrder> {
  const { instrumentId, state, changedAt, carrier, trackingNumber, trackingUrl } = order
  return {
    ...orderJson(order),
    ...{ instrumentId, status: state, changedAt: new Date(changedAt).toISOString() },
    ...withoutNulls({ carrier, trackingNumber, trackingUrl }),
  }
}

const example = {
  ...{ _id: '0b9d2f4a-7c1e-4e3b-a5d6-8f0a1c2e3b4d', instrumentId: 'violin-4-4', productName: 'Concert Violin 4/4' },
  ...{
    orderQuantity: 2,
    orderPrice: 2900,
    paid: true,
    transactionId: 'pi_3TxYqL2eZvKYlo2C',
    status: 'shipped' as const,
  },
  ...{ customerName: 'Ada Lovelace', customerEmail: 'ada@example.com' },
  ...{ customerAddress: '1 Bow Lane, Cremona', customerPhone: '+39 0372 555 0199' },
  ...{ changedAt: '2026-11-25T20:15:00.000Z', carrier: 'DHL', trackingNumber: '00340434161094015902' },
}

export const orderChanges: ApiPath = {
  path: '/order-changes',
  tag: 'Orders',
  endpoints: {
    GET: endpoint({
      summary: 'Orders that have changed after a cursor, cancelled ones too, in the order of their last change',
      auth: 'admin',
      scope: 'orders:read',
      query: z.object({
        after: z
          .string()
          .max(31)
          .regex(/^\d{1,15}-\d{1,15}$/, { error: 'A cursor that this list has given' })
          .optional()
          .meta({ description: '`next` of the page before. Default: from the first order on' }),
        limit: z
          .string()
          .regex(/^([1-9]\d?|100)$/, { error: `A whole number from 1 to ${maxOrders}` })
          .transform(Number)
          .pipe(z.int().min(1).max(maxOrders))
          .default(maxOrders)
          .meta({ description: 'Page size' }),
      }),
      output: z
        .strictObject({
          orders: z.array(ChangedOrder).max(maxOrders),
          next: z.string().meta({ description: 'The cursor of what changes from now on: keep it' }),
          hasMore: z.boolean().meta({ description: 'Ask again at once, also if this page has no order' }),
        })
        .meta({ id: 'OrderChanges' }),
      example: { response: { orders: [example], next: '4711-1795724100000', hasMore: false } },
      errors: [409],
      async run({ context, caller, query }) {
        const { orders, ...page } = await listChangedOrders(context, caller, query)
        return { orders: orders.map(changedOrderJson), ...page }
      },
    }),
  },
}
