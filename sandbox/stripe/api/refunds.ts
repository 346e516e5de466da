import type Stripe from 'stripe'
import { record, type Account, type Desk } from '../core/account'
import { allowOnly, choiceAt, integerAt, refuseMissing, textAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { intentExpansions, requireIntent } from './intent'
import { expanding, listOf, listPatterns, pageOf } from './lists'
import { metadataAt } from './metadata'
import { missing, unable } from '../core/refusal'

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export function createRefund({ account, tell }: Desk, form: Form): Stripe.Refund {
  allowOnly(form, ['payment_intent', 'charge', 'amount', 'reason', 'metadata', 'metadata[*]', 'expand[#]'])
  const wanted = integerAt(form, 'amount', 1)
  const reason = choiceAt(form, 'reason', reasons) ?? null
  const metadata = metadataAt(form, 'metadata')
  const expand = expanding(form, refundExpansions(account))
  const { intent, charge } = subjectOf(account, form)

  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw unable(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = wanted ?? left
  if (amount > left) {
    throw unable(`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }

  const refund: Stripe.Refund = {
    id: newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn_'),
    charge: charge.id,
    created: seconds(account),
    currency: intent.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    },
    metadata,
    payment_intent: intent.id,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  const refunded: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  }
  account.refunds.set(refund.id, refund)
  account.charges.set(charge.id, refunded)
  record(account, 'refunded', intent, refund)
  tell('refund.created', refund)
  tell('charge.refunded', refunded)
  return expand(refund)
}

export function readRefund({ account }: Desk, form: Form, id: string): Stripe.Refund {
  allowOnly(form, ['expand[#]'])
  const refund = account.refunds.get(id)
  if (!refund) throw missing('refund', id)
  return expanding(form, refundExpansions(account))(refund)
}

export function listRefunds({ account }: Desk, form: Form): Stripe.ApiList<Stripe.Refund> {
  allowOnly(form, [...listPatterns, 'payment_intent', 'charge', 'expand[#]'])
  const intentId = textAt(form, 'payment_intent')
  const chargeId = textAt(form, 'charge')
  const expand = expanding(form, refundExpansions(account), 'data.')
  const found = [...account.refunds.values()].filter(
    (refund) =>
      (intentId === undefined || refund.payment_intent === intentId) &&
      (chargeId === undefined || refund.charge === chargeId),
  )
  const { page, hasMore } = pageOf(found, form, 'refund')
  return listOf('/v1/refunds', page.map(expand), hasMore)
}

function subjectOf(account: Account, form: Form): { intent: Stripe.PaymentIntent; charge: Stripe.Charge } {
  const intentId = textAt(form, 'payment_intent')
  const chargeId = textAt(form, 'charge')
  if (intentId === undefined && chargeId === undefined) refuseMissing('payment_intent')
  if (intentId !== undefined) {
    const intent = requireIntent(account, intentId, 'payment_intent')
    const charge = intent.status === 'succeeded' && account.charges.get(idOf(intent.latest_charge))
    if (!charge) {
      throw unable(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
        param: 'payment_intent',
      })
    }
    if (chargeId === undefined || chargeId === charge.id) return { intent, charge }
    throw missing('charge', chargeId, 'charge')
  }
  const charge = account.charges.get(chargeId!)
  if (!charge) throw missing('charge', chargeId!, 'charge')
  if (!charge.captured) throw unable(`Charge ${charge.id} did not succeed.`, { param: 'charge' })
  return { intent: requireIntent(account, idOf(charge.payment_intent)), charge }
}

function refundExpansions(account: Account) {
  const { latest_charge: withCharge } = intentExpansions(account)
  const intentOf = (refund: Stripe.Refund) => requireIntent(account, idOf(refund.payment_intent))
  return {
    payment_intent: (refund: Stripe.Refund): Stripe.Refund => ({ ...refund, payment_intent: intentOf(refund) }),
    'payment_intent.latest_charge': (refund: Stripe.Refund): Stripe.Refund => ({
      ...refund,
      payment_intent: withCharge(intentOf(refund)),
    }),
    charge: (refund: Stripe.Refund): Stripe.Refund => ({
      ...refund,
      charge: account.charges.get(idOf(refund.charge)) ?? refund.charge,
    }),
  }
}

function idOf(reference: string | { id: string } | null): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
