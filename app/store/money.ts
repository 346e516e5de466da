const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Whole cents as pages show them: 123450 -> `$1,234.50` (R9). */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100)
}

/** Whole cents as the JSON API shows them: 123450 -> 1234.5 (R9). */
export function dollarsFromCents(cents: number): number {
  return cents / 100
}

/**
 * Dollars as a client sent them, in whole cents: 8.2 -> 820. Null for anything that is not a whole number of cents
 * (R9): a figure that cannot be charged exactly is refused, not rounded.
 */
export function centsFromDollars(amount: number): number | null {
  const cents = Math.round(amount * 100)
  if (!Number.isSafeInteger(cents)) return null
  return dollarsFromCents(cents) === amount ? cents : null
}

/**
 * Dollars as somebody typed them, in cents: `1200.5`, `1,200` and `$1,200.50`. Null for what is no amount, or could be another one:
 * `1.200` and `1,20` are read as $1,200 and $1.20 in half of the world (R9).
 */
export function centsFromText(text: string): number | null {
  const [, minus, whole = '', part = ''] = /^(-?)\$?(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d{0,2}))?$/.exec(text.trim()) ?? []
  if (whole + part === '') return null
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'))
  return Math.min(cents, Number.MAX_SAFE_INTEGER) * (minus ? -1 : 1)
}

/** The total of an order in cents: unit price times quantity (R10, spec section 9). */
export function totalCents(unitPriceCents: number, quantity: number): number {
  return unitPriceCents * quantity
}
