import type Stripe from 'stripe'
import { Refused, invalid, unsupported } from './refusal'

/** A card as it stands on its face. */
export interface Card {
  number: string
  expMonth: number
  expYear: number
}

interface Clock {
  now: () => number
}

type CardField = 'number' | 'expiry' | 'cvc'

/** What is wrong with what was typed: Stripe's code and its words. */
export interface CardFault {
  field: CardField
  code: string
  message: string
}

interface Decline {
  code: Stripe.PaymentIntent.LastPaymentError['code']
  declineCode: string
  message: string
}

/** What the bank says to each card: it pays, asks its customer first, or declines. */
const verdicts: Record<string, 'pays' | 'asks' | Decline> = {
  '4242424242424242': 'pays',
  '4000000000000002': { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
  '4000000000009995': {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  '4000002760003184': 'asks',
  '4000000000003220': 'asks',
}

/** Stripe's names for its test cards, where a server confirms: docs.stripe.com/testing#cards. */
const named: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_threeDSecure2Required: '4000000000003220',
}

export function namedCard(paymentMethod: string, { now }: Clock): Card {
  const number = named[paymentMethod]
  if (number !== undefined) return { number, expMonth: 12, expYear: new Date(now()).getFullYear() + 4 }
  if (paymentMethod.startsWith('pm_card_')) throw unsupported(`the test card ${paymentMethod}`)
  throw invalid(`No such PaymentMethod: '${paymentMethod}'`, { code: 'resource_missing', param: 'payment_method' })
}

/** Whether the bank wants to hear from its customer before it pays (3-D Secure). */
export function asksCustomer(card: Card): boolean {
  return verdicts[card.number] === 'asks'
}

/** Why the bank would not pay, or null when it pays. Only for a card that `readCard` has let pass. */
export function declineOf(card: Card): Decline | null {
  const verdict = verdicts[card.number]
  return typeof verdict === 'object' ? verdict : null
}

/** Reads a card form: the card, or one fault for each field. Spaces in the number and around the slash do not matter. */
export function readCard(typed: { number: string; expiry: string; cvc: string }, { now }: Clock): Card | CardFault[] {
  const number = typed.number.replace(/[\s-]/g, '')
  const expiry = /^(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})$/.exec(typed.expiry.trim())
  const [expMonth, year] = [Number(expiry?.[1]), Number(expiry?.[2])]
  const expYear = year < 100 ? 2000 + year : year
  const faults = [
    numberFault(number),
    expiry
      ? expiryFault(expMonth, expYear, new Date(now()))
      : fault('expiry', 'invalid_expiry_year', "Your card's expiration date is incomplete."),
    cvcFault(typed.cvc.trim()),
  ].filter((one) => one !== null)
  return faults.length > 0 ? faults : { number, expMonth, expYear }
}

/** The API's words for the first fault. */
export function cardError({ code, message, field }: CardFault): Refused {
  const param = { number: 'number', expiry: code.endsWith('month') ? 'exp_month' : 'exp_year', cvc: 'cvc' }[field]
  return new Refused(402, { type: 'card_error', code, message, param }, true)
}

function numberFault(number: string): CardFault | null {
  if (!/^\d*$/.test(number)) return fault('number', 'invalid_number', 'Your card number is invalid.')
  if (number.length < 13) return fault('number', 'incomplete_number', 'Your card number is incomplete.')
  if (number.length > 19 || !passesLuhn(number))
    return fault('number', 'invalid_number', 'Your card number is invalid.')
  return number in verdicts ? null : fault('number', 'incorrect_number', 'Your card number is incorrect.')
}

function expiryFault(month: number, year: number, now: Date): CardFault | null {
  if (month < 1 || month > 12)
    return fault('expiry', 'invalid_expiry_month', "Your card's expiration month is invalid.")
  if (year < now.getFullYear()) {
    return fault('expiry', 'invalid_expiry_year_past', "Your card's expiration year is in the past.")
  }
  if (year > now.getFullYear() + 50) {
    return fault('expiry', 'invalid_expiry_year', "Your card's expiration year is invalid.")
  }
  // A card is good to the last day of its month.
  const past = year === now.getFullYear() && month < now.getMonth() + 1
  return past ? fault('expiry', 'invalid_expiry_month_past', "Your card's expiration date is in the past.") : null
}

function cvcFault(cvc: string): CardFault | null {
  if (/^\d{3}$/.test(cvc)) return null
  const begun = /^\d{0,2}$/.test(cvc)
  return fault('cvc', 'invalid_cvc', `Your card's security code is ${begun ? 'incomplete' : 'invalid'}.`)
}

function fault(field: CardField, code: string, message: string): CardFault {
  return { field, code, message }
}

function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .reverse()
    .reduce((total, digit, i) => {
      const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}
