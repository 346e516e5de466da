import { z } from 'zod'
import type { PriceBreak } from '../../db/schema'
import { dollarsInCents, sellingPrice, typedDollarsInCents } from '../shared/dollars.server'
import { formatCents } from '../shared/money'
import { quantityField } from '../shared/validation.server'

const maxBreaks = 5
const from = quantityField('From quantity', 2)
const price = dollarsInCents('Price is Required').pipe(sellingPrice)

/** In the JSON of an instrument: `price` arrives in dollars and becomes cents. Check them with `checkPriceBreaks`. */
export const priceBreaksField = z
  .array(z.strictObject({ from, price }).transform(({ from, price }): PriceBreak => ({ from, priceCents: price })))
  .max(maxBreaks, { error: `There can be at most ${maxBreaks} price breaks` })
  .optional()

interface PriceList {
  price: number
  minQuantity: number
  priceBreaks?: PriceBreak[] | undefined
}

/** A refinement of the whole instrument: each break has more pieces and a lower price than the one before it. */
export function checkPriceBreaks(input: PriceList, context: z.RefinementCtx): void {
  for (const { index, field, message } of findBreakErrors(input)) {
    context.addIssue({ code: 'custom', path: ['priceBreaks', index, field], message })
  }
}

/** What is wrong with each break; `index` counts from 0. */
export function findBreakErrors({ price, minQuantity, priceBreaks = [] }: PriceList) {
  return priceBreaks.flatMap((next, index) => {
    const last = priceBreaks[index - 1]
    const errors: { index: number; field: 'from' | 'price'; message: string }[] = []
    if (next.from <= (last?.from ?? minQuantity)) {
      const bound = last ? `${last.from}, as in the row above` : `the minimum quantity, ${minQuantity}`
      errors.push({ index, field: 'from', message: `From quantity must be above ${bound}` })
    }
    if (next.priceCents >= (last?.priceCents ?? price)) {
      const bound = last
        ? `${formatCents(last.priceCents)}, as in the row above`
        : `the normal price, ${formatCents(price)}`
      errors.push({ index, field: 'price', message: `Price must be below ${bound}` })
    }
    return errors
  })
}

type Row = 1 | 2 | 3 | 4 | 5
const rows: Row[] = [1, 2, 3, 4, 5]

const rowFields = {
  from: from.optional(),
  price: typedDollarsInCents('Price is Required').pipe(sellingPrice).optional(),
}

/** In the form: five rows, each may be empty. */
export const breakRows = Object.fromEntries(
  rows.flatMap((row) => [
    [`breakFrom${row}`, rowFields.from],
    [`breakPrice${row}`, rowFields.price],
  ]),
) as Record<`breakFrom${Row}`, typeof rowFields.from> & Record<`breakPrice${Row}`, typeof rowFields.price>

type BreakRows = z.output<z.ZodObject<typeof breakRows>>

/** Adds the `priceBreaks` of the form's rows, with errors beside the wrong fields. */
export function readBreakRows<Form extends Omit<PriceList, 'priceBreaks'> & BreakRows>(
  form: Form,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): Form & Pick<PriceList, 'priceBreaks'> {
  const typed = rows.map((row) => ({ row, from: form[`breakFrom${row}`], price: form[`breakPrice${row}`] }))
  const wrong = (name: 'breakFrom' | 'breakPrice', row: Row, message: string) =>
    addIssue({ code: 'custom', path: [`${name}${row}`], message })
  const complete = typed.flatMap(({ row, from, price }) => {
    if (from !== undefined && price !== undefined) return { row, from, priceCents: price }
    if (price !== undefined) wrong('breakFrom', row, 'Enter a quantity, or remove the price')
    if (from !== undefined) wrong('breakPrice', row, 'Enter a price, or remove the quantity')
    return []
  })
  const priceBreaks = complete.map(({ from, priceCents }) => ({ from, priceCents }))
  for (const { index, field, message } of findBreakErrors({ ...form, priceBreaks })) {
    wrong(field === 'from' ? 'breakFrom' : 'breakPrice', complete[index]!.row, message)
  }
  return { ...form, priceBreaks }
}
