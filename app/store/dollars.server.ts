import { z } from 'zod'
import { centsFromDollars } from './money'

/** An amount of dollars as a client sends it, read as whole cents (R9). What could not be charged exactly is refused. */
export function dollarsInCents(required: string) {
  return z
    .number({ error: required })
    .refine((dollars) => centsFromDollars(dollars) !== null, { error: 'Price must be in whole cents' })
    .transform((dollars) => Math.round(dollars * 100))
}
