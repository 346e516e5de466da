import type Stripe from 'stripe'
import { allowOnly, booleanAt, integerAt, textAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { listOf, listPatterns, pageOf } from './lists'
import { invalidState, missing } from '../core/refusal'
import type { Account, RequestContext } from '../core/types'

/** What Stripe takes for a dispute in the United States, in cents. */
const fee = 15_00
/** Seconds. */
const timeToAnswer = 9 * 24 * 60 * 60

export function openDispute(
  { account, emit }: RequestContext,
  charge: Stripe.Charge,
  { isInquiry = false, reason = 'fraudulent' } = {},
): Stripe.Dispute {
  if (charge.status !== 'succeeded' || charge.disputed) throw invalidState(`Charge ${charge.id} cannot be disputed.`)
  const created = seconds(account)
  const dispute: Stripe.Dispute = {
    id: newId('du_'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // Only one of its thirty fields is set.
    evidence: { uncategorized_text: null } as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: created + timeToAnswer,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  }
  account.charges.set(charge.id, { ...charge, disputed: true })
  const opened = isInquiry ? dispute : moveFunds(account, dispute, { amount: -dispute.amount, fee })
  account.disputes.set(opened.id, opened)
  emit('charge.dispute.created', opened)
  if (!isInquiry) emit('charge.dispute.funds_withdrawn', opened)
  return opened
}

/** The bank decides. Of an inquiry, `won` closes it, and `lost` makes it a dispute. */
export function decideDispute({ account, emit }: RequestContext, id: string, outcome: 'won' | 'lost'): Stripe.Dispute {
  const dispute = requireDispute(account, id)
  if (['won', 'lost', 'warning_closed'].includes(dispute.status)) throw invalidState(`Dispute ${id} is decided.`)
  if (dispute.status.startsWith('warning_') && outcome === 'lost') {
    const taken = moveFunds(account, dispute, { amount: -dispute.amount, fee })
    const escalated: Stripe.Dispute = { ...taken, status: 'needs_response', is_charge_refundable: false }
    account.disputes.set(id, escalated)
    emit('charge.dispute.updated', escalated)
    emit('charge.dispute.funds_withdrawn', escalated)
    return escalated
  }
  const isInquiry = dispute.status.startsWith('warning_')
  const status = isInquiry ? 'warning_closed' : outcome
  const paidBack = !isInquiry && outcome === 'won'
  const moved = paidBack ? moveFunds(account, dispute, { amount: dispute.amount, fee: 0 }) : dispute
  const decided: Stripe.Dispute = { ...moved, status }
  account.disputes.set(id, decided)
  if (paidBack) emit('charge.dispute.funds_reinstated', decided)
  emit('charge.dispute.closed', decided)
  return decided
}

export function readDispute({ account }: RequestContext, form: Form, id: string): Stripe.Dispute {
  allowOnly(form, [])
  return requireDispute(account, id)
}

export function listDisputes({ account }: RequestContext, form: Form): Stripe.ApiList<Stripe.Dispute> {
  allowOnly(form, [...listPatterns, 'payment_intent', 'created[gte]'])
  const intentId = textAt(form, 'payment_intent')
  const since = integerAt(form, 'created[gte]') ?? 0
  const disputes = [...account.disputes.values()].filter(
    (one) => (intentId === undefined || one.payment_intent === intentId) && one.created >= since,
  )
  const { page, hasMore } = pageOf(disputes, form, 'dispute')
  return listOf('/v1/disputes', page, hasMore)
}

/** The texts with which Stripe's test mode decides at once (docs.stripe.com/testing#disputes). */
const evidenceThat = { winning_evidence: 'won', losing_evidence: 'lost' } as const

export function updateDispute(context: RequestContext, form: Form, id: string): Stripe.Dispute {
  allowOnly(form, ['evidence[uncategorized_text]', 'submit'])
  const { account, emit } = context
  const before = requireDispute(account, id)
  if (!before.status.endsWith('needs_response')) throw invalidState('This dispute takes no evidence any more.')
  const text = textAt(form, 'evidence[uncategorized_text]') ?? before.evidence.uncategorized_text
  const isSent = booleanAt(form, 'submit') ?? true
  const status = before.status.startsWith('warning_') ? 'warning_under_review' : 'under_review'
  const updated: Stripe.Dispute = {
    ...before,
    evidence: { ...before.evidence, uncategorized_text: text },
    evidence_details: {
      ...before.evidence_details,
      has_evidence: text !== null,
      submission_count: isSent ? 1 : 0,
      submission_method: isSent ? 'manual' : 'not_submitted',
    },
    ...(isSent && { status }),
  }
  account.disputes.set(id, updated)
  emit('charge.dispute.updated', updated)
  const outcome = isSent && evidenceThat[text as keyof typeof evidenceThat]
  return outcome ? decideDispute(context, id, outcome) : updated
}

/** The shop accepts that it is lost. */
export function closeDispute(context: RequestContext, form: Form, id: string): Stripe.Dispute {
  allowOnly(form, [])
  return decideDispute(context, id, 'lost')
}

function requireDispute(account: Account, id: string): Stripe.Dispute {
  const dispute = account.disputes.get(id)
  if (!dispute) throw missing('dispute', id)
  return dispute
}

/** As docs.stripe.com/api/disputes/object: `amount` is signed, `fee` is what Stripe takes beside it. */
function moveFunds(
  account: Account,
  dispute: Stripe.Dispute,
  { amount, fee }: { amount: number; fee: number },
): Stripe.Dispute {
  const created = seconds(account)
  const { id, currency } = dispute
  const move: Stripe.BalanceTransaction = {
    id: newId('txn_'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency,
    description: amount < 0 ? `Chargeback withdrawal for ${id}` : `Chargeback reversal for ${id}`,
    exchange_rate: null,
    fee,
    fee_details:
      fee > 0 ? [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }] : [],
    net: amount - fee,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source: id,
    status: 'available',
    type: 'adjustment',
  }
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, move] }
}
