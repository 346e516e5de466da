import { unitPriceCents, type Instrument } from '../catalog/instruments'
import { formatCents, minTotalCents, totalCents } from '../shared/money'
import { t } from '../../i18n/language'
import { plainSigns } from '../shared/text'

/** Amounts in US cents, off the price of each piece: one of `percent` and `amountCents` (R59). */
export interface DiscountTerms {
  code: string
  percent: number | null
  amountCents: number | null
  /** What the order must cost without the code. */
  minTotalCents: number
  /** 1: off the price of a price break or a sale too. 0: off the price without them, and the customer gets the better of the two. */
  combines: number
}

/** ` spring-10 ` -> `SPRING-10`: people type codes in small letters, and with spaces around and in them. */
export function normalCode(typed: string): string {
  return plainSigns(typed).replace(/\s/g, '').toUpperCase()
}

/** What a new code looks like, after `normalCode`. */
export const codePattern = /^[A-Z0-9-]{3,30}$/

/** The code of a link (`?code=`); empty where there is none, or what cannot be one. */
export function codeOfLink(params: URLSearchParams): string {
  const code = normalCode(params.get('code') ?? '')
  return codePattern.test(code) ? code : ''
}

/**
 * What one piece costs with a code, in US cents: a part of a cent is taken off whole, so that the order never saves less than the
 * percentage of its total (R61). Never above the price without it (R10) and never so low that a card could not pay the order. Below the code's minimum sum nothing is off.
 */
export function priceWithDiscount(
  instrument: Pick<Instrument, 'priceCents' | 'regularCents' | 'priceBreaks'>,
  quantity: number,
  { percent, amountCents, combines, minTotalCents: minimum }: DiscountTerms,
): number {
  const usual = unitPriceCents(instrument, quantity)
  if (totalCents(usual, quantity) < minimum) return usual
  const base = combines ? usual : instrument.regularCents
  const off = amountCents ?? Math.ceil((base * percent!) / 100)
  return Math.min(usual, Math.max(base - off, Math.ceil(minTotalCents / quantity)))
}

/** `10% off` or `$5.00 off each piece`, with the sum from which it counts. */
export function discountWords({ percent, amountCents, minTotalCents: minimum }: DiscountTerms): string {
  const off =
    amountCents === null
      ? t('{percent}% off', { percent: percent! })
      : t('{price} off each piece', { price: formatCents(amountCents) })
  return minimum > 0 ? t('{off} from {price}', { off, price: formatCents(minimum) }) : off
}
