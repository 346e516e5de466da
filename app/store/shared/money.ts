import { language, locales, type Language } from '../../i18n/language'

const dollars: Partial<Record<Language, Intl.NumberFormat>> = {}

/** 123450 -> `$1,234.50` (R9), and `1.234,50 $` in German. */
export function formatCents(cents: number): string {
  const here = language()
  dollars[here] ??= new Intl.NumberFormat(locales[here], { style: 'currency', currency: 'USD' })
  return dollars[here].format(cents / 100)
}

/** In a currency that is not the shop's, such as €12.50: what a provider tells us. `amount` in its smallest unit, as Stripe counts. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** 123450 -> 1234.5 (R9) */
export function dollarsFromCents(cents: number): number {
  return cents / 100
}

/** 123450 -> `1234.50`: in fields, CSV and feeds */
export function dollarsText(cents: number): string {
  return dollarsFromCents(cents).toFixed(2)
}

/**
 * 8.2 -> 820; null, never rounded, for a fraction of a cent (R9). What binary fractions leave of a sum or a product is none: a program that
 * multiplies 19.9 by 3 sends 59.699999999999996.
 */
export function centsFromDollars(amount: number): number | null {
  const cents = Math.round(amount * 100)
  if (!Number.isSafeInteger(cents)) return null
  return Math.abs(dollarsFromCents(cents) - amount) <= 1e-12 * Math.abs(amount) ? cents : null
}

/**
 * Typed dollars (`1200.5`, `1,200`, `$1,200.50`) in cents. Null for ambiguous text: half of the world reads `1.200` as
 * 1200 and `1,20` as 1.20 (R9).
 */
export function centsFromText(text: string): number | null {
  const [, minus, whole = '', part = ''] = /^(-?)\$?(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole + part === '') return null
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'))
  return Math.min(cents, Number.MAX_SAFE_INTEGER) * (minus ? -1 : 1)
}

/** In cents (R10, spec section 9). */
export function totalCents(unitPriceCents: number, quantity: number): number {
  return unitPriceCents * quantity
}

/** Stripe's limits of one payment, in cents; the database checks them too. */
export const [minTotalCents, maxTotalCents] = [50, 99_999_999]

/** Null if a card can pay so many cents. */
export function payableError(total: number): string | null {
  if (total >= minTotalCents && total <= maxTotalCents) return null
  return `A card can pay from ${formatCents(minTotalCents)} to ${formatCents(maxTotalCents)} in one order`
}

/** For quantities. `12`, `-3`: digits only, as people write whole numbers. Undefined for anything else: `1e3`, `0x10`, `1.0`, `+1`. */
export function readWholeNumber(text: string): number | undefined {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : undefined
}
