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

/** The total of an order in cents: unit price times quantity (R10, spec section 9). */
export function totalCents(unitPriceCents: number, quantity: number): number {
  return unitPriceCents * quantity
}
