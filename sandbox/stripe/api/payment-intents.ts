import type Stripe from 'stripe'
import { record, type Desk } from '../core/account'
import { namedCard } from './cards'
import { cardAt, pay, publicPart, requireSecret, type Caller, type PublicIntent } from './confirmation'
import { allowOnly, booleanAt, choiceAt, integerAt, requireInteger, textAt, urlAt, type Form } from '../core/form'
import {
  closeIntent,
  intentExpansions,
  openIntent,
  requireAmount,
  requireIntent,
  requireNoSession,
  unexpectedState,
} from './intent'
import { expanding, listOf, listPatterns, pageOf } from './lists'
import { metadataAt } from './metadata'
import { cardOnlyAt, requireKnown, currencyAt } from './supported'

const described = ['amount', 'currency', 'description', 'receipt_email', 'metadata', 'metadata[*]', 'expand[#]']
const methods = [
  'allowed_payment_method_types[#]',
  'automatic_payment_methods[enabled]',
  'automatic_payment_methods[allow_redirects]',
]
const confirming = ['payment_method', 'return_url']

export function createIntent(desk: Desk, form: Form): Stripe.PaymentIntent {
  allowOnly(form, [...described, ...methods, ...confirming, 'confirm', 'capture_method', 'confirmation_method'])
  const amount = requireInteger(form, 'amount', 1)
  const currency = currencyAt(form, 'currency')
  requireAmount(amount, 'amount')
  const allowedTypes = cardOnlyAt(form, 'allowed_payment_method_types')
  requireKnown(form, 'capture_method', ['automatic', 'automatic_async'])
  requireKnown(form, 'confirmation_method', ['automatic'])
  const paymentMethod = textAt(form, 'payment_method') ?? null
  if (paymentMethod !== null) namedCard(paymentMethod, desk.account)
  const returnUrl = urlAt(form, 'return_url') ?? null
  const confirm = booleanAt(form, 'confirm') ?? false
  const automatic = booleanAt(form, 'automatic_payment_methods[enabled]') ?? true
  const redirects = choiceAt(form, 'automatic_payment_methods[allow_redirects]', ['always', 'never']) ?? 'always'
  const expand = expanding(form, intentExpansions(desk.account))

  const intent = openIntent(desk, {
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
  return expand(pay(desk, intent, { card: () => cardAt(desk, form, intent, 'shop'), payer, returnUrl }))
}

export function readIntent(
  { account }: Desk,
  form: Form,
  id: string,
  caller: Caller,
): Stripe.PaymentIntent | PublicIntent {
  allowOnly(form, ['expand[#]', 'client_secret'])
  const intent = requireIntent(account, id)
  requireSecret(form, intent, caller)
  const expand = expanding(form, intentExpansions(account))
  return caller === 'browser' ? publicPart(intent) : expand(intent)
}

export function listIntents({ account }: Desk, form: Form): Stripe.ApiList<Stripe.PaymentIntent> {
  allowOnly(form, [...listPatterns, 'expand[#]'])
  const expand = expanding(form, intentExpansions(account), 'data.')
  const { page, hasMore } = pageOf([...account.intents.values()], form, 'payment_intent')
  return listOf('/v1/payment_intents', page.map(expand), hasMore)
}

const updatable: Stripe.PaymentIntent.Status[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export function updateIntent(desk: Desk, form: Form, id: string): Stripe.PaymentIntent {
  allowOnly(form, [...described, 'payment_method'])
  const { account } = desk
  const intent = requireIntent(account, id)
  const amount = integerAt(form, 'amount', 1)
  if (amount !== undefined) requireAmount(amount, 'amount')
  const currency = form.currency === undefined ? undefined : currencyAt(form, 'currency')
  const paymentMethod = textAt(form, 'payment_method')
  if (paymentMethod !== undefined) namedCard(paymentMethod, desk.account)
  const description = textAt(form, 'description')
  const receiptEmail = textAt(form, 'receipt_email')
  const metadata = metadataAt(form, 'metadata', intent.metadata)
  const expand = expanding(form, intentExpansions(account))

  const fixed = Object.entries({ amount, currency, payment_method: paymentMethod }).find(
    ([, value]) => value !== undefined,
  )
  if (fixed && !updatable.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `This PaymentIntent's ${fixed[0]} could not be updated because it has a status of ${intent.status}. You may only update the ${fixed[0]} of a PaymentIntent with one of the following statuses: ${updatable.join(', ')}.`,
    )
  }
  const updated: Stripe.PaymentIntent = {
    ...intent,
    amount: amount ?? intent.amount,
    currency: currency ?? intent.currency,
    description: description ?? intent.description,
    receipt_email: receiptEmail ?? intent.receipt_email,
    metadata,
    last_payment_error: null,
    ...(fixed && intent.status === 'requires_action' && { status: 'requires_confirmation', next_action: null }),
    ...(paymentMethod !== undefined && { payment_method: paymentMethod, status: 'requires_confirmation' }),
  }
  account.intents.set(id, updated)
  if (amount !== undefined || form.metadata !== undefined) record(account, 'updated', updated)
  return expand(updated)
}

const cancellable: Stripe.PaymentIntent.Status[] = [...updatable, 'requires_capture', 'processing']
const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const

export function cancelIntent(desk: Desk, form: Form, id: string): Stripe.PaymentIntent {
  allowOnly(form, ['cancellation_reason', 'expand[#]'])
  const intent = requireIntent(desk.account, id)
  const reason = choiceAt(form, 'cancellation_reason', reasons)
  const expand = expanding(form, intentExpansions(desk.account))
  if (!cancellable.includes(intent.status)) {
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancellable.join(', ')}.`,
    )
  }
  requireNoSession(desk.account, intent, 'cancel')
  return expand(closeIntent(desk, intent, reason ?? null))
}
