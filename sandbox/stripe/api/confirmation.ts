import type Stripe from 'stripe'
import { cardError, testCard, readCard } from './cards'
import { customerError, chargeOrChallenge } from './authentication'
import { allowOnly, formAt, requireText, textAt, urlAt, type Form } from '../core/form'
import { expanderAt } from './lists'
import { intentExpansions, requireIntent, requireNoSession, unexpectedState } from './intent'
import { ApiError, invalid, invalidState } from '../core/refusal'
import { requireSupported } from './supported'
import type { Account, Card, RequestContext, Payer } from '../core/types'

/** `shop` has the secret key, `browser` the publishable key and a client secret. */
export type Caller = 'shop' | 'browser'

const methodData = 'payment_method_data'

export function confirmIntent(
  context: RequestContext,
  form: Form,
  id: string,
  caller: Caller,
): Stripe.PaymentIntent | PublicIntent {
  allowOnly(form, [
    'payment_method',
    `${methodData}[type]`,
    ...['number', 'exp_month', 'exp_year', 'cvc'].map((part) => `${methodData}[card][${part}]`),
    ...['name', 'email'].map((part) => `${methodData}[billing_details][${part}]`),
    'return_url',
    'client_secret',
    'expand[#]',
  ])
  const intent = requireIntent(context.account, id)
  requireSecret(form, intent, caller)
  requireNoSession(context.account, intent, 'confirm')
  const expand = expanderAt(form, intentExpansions(context.account))
  const payer = {
    name: textAt(form, `${methodData}[billing_details][name]`) ?? null,
    email: textAt(form, `${methodData}[billing_details][email]`) ?? null,
  }
  const returnUrl = urlAt(form, 'return_url') ?? null
  const paid = pay(context, intent, { card: () => cardAt(context, form, intent, caller), payer, returnUrl })
  return caller === 'browser' ? publicPart(paid) : expand(paid)
}

const payable: Stripe.PaymentIntent.Status[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** The card is read last: a paid intent must not report card errors. */
export function pay(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  { card, payer, returnUrl }: { card: () => Card; payer: Payer; returnUrl: string | null },
): Stripe.PaymentIntent {
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    )
  }
  if (!payable.includes(intent.status)) {
    throw unexpectedState(intent, `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`)
  }
  requireReturnUrl(intent, returnUrl)
  return chargeOrChallenge(context, intent, { card: card(), payer, returnUrl })
}

/** Automatic payment methods may redirect, and then Stripe requires a return_url. */
function requireReturnUrl(intent: Stripe.PaymentIntent, returnUrl: string | null): void {
  const { automatic_payment_methods: automatic, allowed_payment_method_types: allowed } = intent
  if (returnUrl !== null || !automatic?.enabled || automatic.allow_redirects === 'never' || allowed) return
  throw invalidState(
    "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    { payment_intent: intent },
  )
}

export function cardAt({ account }: RequestContext, form: Form, intent: Stripe.PaymentIntent, caller: Caller): Card {
  if (formAt(form, methodData)) return cardFromForm(account, form, caller)
  const paymentMethod = textAt(form, 'payment_method') ?? intent.payment_method
  const challenge = typeof paymentMethod === 'string' ? account.challenges.get(paymentMethod) : undefined
  if (challenge?.intentId === intent.id) return challenge.card
  if (typeof paymentMethod === 'string') return testCard(paymentMethod, account)
  throw unexpectedState(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.",
  )
}

function cardFromForm(account: Account, form: Form, caller: Caller): Card {
  if (caller === 'shop') {
    throw new ApiError(
      402,
      {
        type: 'card_error',
        message:
          'Sending credit card numbers directly to the Stripe API is generally unsafe. Use a test card such as pm_card_visa.',
      },
      false,
    )
  }
  requireText(form, `${methodData}[type]`)
  requireSupported(form, `${methodData}[type]`, ['card'])
  const part = (name: string) => requireText(form, `${methodData}[card][${name}]`)
  const expiry = `${part('exp_month')}/${part('exp_year').padStart(2, '0')}`
  const card = readCard({ number: part('number'), expiry, cvc: part('cvc') }, account)
  if (Array.isArray(card)) throw cardError(card[0]!)
  return card
}

export function requireSecret(form: Form, intent: Stripe.PaymentIntent, caller: Caller): void {
  if (caller === 'shop' && form.client_secret === undefined) return
  if (requireText(form, 'client_secret') === intent.client_secret) return
  throw invalid('The client_secret provided does not match any associated PaymentIntent.', {
    code: 'payment_intent_invalid_parameter',
    param: 'client_secret',
  })
}

const publicKeys = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const

/** Browsers see no metadata and no charge. */
export type PublicIntent = Pick<Stripe.PaymentIntent, (typeof publicKeys)[number]>

export function publicPart(intent: Stripe.PaymentIntent): PublicIntent {
  const visible = Object.fromEntries(publicKeys.map((key) => [key, intent[key]])) as PublicIntent
  return { ...visible, last_payment_error: customerError(intent.last_payment_error) }
}
