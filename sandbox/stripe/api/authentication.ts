import type Stripe from 'stripe'
import { record } from '../core/account'
import { asksCustomer } from './cards'
import { charge } from './charges'
import { newId } from '../core/ids'
import type { CardPayment, Desk } from '../core/types'

export const authenticationFailure = 'payment_intent_authentication_failure'

export const failureWords =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

export function payOrAsk(desk: Desk, intent: Stripe.PaymentIntent, payment: CardPayment): Stripe.PaymentIntent {
  const { card, payer, returnUrl } = payment
  if (!asksCustomer(card)) return charge(desk, intent, card, payer)
  const { account, origin, tell } = desk
  const paymentMethod = newId('pm_')
  const waiting: Stripe.PaymentIntent = {
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
  account.intents.set(intent.id, waiting)
  tell('payment_intent.requires_action', waiting)
  return waiting
}

/** False for a cancelled payment, and for a card that another has replaced. */
export function isAwaited(intent: Stripe.PaymentIntent, paymentMethod: string): boolean {
  return intent.status === 'requires_action' && intent.payment_method === paymentMethod
}

export function authenticate(desk: Desk, intent: Stripe.PaymentIntent, paymentMethod: string): Stripe.PaymentIntent {
  const { card, payer } = desk.account.challenges.get(paymentMethod)!
  return charge(desk, intent, card, payer, paymentMethod)
}

export function failAuthentication({ account, tell }: Desk, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
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
  tell('payment_intent.payment_failed', failed)
  return failed
}

export function inCustomersWords(
  error: Stripe.PaymentIntent.LastPaymentError | null,
): Stripe.PaymentIntent.LastPaymentError | null {
  return error?.code === authenticationFailure ? { ...error, message: failureWords } : error
}
