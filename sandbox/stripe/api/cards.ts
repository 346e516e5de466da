import type Stripe from 'stripe'
import { ApiError, invalid, unsupported } from '../core/refusal'
import type { Card } from '../core/types'

interface Clock {
  now: () => number
}

type CardField = 'number' | 'expiry' | 'cvc'

export interface CardInputError {
  field: CardField
  code: string
  message: string
}

interface Decline {
  code: Stripe.PaymentIntent.LastPaymentError['code']
  declineCode: string
  message: string
  param?: string
}

function cardDeclined(declineCode: string, message = 'Your card was declined.'): Decline {
  return { code: 'card_declined', declineCode, message }
}

const outcomes: Record<string, 'pays' | 'asks' | Decline> = {
  '4242424242424242': 'pays',
  '5555555555554444': 'pays',
  '378282246310005': 'pays',
  '4000000000000259': 'pays',
  '4000000000002685': 'pays',
  '4000000000001976': 'pays',
  '4000002760003184': 'asks',
  '4000002500003155': 'asks',
  '4000000000003220': 'asks',
  '4000000000000002': cardDeclined('generic_decline'),
  '4000000000009995': cardDeclined('insufficient_funds', 'Your card has insufficient funds.'),
  '4000000000009987': cardDeclined('lost_card'),
  '4000000000009979': cardDeclined('stolen_card'),
  '4000000000000069': {
    code: 'expired_card',
    declineCode: 'expired_card',
    message: 'Your card has expired.',
    param: 'exp_month',
  },
  '4000000000000127': {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    param: 'cvc',
  },
  '4000000000000119': {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
}

const testCards: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_createDispute: '4000000000000259',
  pm_card_createDisputeProductNotReceived: '4000000000002685',
  pm_card_createDisputeInquiry: '4000000000001976',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedLostCard: '4000000000009987',
  pm_card_visa_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
}

export function testCard(paymentMethod: string, { now }: Clock): Card {
  const number = testCards[paymentMethod]
  if (number !== undefined) return { number, expMonth: 12, expYear: new Date(now()).getFullYear() + 4 }
  if (paymentMethod.startsWith('pm_card_')) throw unsupported(`the test card ${paymentMethod}`)
  throw invalid(`No such PaymentMethod: '${paymentMethod}'`, { code: 'resource_missing', param: 'payment_method' })
}

export function brandOf({ number }: Pick<Card, 'number'>): 'visa' | 'mastercard' | 'amex' {
  if (number.startsWith('4')) return 'visa'
  return /^3[47]/.test(number) ? 'amex' : 'mastercard'
}

export function needsAuthentication(card: Card): boolean {
  return outcomes[card.number] === 'asks'
}

const disputes: Partial<Record<string, { isInquiry?: boolean; reason?: string }>> = {
  '4000000000000259': { reason: 'fraudulent' },
  '4000000000002685': { reason: 'product_not_received' },
  '4000000000001976': { isInquiry: true },
}

/** How the customer disputes what was paid with this card. */
export function disputeOf({ number }: Card) {
  return disputes[number]
}

export function declineOf(card: Card): Decline | null {
  const outcome = outcomes[card.number]
  return typeof outcome === 'object' ? outcome : null
}

export function readCard(
  input: { number: string; expiry: string; cvc: string },
  { now }: Clock,
): Card | CardInputError[] {
  const number = input.number.replace(/[\s-]/g, '')
  const expiry = /^(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})$/.exec(input.expiry.trim())
  const [expMonth, year] = [Number(expiry?.[1]), Number(expiry?.[2])]
  const expYear = year < 100 ? 2000 + year : year
  const errors = [
    checkNumber(number),
    expiry
      ? checkExpiry(expMonth, expYear, new Date(now()))
      : inputError('expiry', 'invalid_expiry_year', "Your card's expiration date is incomplete."),
    checkCvc(input.cvc.trim(), brandOf({ number }) === 'amex' ? 4 : 3),
  ].filter((one) => one !== null)
  return errors.length > 0 ? errors : { number, expMonth, expYear }
}

export function cardError({ code, message, field }: CardInputError): ApiError {
  const param = { number: 'number', expiry: code.endsWith('month') ? 'exp_month' : 'exp_year', cvc: 'cvc' }[field]
  return new ApiError(402, { type: 'card_error', code, message, param }, true)
}

function checkNumber(number: string): CardInputError | null {
  if (!/^\d*$/.test(number)) return inputError('number', 'invalid_number', 'Your card number is invalid.')
  if (number.length < 13) return inputError('number', 'incomplete_number', 'Your card number is incomplete.')
  if (number.length > 19 || !passesLuhn(number))
    return inputError('number', 'invalid_number', 'Your card number is invalid.')
  return number in outcomes ? null : inputError('number', 'incorrect_number', 'Your card number is incorrect.')
}

function checkExpiry(month: number, year: number, now: Date): CardInputError | null {
  if (month < 1 || month > 12)
    return inputError('expiry', 'invalid_expiry_month', "Your card's expiration month is invalid.")
  if (year < now.getFullYear()) {
    return inputError('expiry', 'invalid_expiry_year_past', "Your card's expiration year is in the past.")
  }
  if (year > now.getFullYear() + 50) {
    return inputError('expiry', 'invalid_expiry_year', "Your card's expiration year is invalid.")
  }
  // A card is valid through the last day of its month.
  const isPast = year === now.getFullYear() && month < now.getMonth() + 1
  return isPast
    ? inputError('expiry', 'invalid_expiry_month_past', "Your card's expiration date is in the past.")
    : null
}

function checkCvc(cvc: string, digits: number): CardInputError | null {
  if (/^\d*$/.test(cvc) && cvc.length === digits) return null
  const isIncomplete = /^\d*$/.test(cvc) && cvc.length < digits
  return inputError('cvc', 'invalid_cvc', `Your card's security code is ${isIncomplete ? 'incomplete' : 'invalid'}.`)
}

function inputError(field: CardField, code: string, message: string): CardInputError {
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
