import { alterState, rewriteSql, rewriteTrigger, dropSchemaObject, type Planted } from './planting'
import { stripeAt } from '../../stress/provider'

export const plantedRefunds: Planted[] = [
  { name: 'a former admin refunds', guards: [dropSchemaObject('TRIGGER', 'order_refunds_are_made_by_admins')] },
  { name: 'a former admin ships', guards: [dropSchemaObject('TRIGGER', 'orders_are_shipped_by_staff')] },
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
  {
    name: 'a refund of an order has a new idempotency key each time, and nobody looks for an earlier one',
    worker: (_stand, onHit) => {
      let tries = 0
      return {
        payments: (payments) => ({
          ...payments,
          listRefunds: () => Promise.resolve([]),
          refundPart: (refund) => {
            onHit()
            return payments.refundPart({ ...refund, tries: tries++ })
          },
        }),
      }
    },
  },
  {
    name: 'a refund form that is sent again makes another refund',
    guards: [
      dropSchemaObject('TRIGGER', 'order_refunds_are_stored_once'),
      dropSchemaObject('INDEX', 'order_refunds_once'),
    ],
  },
  {
    name: 'refunds of an order are not counted',
    guards: [rewriteTrigger('order_refunds_are_counted', /UPDATE `orders`[\s\S]*?;/, '')],
  },
  {
    name: 'pieces go back to stock outside the audit log',
    guards: [
      rewriteTrigger(
        'order_refunds_are_counted',
        /INSERT INTO `audit_log` \(`at`, `event`, `actor`, `instrument_id`[\s\S]*?;/,
        'UPDATE `instruments` SET `available_quantity` = `available_quantity` + NEW.`restock` WHERE `id` = (SELECT `instrument_id` FROM `orders` WHERE `id` = NEW.`order_id`);',
      ),
    ],
  },
  {
    name: 'pieces go back to stock twice',
    guards: [
      rewriteTrigger(
        'order_refunds_are_counted',
        /(INSERT INTO `audit_log` \(`at`, `event`, `actor`, `instrument_id`[\s\S]*?;)/,
        '$1 $1',
      ),
    ],
  },
  {
    name: 'a refund in part refunds twice as much',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        refundPart: (refund) => {
          onHit()
          return payments.refundPart({ ...refund, amountCents: refund.amountCents * 2 })
        },
      }),
    }),
  },
  {
    name: 'a refund of an order is logged as made and not made',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        refundPart: () => {
          onHit()
          return Promise.resolve({ refundId: `re_forgotten_${crypto.randomUUID()}` })
        },
      }),
    }),
  },
  {
    name: 'nobody asks about refunds that were made elsewhere',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        findRefund: () => Promise.resolve(null),
        listRefunds: () => {
          onHit()
          return Promise.resolve([])
        },
      }),
    }),
  },
]
