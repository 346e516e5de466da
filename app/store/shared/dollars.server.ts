import { z } from 'zod'
import { centsFromDollars, centsFromText } from './money'

/** Dollars to whole cents (R9). Refuses a fraction of a cent. */
export function dollarsInCents(required: string, label = 'Price') {
  return z
    .number({ error: ({ input }) => (input === undefined ? required : `${label} must be a number, like 1200.50`) })
    .refine((dollars) => centsFromDollars(dollars) !== null, { error: `${label} must be in whole cents` })
    .transform((dollars) => Math.round(dollars * 100))
}

export function typedDollarsInCents(required: string, label = 'Price') {
  return z.string({ error: required }).transform((text, { addIssue }) => {
    const cents = centsFromText(text)
    if (cents !== null) return cents
    addIssue(
      /^[^.]*\d\.\d{3,}$/.test(text.trim())
        ? `${label} must be in whole cents, like 1200.50`
        : `${label} must be a number, like 1200.50`,
    )
    return z.NEVER
  })
}

/** In cents. */
export const sellingPrice = z
  .number()
  .min(1, { error: 'Price must be at least $0.01' })
  .max(99_999_999, { error: 'Price must be below $1,000,000' })
