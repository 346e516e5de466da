import type Stripe from 'stripe'
import { record } from '../core/account'
import { needsAuthentication } from './cards'
import { charge } from './charges'
import { newId } from '../core/ids'
import type { CardPayment, RequestContext } from '../core/types'

export const authenticationFailure = 'payment_intent_authentication_failure'

export const customerFailureMessage =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

export function chargeOrChallenge(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  payment: CardPayment,
): Stripe.PaymentIntent {
  const { card, payer, returnUrl } = payment
  if (!needsAuthentication(card)) return charge(context, intent, card, payer)
  const { account, origin, emit } = context
  const paymentMethod = newId('pm_')
  const challenged: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_action',
    payment_method: paymentMethod,
    last_payment_error: null,
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: {
        return_url: returnUrl,
        url: `${origin}/authenticate/${intent.id}?payment_method=${paymentMethod}`,
      },
    },
  }
  account.challenges.set(paymentMethod, { ...payment, intentId: intent.id })
  account.intents.set(intent.id, challenged)
  emit('payment_intent.requires_action', challenged)
  return challenged
}

/** False for a cancelled payment, and for a card that another has replaced. */
export function isPending(intent: Stripe.PaymentIntent, paymentMethod: string): boolean {
  return intent.status === 'requires_action' && intent.payment_method === paymentMethod
}

export function authenticate(
  context: RequestContext,
  intent: Stripe.PaymentIntent,
  paymentMethod: string,
): Stripe.PaymentIntent {
  const { card, payer } = context.account.challenges.get(paymentMethod)!
  return charge(context, intent, card, payer, paymentMethod)
}

export function failAuthentication(
  { account, emit }: RequestContext,
  intent: Stripe.PaymentIntent,
): Stripe.PaymentIntent {
  const failed: Stripe.PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    next_action: null,
    payment_method: null,
    last_payment_error: {
      type: 'invalid_request_error',
      code: authenticationFailure,
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
    },
  }
  account.intents.set(intent.id, failed)
  record(account, 'failed', failed)
  emit('payment_intent.payment_failed', failed)
  return failed
}

export function customerError(
  error: Stripe.PaymentIntent.LastPaymentError | null,
): Stripe.PaymentIntent.LastPaymentError | null {
  return error?.code === authenticationFailure ? { ...error, message: customerFailureMessage } : error
}
