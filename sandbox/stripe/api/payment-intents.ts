import type Stripe from 'stripe'
import { testCard } from './cards'
import { cardAt, pay, publicPart, requireSecret, type Caller, type PublicIntent } from './confirmation'
import { allowOnly, booleanAt, choiceAt, requireInteger, textAt, urlAt, type Form } from '../core/form'
import {
  cancelOpenIntent,
  intentExpansions,
  createOpenIntent,
  requireAmount,
  requireIntent,
  requireNoSession,
  unexpectedState,
} from './intent'
import { expanderAt, listOf, listPatterns, pageOf } from './lists'
import { metadataAt } from './metadata'
import { cardOnlyAt, currencyAt } from './supported'
import type { RequestContext } from '../core/types'

export function createIntent(context: RequestContext, form: Form): Stripe.PaymentIntent {
  allowOnly(form, [
    'amount',
    'currency',
    'description',
    'receipt_email',
    'metadata[*]',
    'allowed_payment_method_types[#]',
    'automatic_payment_methods[enabled]',
    'automatic_payment_methods[allow_redirects]',
    'payment_method',
    'return_url',
    'confirm',
    'expand[#]',
  ])
  const amount = requireInteger(form, 'amount', 1)
  const currency = currencyAt(form, 'currency')
  requireAmount(amount, 'amount')
  const allowedTypes = cardOnlyAt(form, 'allowed_payment_method_types')
  const paymentMethod = textAt(form, 'payment_method') ?? null
  if (paymentMethod !== null) testCard(paymentMethod, context.account)
  const returnUrl = urlAt(form, 'return_url') ?? null
  const confirm = booleanAt(form, 'confirm') ?? false
  const automatic = booleanAt(form, 'automatic_payment_methods[enabled]') ?? true
  const redirects = choiceAt(form, 'automatic_payment_methods[allow_redirects]', ['always', 'never']) ?? 'always'
  const expand = expanderAt(form, intentExpansions(context.account))

  const intent = createOpenIntent(context, {
    amount,
    currency,
    metadata: metadataAt(form, 'metadata'),
    description: textAt(form, 'description') ?? null,
    receiptEmail: textAt(form, 'receipt_email') ?? null,
    paymentMethod,
    allowedTypes,
    automaticPaymentMethods: automatic ? { allow_redirects: redirects, enabled: true } : null,
  })
  if (!confirm) return expand(intent)
  const payer = { name: null, email: null }
  return expand(pay(context, intent, { card: () => cardAt(context, form, intent, 'shop'), payer, returnUrl }))
}

export function readIntent(
  { account }: RequestContext,
  form: Form,
  id: string,
  caller: Caller,
): Stripe.PaymentIntent | PublicIntent {
  allowOnly(form, ['expand[#]', 'client_secret'])
  const intent = requireIntent(account, id)
  requireSecret(form, intent, caller)
  const expand = expanderAt(form, intentExpansions(account))
  return caller === 'browser' ? publicPart(intent) : expand(intent)
}

export function listIntents({ account }: RequestContext, form: Form): Stripe.ApiList<Stripe.PaymentIntent> {
  allowOnly(form, listPatterns)
  const { page, hasMore } = pageOf([...account.intents.values()], form, 'payment_intent')
  return listOf('/v1/payment_intents', page, hasMore)
}

const cancellable: Stripe.PaymentIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'processing',
]
const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const

export function cancelIntent(context: RequestContext, form: Form, id: string): Stripe.PaymentIntent {
  allowOnly(form, ['cancellation_reason', 'expand[#]'])
  const intent = requireIntent(context.account, id)
  const reason = choiceAt(form, 'cancellation_reason', reasons)
  const expand = expanderAt(form, intentExpansions(context.account))
  if (!cancellable.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancellable.join(', ')}.`,
    )
  }
  requireNoSession(context.account, intent, 'cancel')
  return expand(cancelOpenIntent(context, intent, reason ?? null))
}
