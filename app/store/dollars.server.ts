import { z } from 'zod'
import { centsFromDollars, centsFromText } from './money'

const noNumber = 'Price must be a number, like 1200.50'

/** An amount of dollars as a client sends it, read as whole cents (R9). What could not be charged exactly is refused. */
export function dollarsInCents(required: string) {
  return z
    .number({ error: ({ input }) => (input === undefined ? required : noNumber) })
    .refine((dollars) => centsFromDollars(dollars) !== null, { error: 'Price must be in whole cents' })
    .transform((dollars) => Math.round(dollars * 100))
}

/** The same of an amount that somebody typed into a form: see `centsFromText`. */
export function typedDollarsInCents(required: string) {
  return z.string({ error: required }).transform((typed, { addIssue }) => {
    const cents = centsFromText(typed)
    if (cents !== null) return cents
    addIssue(/^[^.]*\d\.\d{3,}$/.test(typed.trim()) ? 'Price must be in whole cents, like 1200.50' : noNumber)
    return z.NEVER
  })
}
