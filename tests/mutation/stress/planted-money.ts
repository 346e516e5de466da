import type { Payment, Payments, PaymentState } from '../../../app/store/deps'
import { alterState, rewriteSql, dropSchemaObject, type Planted } from './planting'

const marking = /^update "orders" set "state" = \?, "paid_at"/

export const plantedMoney: Planted[] = [
  {
    name: 'cents are charged as if they were dollars',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...alterState((state) => alterPayment(state, ({ amountCents }) => ({ amountCents: amountCents * 100 })))(
          payments,
        ),
        openCheckout: (order, ...rest) => {
          onHit()
          return payments.openCheckout({ ...order, unitPriceCents: order.unitPriceCents / 100 }, ...rest)
        },
        openIntent: (order, attempt) => {
          onHit()
          return payments.openIntent({ ...order, totalCents: order.totalCents / 100 }, attempt)
        },
      }),
    }),
  },
  {
    name: 'a payment is not bound to its order',
    worker: (_stand, onHit) => ({
      payments: (payments) => relabel(payments, onHit, (order) => ({ ...order, id: `another-${order.id}` })),
    }),
  },
  {
    name: 'a payment is not bound to its customer',
    worker: (_stand, onHit) => ({
      payments: (payments) => relabel(payments, onHit, (order) => ({ ...order, customerId: 'somebody' })),
    }),
  },
  {
    name: 'one payment pays for two orders',
    guards: [dropSchemaObject('INDEX', 'orders_transaction_id_unique')],
    worker: (_stand, onHit) => {
      let first: Payment | undefined
      const twice = rewriteSql(
        marking,
        /not exists \(SELECT 1 FROM orders WHERE transaction_id = \?\)/i,
        '? IS NOT NULL',
        onHit,
      )
      return {
        ...twice,
        payments: alterState((state) =>
          alterPayment(state, (payment) => ({ transactionId: (first ??= payment).transactionId })),
        ),
      }
    },
  },
  {
    name: 'an open payment counts as paid',
    worker: (env, onHit) => ({
      payments: (payments) => ({
        ...payments,
        find: async (kind, id) => {
          const state = await payments.find(kind, id)
          const [row] = await env.query(
            `SELECT o.id, o.customer_id, o.total_cents FROM orders o JOIN payment_attempts a ON a.order_id = o.id WHERE a.provider_id = '${id}'`,
          )
          if (state.state !== 'open' || !row) return state
          onHit()
          const about = {
            orderId: String(row.id),
            customerId: String(row.customer_id),
            shop: null,
            customerEmail: null,
            refundedCents: 0,
            amountCents: Number(row.total_cents),
          }
          return { state: 'paid', payment: { transactionId: `pi_of_${id}`, currency: 'usd', ...about } }
        },
      }),
    }),
  },
  {
    name: 'a paid payment counts as expired',
    worker: (_stand, onHit) => ({ payments: alterState((state) => instead(state, { state: 'over' }, onHit)) }),
  },
  {
    name: 'a paid payment stays open',
    worker: (_stand, onHit) => ({
      payments: alterState((state) => instead(state, { state: 'open', clientSecret: null }, onHit)),
    }),
  },
  {
    name: 'closing does nothing',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        close: () => {
          onHit()
          return Promise.resolve({ state: 'over' })
        },
      }),
    }),
  },
  {
    name: 'every call has a new idempotency key, and every tab wins',
    worker: (_stand, onHit) => {
      let attempts = 1000
      const anyTab = rewriteSql(
        /^select "state" from "payment_attempts"/,
        '"payment_attempts"."provider_id" = ?',
        '? IS NOT NULL',
        onHit,
      )
      const payments = (real: Payments): Payments => ({
        ...real,
        openCheckout: (order, _attempt, expiresAt) => real.openCheckout(order, String(attempts++), expiresAt),
        openIntent: (order) => real.openIntent(order, String(attempts++)),
      })
      return { ...anyTab, payments }
    },
  },
  {
    name: 'the signature is not checked',
    worker: (_stand, onHit) => ({
      payments: (payments) => ({
        ...payments,
        readEvent: (body) => {
          onHit()
          const { id, type } = JSON.parse(body) as { id: string; type?: string }
          return Promise.resolve({ id, type: type ?? '', about: null })
        },
      }),
    }),
  },
]

function alterPayment(state: PaymentState, alter: (payment: Payment) => Partial<Payment>): PaymentState {
  return state.state === 'paid' ? { ...state, payment: { ...state.payment, ...alter(state.payment) } } : state
}

function instead(state: PaymentState, alter: PaymentState, onHit: () => void): PaymentState {
  if (state.state !== 'paid') return state
  onHit()
  return alter
}

type Order = Parameters<Payments['openIntent']>[0]

function relabel(payments: Payments, onHit: () => void, label: (order: Order) => Order): Payments {
  const labels = new Map<string, { orderId: string; customerId: string }>()
  const keep = <Opened extends { id: string }>(order: Order, opened: Opened): Opened => {
    onHit()
    labels.set(opened.id, { orderId: order.id, customerId: order.customerId })
    return opened
  }
  return {
    ...alterState((state, id) => alterPayment(state, () => labels.get(id) ?? {}))(payments),
    openCheckout: async (order, ...rest) => keep(order, await payments.openCheckout(label(order), ...rest)),
    openIntent: async (order, attempt) => keep(order, await payments.openIntent(label(order), attempt)),
  }
}
