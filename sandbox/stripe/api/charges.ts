import type Stripe from 'stripe'
import { record } from '../core/account'
import { needsAuthentication, brandOf, declineOf, disputeOf } from './cards'
import { openDispute } from './disputes'
import { allowOnly, integerAt, type Form } from '../core/form'
import { newId, seconds } from '../core/ids'
import { expanderAt, listOf, listPatterns, pageOf } from './lists'
import { ApiError } from '../core/refusal'
import type { Account, Card, RequestContext, Payer } from '../core/types'

export function listCharges({ account }: RequestContext, form: Form): Stripe.ApiList<Stripe.Charge> {
  allowOnly(form, [...listPatterns, 'created[gte]', 'expand[#]'])
  const since = integerAt(form, 'created[gte]') ?? 0
  const expand = expanderAt<Stripe.Charge>(form, {
    'data.payment_intent': (one) => ({ ...one, payment_intent: account.intents.get(one.payment_intent as string)! }),
  })
  const charges = [...account.charges.values()].filter(({ created }) => created >= since)
  const { page, hasMore } = pageOf(charges, form, 'charge')
  return listOf('/v1/charges', page.map(expand), hasMore)
}

export function charge(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  card: Card,
  payer: Payer,
  paymentMethod = newId('pm_'),
): Stripe.PaymentIntent {
  const { account, emit } = context
  const decline = declineOf(card)
  const created = buildCharge(account, { intent, card, payer, paymentMethod, decline })
  account.charges.set(created.id, created)

  if (decline) {
    const failed: Stripe.PaymentIntent = {
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      latest_charge: created.id,
      payment_method: null,
      last_payment_error: {
        type: 'card_error',
        code: decline.code,
        decline_code: decline.declineCode,
        message: decline.message,
        charge: created.id,
        ...(decline.param !== undefined && { param: decline.param }),
      },
    }
    account.intents.set(intent.id, failed)
    record(account, 'failed', failed)
    emit('payment_intent.payment_failed', failed)
    throw new ApiError(
      402,
      {
        type: 'card_error',
        code: decline.code,
        decline_code: decline.declineCode,
        message: decline.message,
        charge: created.id,
        ...(decline.param !== undefined && { param: decline.param }),
        payment_intent: failed,
      },
      true,
    )
  }

  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    status: 'succeeded',
    next_action: null,
    amount_received: intent.amount,
    latest_charge: created.id,
    payment_method: created.payment_method,
    last_payment_error: null,
  }
  account.intents.set(intent.id, succeeded)
  record(account, 'succeeded', succeeded)
  emit('payment_intent.succeeded', succeeded)
  const dispute = disputeOf(card)
  if (dispute) openDispute(context, created, dispute)
  return succeeded
}

interface NewCharge {
  intent: Stripe.PaymentIntent
  card: Card
  payer: Payer
  paymentMethod: string
  decline: ReturnType<typeof declineOf>
}

function buildCharge(account: Account, { intent, card, payer, paymentMethod, decline }: NewCharge): Stripe.Charge {
  return {
    id: newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: decline ? null : newId('txn_'),
    billing_details: { address: null, email: payer.email, name: payer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: 'CADENZA',
    captured: decline === null,
    created: seconds(account),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: { type: 'card', card: cardDetails(intent, card, decline) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

function outcomeOf(decline: NewCharge['decline']): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.declineCode ?? null,
    risk_level: 'normal',
    seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  }
}

function cardDetails(
  { amount }: Stripe.PaymentIntent,
  card: Card,
  decline: NewCharge['decline'],
): Stripe.Charge.PaymentMethodDetails.Card {
  const brand = brandOf(card)
  return {
    amount_authorized: decline ? null : amount,
    authorization_code: decline ? null : '123456',
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: decline?.param === 'cvc' ? 'fail' : 'pass',
    },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    funding: 'credit',
    installments: null,
    last4: card.number.slice(-4),
    mandate: null,
    network: brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: needsAuthentication(card) ? authenticatedByChallenge : null,
    transaction_link_id: null,
    wallet: null,
  }
}

const authenticatedByChallenge: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
}
