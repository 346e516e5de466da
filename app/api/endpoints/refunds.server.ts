import { z } from 'zod'
import { NewRefund, refundOrder } from '../../store/payments/order-refunds.server'
import { dollarsInCents } from '../../store/shared/dollars.server'
import { endpoint, type ApiPath } from '../endpoint.server'
import { orderSeenWith } from './orders.server'
import { inDollars } from './schemas.server'

const amount = dollarsInCents('Amount is Required', 'Amount').pipe(NewRefund.shape.amount.out)

export const refunds: ApiPath = {
  path: '/order/{id}/refunds',
  tag: 'Orders',
  endpoints: {
    POST: endpoint({
      summary: 'Refunds a part of a paid order, or what is left of it, and tells the customer',
      auth: 'admin',
      scope: 'orders:refund',
      idempotent: 'required',
      ifMatch: true,
      body: z.strictObject({
        amount: amount.meta({
          description: `At most what is left of the order, in ${inDollars}`,
          ...{ minimum: 0.01, maximum: 999_999.99 },
        }),
        reason: NewRefund.shape.reason.meta({
          description: 'In the history of the order',
          minLength: 1,
          maxLength: 200,
        }),
        restock: NewRefund.shape.restock.meta({ description: 'Pieces that go back to stock' }),
      }),
      output: z
        .strictObject({
          acknowledged: z.literal(true),
          state: z.enum(['made', 'owed', 'failed']).meta({
            description:
              'owed: the payment provider does not respond, the shop tries again; failed: it has no money of this order left',
          }),
        })
        .meta({ id: 'Refunded' }),
      example: {
        param: '0b9d2f4a-7c1e-4e3b-a5d6-8f0a1c2e3b4d',
        body: { amount: 150, reason: 'A dent in the case', restock: 1 },
        response: { acknowledged: true, state: 'made' },
      },
      errors: [404, 409],
      async run({ context, caller, params, body, idempotencyKey, ifMatch }) {
        const seen = await orderSeenWith(context, params.id!, ifMatch)
        const { state } = await refundOrder(context, caller, params.id!, {
          ...body,
          submissionId: idempotencyKey!,
          seen,
        })
        return { acknowledged: true as const, state }
      },
    }),
  },
}
