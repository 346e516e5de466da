import type Stripe from 'stripe'
import { record } from '../core/account'
import { newId, seconds } from '../core/ids'
import { invalid, missing, invalidState, type ApiError } from '../core/refusal'
import type { Account, RequestContext } from '../core/types'

interface NewIntent {
  amount: number
  currency: string
  metadata: Stripe.Metadata
  description: string | null
  receiptEmail: string | null
  paymentMethod?: string | null
  automaticPaymentMethods?: Stripe.PaymentIntent.AutomaticPaymentMethods | null
  allowedTypes?: 'card'[] | null
  sessionId?: string
}

export function createOpenIntent({ account, emit }: RequestContext, input: NewIntent): Stripe.PaymentIntent {
  const id = newId('pi_')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: input.allowedTypes ?? null,
    amount: input.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: input.automaticPaymentMethods ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('', 25)}`,
    confirmation_method: 'automatic',
    created: seconds(account),
    currency: input.currency,
    customer: null,
    customer_account: null,
    description: input.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: input.paymentMethod ?? null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: input.paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
  account.intents.set(id, intent)
  if (input.sessionId !== undefined) account.sessionOfIntent.set(id, input.sessionId)
  record(account, 'created', intent)
  emit('payment_intent.created', intent)
  return intent
}

export function cancelOpenIntent(
  { account, emit }: RequestContext,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Stripe.PaymentIntent {
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    next_action: null,
    canceled_at: seconds(account),
    cancellation_reason: reason,
  }
  account.intents.set(intent.id, canceled)
  record(account, 'cancelled', canceled)
  emit('payment_intent.canceled', canceled)
  return canceled
}

export function requireIntent(account: Account, id: string, param = 'intent'): Stripe.PaymentIntent {
  const intent = account.intents.get(id)
  if (!intent) throw missing('payment_intent', id, param)
  return intent
}

export function requireNoSession(account: Account, intent: Stripe.PaymentIntent, action: 'cancel' | 'confirm'): void {
  const sessionId = account.sessionOfIntent.get(intent.id)
  if (sessionId === undefined) return
  throw invalidState(
    `You cannot ${action} this PaymentIntent because it was created by the Checkout Session ${sessionId}.`,
  )
}

export function unexpectedState(intent: Stripe.PaymentIntent, message: string): ApiError {
  return invalidState(message, { code: 'payment_intent_unexpected_state', payment_intent: intent })
}

const minCents = 50
const maxCents = 99_999_999

/** In US cents. https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export function requireAmount(amount: number, param: string): void {
  if (amount < minCents) throw invalid('Amount must be at least $0.50 usd', { code: 'amount_too_small', param })
  if (amount > maxCents) throw invalid('Amount must be no more than $999,999.99', { code: 'amount_too_large', param })
}

export function intentExpansions(account: Account) {
  return {
    latest_charge(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
      const { latest_charge: id } = intent
      return typeof id === 'string' ? { ...intent, latest_charge: account.charges.get(id) ?? id } : intent
    },
  }
}
