import type Stripe from 'stripe'
import { record } from '../core/account'
import { allowOnly, choiceAt, integerAt, requireText, textAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { decideDispute } from './disputes'
import { requireIntent } from './intent'
import { listOf, listPatterns, pageOf } from './lists'
import { metadataAt } from './metadata'
import { missing, invalidState } from '../core/refusal'
import type { Account, RequestContext } from '../core/types'

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export function createRefund(context: RequestContext, form: Form): Stripe.Refund {
  const { account, emit } = context
  allowOnly(form, ['payment_intent', 'amount', 'reason', 'metadata[*]'])
  const requestedAmount = integerAt(form, 'amount', 1)
  const reason = choiceAt(form, 'reason', reasons) ?? null
  const metadata = metadataAt(form, 'metadata')
  const { intent, charge } = paidIntentAt(form, account)

  const dispute = [...account.disputes.values()].findLast((one) => one.charge === charge.id)
  if (dispute && ['needs_response', 'under_review', 'lost'].includes(dispute.status))
    throw invalidState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  const remaining = charge.amount_captured - charge.amount_refunded
  if (remaining === 0)
    throw invalidState(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = requestedAmount ?? remaining
  if (amount > remaining) {
    throw invalidState(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(remaining)})`,
      {
        code: 'amount_too_large',
        param: 'amount',
      },
    )
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
  const updatedCharge: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === remaining,
  }
  account.refunds.set(refund.id, refund)
  account.charges.set(charge.id, updatedCharge)
  record(account, 'refunded', intent, refund)
  emit('refund.created', refund)
  emit('charge.refunded', updatedCharge)
  if (updatedCharge.refunded && dispute?.status.startsWith('warning_')) decideDispute(context, dispute.id, 'won')
  return refund
}

export function readRefund({ account }: RequestContext, form: Form, id: string): Stripe.Refund {
  allowOnly(form, [])
  const refund = account.refunds.get(id)
  if (!refund) throw missing('refund', id)
  return refund
}

export function listRefunds({ account }: RequestContext, form: Form): Stripe.ApiList<Stripe.Refund> {
  allowOnly(form, [...listPatterns, 'payment_intent', 'created[gte]'])
  const intentId = textAt(form, 'payment_intent')
  const since = integerAt(form, 'created[gte]') ?? 0
  const refunds = [...account.refunds.values()].filter(
    (refund) => (intentId === undefined || refund.payment_intent === intentId) && refund.created >= since,
  )
  const { page, hasMore } = pageOf(refunds, form, 'refund')
  return listOf('/v1/refunds', page, hasMore)
}

function paidIntentAt(form: Form, account: Account): { intent: Stripe.PaymentIntent; charge: Stripe.Charge } {
  const intent = requireIntent(account, requireText(form, 'payment_intent'), 'payment_intent')
  const charge = intent.status === 'succeeded' && account.charges.get(intent.latest_charge as string)
  if (charge) return { intent, charge }
  throw invalidState(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  })
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
