import type { Deps, Payment, Payments, PaymentState, ProviderDispute, ProviderRefund } from '../../app/store/deps'
import type { Store } from './store'

/** The checker is off: this money is not in the sandbox's ledger. */
export function fakeProvider(shop: Store) {
  shop.skipInvariants('the provider is the test’s own')
  const states = new Map<string, PaymentState>()
  const calls: string[] = []
  /** The error that every call of this name throws. */
  const errors: Partial<Record<keyof Payments, Error>> = {}
  const refunds: ProviderRefund[] = []
  const disputes: ProviderDispute[] = []
  let opened = 0

  async function call<T>(name: keyof Payments, what: string, response: () => T): Promise<T> {
    calls.push(`${name} ${what}`)
    await Promise.resolve()
    const error = errors[name]
    if (error) throw error
    return response()
  }
  const stateOf = (id: string): PaymentState => states.get(id) ?? { state: 'over' }
  const payments: Payments = {
    openCheckout: (order, attempt, expiresAt) =>
      call('openCheckout', `${order.id} ${attempt.split(':')[0]} ${expiresAt}`, () => {
        const id = `cs_${(opened += 1)}`
        states.set(id, { state: 'open', clientSecret: null })
        return { id, url: `https://pay.example/${id}` }
      }),
    openIntent: (order, attempt) =>
      call('openIntent', `${order.id} ${attempt.split(':')[0]}`, () => {
        const id = `pi_${(opened += 1)}`
        states.set(id, { state: 'open', clientSecret: `${id}_secret` })
        return { id, clientSecret: `${id}_secret` }
      }),
    find: (kind, id) => call('find', `${kind} ${id}`, () => stateOf(id)),
    close: (kind, id) =>
      call('close', `${kind} ${id}`, () => {
        if (stateOf(id).state === 'open') states.set(id, { state: 'over' })
        return stateOf(id)
      }),
    refund: ({ transactionId, amountCents }) =>
      call('refund', `${transactionId} ${amountCents}`, () => ({ refundId: `re_of_${transactionId}` })),
    refundPart: ({ id, transactionId, amountCents, tries }) =>
      call('refundPart', `${transactionId} ${amountCents} ${tries}`, () => ({ refundId: `re_of_${id}` })),
    listPayments: () =>
      call('listPayments', '', () =>
        [...states.values()].flatMap((one) => (one.state === 'paid' ? [one.payment] : [])),
      ),
    findRefund: (refundId) =>
      call('findRefund', refundId, () => refunds.find((refund) => refund.refundId === refundId) ?? null),
    listRefunds: (which) =>
      call('listRefunds', 'since' in which ? 'all' : which.transactionId, () =>
        refunds.filter((refund) => 'since' in which || refund.transactionId === which.transactionId),
      ),
    findDispute: (disputeId) =>
      call('findDispute', disputeId, () => disputes.find((dispute) => dispute.disputeId === disputeId) ?? null),
    listDisputes: (since) => call('listDisputes', new Date(since).toISOString(), () => [...disputes]),
    readEvent: () => Promise.resolve(null),
  }
  return {
    deps: { ...shop.deps, payments } satisfies Deps,
    calls,
    errors,
    /** What the provider says about refunds; nothing of its own accord. */
    refunds,
    disputes,
    becomes: (id: string, state: PaymentState) => void states.set(id, state),
  }
}

export function paid(
  order: { id: string; customer: { id: string }; cents?: number },
  more: Partial<Payment> = {},
): PaymentState & { state: 'paid' } {
  const payment = {
    transactionId: 'pi_paid',
    orderId: order.id,
    customerId: order.customer.id,
    shop: null,
    customerEmail: null,
    currency: 'usd',
  }
  return { state: 'paid', payment: { ...payment, amountCents: order.cents ?? 500_00, refundedCents: 0, ...more } }
}
