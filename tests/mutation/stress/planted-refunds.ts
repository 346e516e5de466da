import { lying, reworded, without, type Planted } from './planting'
import { stripeAt } from '../../stress/provider'

/** Bugs with money that comes late, and with what is sent back. */
export const plantedRefunds: Planted[] = [
  {
    name: 'money that comes late brings a cancelled order back',
    walls: [without('TRIGGER', 'orders_move_forward')],
    worker: (_stand, strike) => ({
      db: {
        rewrite: ({ sql, args }) => {
          if (!sql.startsWith('update "orders" set "state" = ?, "paid_at"')) return { sql, args }
          strike()
          return {
            sql: sql.replace('set ', 'set "cancelled_at" = NULL, ').replace('"orders"."state" = ?', '? IS NOT NULL'),
            args,
          }
        },
      },
    }),
  },
  {
    name: 'money is said to be sent back, and kept',
    worker: (_stand, strike) => ({
      payments: (payments) => ({
        ...payments,
        refund: () => {
          strike()
          return Promise.resolve({ refundId: `re_forgotten_${crypto.randomUUID()}` })
        },
      }),
    }),
  },
  {
    name: 'half of the money is sent back',
    worker: (stand, strike) => ({
      payments: (payments) => ({
        ...payments,
        refund: async ({ transactionId, amountCents }) => {
          strike()
          const half = { payment_intent: transactionId, amount: amountCents / 2 }
          return { refundId: (await stripeAt(stand.sandbox.url).refunds.create(half)).id }
        },
      }),
    }),
  },
  {
    name: 'a payment that pays is sent back',
    worker: (_stand, strike) => ({
      payments: (payments) =>
        lying(async (found) => {
          if (found.state !== 'paid') return found
          strike()
          await payments.refund(found.payment)
          return found
        })(payments),
    }),
  },
  {
    name: 'money that is owed is told again each time',
    worker: (_stand, strike) =>
      reworded(
        /^INSERT INTO audit_log/,
        /WHERE NOT EXISTS \(SELECT 1 FROM refunds WHERE transaction_id = \?\)/,
        'WHERE ? IS NOT NULL',
        strike,
      ),
  },
]
