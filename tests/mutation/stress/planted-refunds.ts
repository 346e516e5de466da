import { alterState, rewriteSql, dropSchemaObject, type Planted } from './planting'
import { stripeAt } from '../../stress/provider'

export const plantedRefunds: Planted[] = [
  {
    name: 'a late payment revives a cancelled order',
    guards: [dropSchemaObject('TRIGGER', 'orders_move_forward')],
    worker: (_stand, onHit) => ({
      db: {
        rewrite: ({ sql, args }) => {
          if (!sql.startsWith('update "orders" set "state" = ?, "paid_at"')) return { sql, args }
          onHit()
          return {
            sql: sql.replace('set ', 'set "cancelled_at" = NULL, ').replace('"orders"."state" = ?', '? IS NOT NULL'),
            args,
          }
        },
      },
    }),
  },
  {
    name: 'a refund is logged and not made',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        refund: () => {
          onHit()
          return Promise.resolve({ refundId: `re_forgotten_${crypto.randomUUID()}` })
        },
      }),
    }),
  },
  {
    name: 'half of the amount is refunded',
    worker: (env, onHit) => ({
      payments: (payments) => ({
        ...payments,
        refund: async ({ transactionId, amountCents }) => {
          onHit()
          const half = { payment_intent: transactionId, amount: amountCents / 2 }
          return { refundId: (await stripeAt(env.sandbox.url).refunds.create(half)).id }
        },
      }),
    }),
  },
  {
    name: 'the payment of an order is refunded',
    worker: (_stand, onHit) => ({
      payments: (payments) =>
        alterState(async (state) => {
          if (state.state !== 'paid') return state
          onHit()
          await payments.refund(state.payment)
          return state
        })(payments),
    }),
  },
  {
    name: 'an owed refund is logged each time',
    worker: (_stand, onHit) =>
      rewriteSql(
        /^INSERT INTO audit_log/,
        /WHERE NOT EXISTS \(SELECT 1 FROM refunds WHERE transaction_id = \?\)/,
        'WHERE ? IS NOT NULL',
        onHit,
      ),
  },
]
