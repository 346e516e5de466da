import type Stripe from 'stripe'
import { record, type Account, type Desk } from './account'
import { declineOf, type Card } from './cards'
import { newId, seconds } from './ids'
import { Refused } from './refusal'

export interface Payer {
  name: string | null
  email: string | null
}

/** Charges the card with the intent's amount, once. A decline is kept and told before it is thrown. */
export function charge(
  { account, tell }: Desk,
  intent: Stripe.PaymentIntent,
  card: Card,
  payer: Payer,
  paymentMethod = newId('pm_'),
): Stripe.PaymentIntent {
  const decline = declineOf(card)
  const made = newCharge(account, { intent, card, payer, paymentMethod, decline })
  account.charges.set(made.id, made)

  if (decline) {
    const failed: Stripe.PaymentIntent = {
      ...intent,
      status: 'requires_payment_method',
      next_action: null,
      latest_charge: made.id,
      payment_method: null,
      last_payment_error: {
        type: 'card_error',
        code: decline.code,
        decline_code: decline.declineCode,
        message: decline.message,
        charge: made.id,
      },
    }
    account.intents.set(intent.id, failed)
    record(account, 'failed', failed)
    tell('payment_intent.payment_failed', failed)
    throw new Refused(
      402,
      {
        type: 'card_error',
        code: decline.code,
        decline_code: decline.declineCode,
        message: decline.message,
        charge: made.id,
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
    latest_charge: made.id,
    payment_method: made.payment_method,
    last_payment_error: null,
  }
  account.intents.set(intent.id, succeeded)
  record(account, 'succeeded', succeeded)
  tell('payment_intent.succeeded', succeeded)
  return succeeded
}

interface NewCharge {
  intent: Stripe.PaymentIntent
  card: Card
  payer: Payer
  paymentMethod: string
  decline: ReturnType<typeof declineOf>
}

function newCharge(account: Account, { intent, card, payer, paymentMethod, decline }: NewCharge): Stripe.Charge {
  const made = {
    id: newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: { address: null, email: payer.email, name: payer.name, phone: null, tax_id: null },
    captured: decline === null,
    created: seconds(account),
    currency: intent.currency,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', exp_month: card.expMonth, exp_year: card.expYear, last4: card.number.slice(-4) },
    },
    receipt_email: intent.receipt_email,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  } satisfies PartialCharge
  // The one place where an object is not whole: of a charge's many fields these are the ones that say something here.
  return made as unknown as Stripe.Charge
}

type PartialCharge = Partial<Omit<Stripe.Charge, 'payment_method_details'>> & {
  payment_method_details: { type: 'card'; card: Partial<Stripe.Charge.PaymentMethodDetails.Card> }
}
