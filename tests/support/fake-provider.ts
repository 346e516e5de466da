import type { Deps, Payment, Payments, PaymentState } from '../../app/store/deps'
import type { Store } from './store'

/**
 * A payment provider in the test's own hands: what it opened is in whatever state the test says. Money at it is nowhere in the
 * sandbox's ledger, so the checker does not look at the end of such a test.
 */
export function fakeProvider(shop: Store) {
  shop.breaks('the provider is the test’s own')
  const states = new Map<string, PaymentState>()
  /** Every call, such as `close intent pi_1`. */
  const calls: string[] = []
  /** What the next call of this name answers with, instead. */
  const errors: Partial<Record<keyof Payments, Error>> = {}
  let opened = 0

  async function called<T>(name: keyof Payments, what: string, answer: () => T): Promise<T> {
    calls.push(`${name} ${what}`)
    await Promise.resolve()
    const error = errors[name]
    if (error) throw error
    return answer()
  }
  const stateOf = (id: string): PaymentState => states.get(id) ?? { state: 'over' }
  const payments: Payments = {
    openCheckout: (order, attempt, expiresAt) =>
      called('openCheckout', `${order.id} ${attempt} ${expiresAt}`, () => {
        const id = `cs_${(opened += 1)}`
        states.set(id, { state: 'open', clientSecret: null })
        return { id, url: `https://pay.example/${id}` }
      }),
    openIntent: (order, attempt) =>
      called('openIntent', `${order.id} ${attempt}`, () => {
        const id = `pi_${(opened += 1)}`
        states.set(id, { state: 'open', clientSecret: `${id}_secret` })
        return { id, clientSecret: `${id}_secret` }
      }),
    find: (kind, id) => called('find', `${kind} ${id}`, () => stateOf(id)),
    close: (kind, id) =>
      called('close', `${kind} ${id}`, () => {
        if (stateOf(id).state === 'open') states.set(id, { state: 'over' })
        return stateOf(id)
      }),
    refund: ({ transactionId, amountCents }) =>
      called('refund', `${transactionId} ${amountCents}`, () => ({ refundId: `re_of_${transactionId}` })),
    isRefundFailed: (refundId) => called('isRefundFailed', refundId, () => true),
    readEvent: () => Promise.resolve(null),
  }
  return {
    deps: { ...shop.deps, payments } satisfies Deps,
    calls,
    errors,
    /** Says what became of a checkout or an intent. */
    becomes: (id: string, state: PaymentState) => void states.set(id, state),
  }
}

/** A payment of an order as it should be, but for what is said. */
export function paid(
  order: { id: string; customer: { id: string }; cents?: number },
  more: Partial<Payment> = {},
): PaymentState & { state: 'paid' } {
  const payment = { transactionId: 'pi_paid', orderId: order.id, customerId: order.customer.id, currency: 'usd' }
  return { state: 'paid', payment: { ...payment, amountCents: order.cents ?? 500_00, ...more } }
}
