import type { Payment, Payments, PaymentState } from '../../../app/store/deps'
import { lying, reworded, without, type Planted } from './planting'

const marking = /^update "orders" set "state" = \?, "paid_at"/

/** Bugs with payments. */
export const plantedMoney: Planted[] = [
  {
    name: 'cents are charged as if they were dollars',
    worker: (_stand, strike) => ({
      payments: (payments) => ({
        ...lying((found) => believing(found, ({ amountCents }) => ({ amountCents: amountCents * 100 })))(payments),
        openCheckout: (order, ...rest) => {
          strike()
          return payments.openCheckout({ ...order, unitPriceCents: order.unitPriceCents / 100 }, ...rest)
        },
        openIntent: (order, attempt) => {
          strike()
          return payments.openIntent({ ...order, totalCents: order.totalCents / 100 }, attempt)
        },
      }),
    }),
  },
  {
    name: 'a payment is not bound to its order',
    worker: (_stand, strike) => ({
      payments: (payments) => mislabelled(payments, strike, (order) => ({ ...order, id: `another-${order.id}` })),
    }),
  },
  {
    name: 'a payment is not bound to its customer',
    worker: (_stand, strike) => ({
      payments: (payments) => mislabelled(payments, strike, (order) => ({ ...order, customerId: 'somebody' })),
    }),
  },
  {
    name: 'one payment pays for two orders',
    walls: [without('INDEX', 'orders_transaction_id_unique')],
    worker: (_stand, strike) => {
      let first: Payment | undefined
      const twice = reworded(
        marking,
        /not exists \(SELECT 1 FROM orders WHERE transaction_id = \?\)/i,
        '? IS NOT NULL',
        strike,
      )
      return {
        ...twice,
        payments: lying((found) =>
          believing(found, (payment) => ({ transactionId: (first ??= payment).transactionId })),
        ),
      }
    },
  },
  {
    name: 'whatever was opened counts as paid',
    worker: (stand, strike) => ({
      payments: (payments) => ({
        ...payments,
        find: async (kind, id) => {
          const found = await payments.find(kind, id)
          const [row] = await stand.query(
            `SELECT o.id, o.customer_id, o.total_cents FROM orders o JOIN payment_attempts a ON a.order_id = o.id WHERE a.provider_id = '${id}'`,
          )
          if (found.state !== 'open' || !row) return found
          strike()
          const about = {
            orderId: String(row.id),
            customerId: String(row.customer_id),
            amountCents: Number(row.total_cents),
          }
          return { state: 'paid', payment: { transactionId: `pi_of_${id}`, currency: 'usd', ...about } }
        },
      }),
    }),
  },
  {
    name: 'what was paid is taken for over',
    worker: (_stand, strike) => ({ payments: lying((found) => instead(found, { state: 'over' }, strike)) }),
  },
  {
    name: 'nobody ever learns that it was paid',
    worker: (_stand, strike) => ({
      payments: lying((found) => instead(found, { state: 'open', clientSecret: null }, strike)),
    }),
  },
  {
    name: 'closing does nothing',
    worker: (_stand, strike) => ({
      payments: (payments) => ({
        ...payments,
        close: () => {
          strike()
          return Promise.resolve({ state: 'over' })
        },
      }),
    }),
  },
  {
    name: 'every call has a new idempotency key, and every tab is believed',
    worker: (_stand, strike) => {
      let attempts = 1000
      const anyTab = reworded(
        /^select "state" from "payment_attempts"/,
        '"payment_attempts"."provider_id" = ?',
        '? IS NOT NULL',
        strike,
      )
      const payments = (real: Payments): Payments => ({
        ...real,
        openCheckout: (order, _attempt, expiresAt) => real.openCheckout(order, attempts++, expiresAt),
        openIntent: (order) => real.openIntent(order, attempts++),
      })
      return { ...anyTab, payments }
    },
  },
  {
    name: 'a signature is not looked at',
    worker: (_stand, strike) => ({
      payments: (payments) => ({
        ...payments,
        readEvent: (body) => {
          strike()
          const { id, type } = JSON.parse(body) as { id: string; type?: string }
          return Promise.resolve({ id, type: type ?? '', about: null })
        },
      }),
    }),
  },
]

function believing(found: PaymentState, lie: (payment: Payment) => Partial<Payment>): PaymentState {
  return found.state === 'paid' ? { ...found, payment: { ...found.payment, ...lie(found.payment) } } : found
}

function instead(found: PaymentState, lie: PaymentState, strike: () => void): PaymentState {
  if (found.state !== 'paid') return found
  strike()
  return lie
}

type Order = Parameters<Payments['openIntent']>[0]

/** Opens under a wrong label, and believes the right one of what was opened. */
function mislabelled(payments: Payments, strike: () => void, label: (order: Order) => Order): Payments {
  const labels = new Map<string, { orderId: string; customerId: string }>()
  const keep = <Opened extends { id: string }>(order: Order, opened: Opened): Opened => {
    strike()
    labels.set(opened.id, { orderId: order.id, customerId: order.customerId })
    return opened
  }
  return {
    ...lying((found, id) => believing(found, () => labels.get(id) ?? {}))(payments),
    openCheckout: async (order, ...rest) => keep(order, await payments.openCheckout(label(order), ...rest)),
    openIntent: async (order, attempt) => keep(order, await payments.openIntent(label(order), attempt)),
  }
}
