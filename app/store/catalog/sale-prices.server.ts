import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../deps'
import { dayText, endOfDay, inFirstDay, inLastDay, startOfDay } from '../shared/dates'
import { dollarsInCents, sellingPrice, typedDollarsInCents } from '../shared/dollars.server'
import { formatCents, payableError, totalCents } from '../shared/money'
import { Refusal } from '../shared/refusal'
import { dayField } from '../shared/validation.server'
import type { InstrumentDetails } from './instruments'

/** SQL: a row with `price_cents`, what one piece costs at this time in an order of this quantity. */
export function unitPriceAt(instrumentId: string | SQL, quantity: number, at: number): SQL {
  return sql`SELECT min(price_cents) AS price_cents FROM prices
    WHERE instrument_id = ${instrumentId} AND from_quantity <= ${quantity} AND from_at <= ${at} AND until_at > ${at}`
}

/** SQL over `instruments`: the sale price counts at this time. Lists read the columns, which have indexes, and not `prices`. */
export function isReducedAt(at: number): SQL {
  return sql`(sale_from_at <= ${at} AND ${at} < sale_until_at AND sale_cents < price_cents)`
}

/** SQL over `instruments`: what one piece costs at this time without a price break, in US cents. */
export function priceAt(at: number): SQL<number> {
  return sql<number>`iif(${isReducedAt(at)}, sale_cents, price_cents)`
}

/** SQL over `instruments`: the price breaks that are below the price of this time, as JSON. */
export function priceBreaksAt(at: number): SQL<string> {
  return sql<string>`iif(${isReducedAt(at)} AND price_breaks <> '[]', (
    SELECT json_group_array(json(value)) FROM json_each(price_breaks) WHERE value ->> 'priceCents' < sale_cents), price_breaks)`
}

/** As it is set: the price in cents, days of the shop as their beginning. `until` is the last day; without `from` it begins today. */
interface NewSale {
  price: number
  from?: number | undefined
  until: number
}

const noLastDay = 'Give the last day of the sale, like 2026-12-31'
const dayShape = { format: 'date', minLength: 10, maxLength: 10 }

/** In the JSON of an instrument. Check it with `checkSale`. */
export const saleField = z
  .strictObject({
    price: dollarsInCents('Price is Required').pipe(sellingPrice),
    from: dayField(noLastDay)
      .optional()
      .meta({ ...dayShape, description: 'The first day, in the time zone of the shop. Default: today' }),
    until: dayField(noLastDay).meta({ ...dayShape, description: 'The last day, in the time zone of the shop' }),
  })
  .optional()
  .meta({ description: 'A lower price from a day to a day' })

/** In the form and in a CSV file. */
export const saleFields = {
  salePrice: typedDollarsInCents('Sale price is Required', 'Sale price').pipe(sellingPrice).optional(),
  saleFrom: dayField(noLastDay).optional(),
  saleUntil: dayField(noLastDay).optional(),
}

interface Priced {
  price: number
  minQuantity: number
  sale?: NewSale | undefined
}

function findSaleErrors({ price, minQuantity, sale }: Priced): { field: keyof NewSale; message: string }[] {
  if (!sale) return []
  const least = totalCents(sale.price, minQuantity)
  return [
    ...(sale.price >= price
      ? [{ field: 'price' as const, message: `Sale price must be below the normal price, ${formatCents(price)}` }]
      : []),
    ...(least < totalCents(price, minQuantity) && payableError(least)
      ? [{ field: 'price' as const, message: `The smallest order costs ${formatCents(least)}. ${payableError(least)}` }]
      : []),
    ...(sale.from !== undefined && sale.from > sale.until
      ? [{ field: 'until' as const, message: 'The last day is before the first' }]
      : []),
  ]
}

/** A refinement of the whole instrument: the sale lowers its price, to one that a card can pay. */
export function checkSale(input: Priced, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  for (const { field, message } of findSaleErrors(input)) addIssue({ code: 'custom', path: ['sale', field], message })
}

type SaleFields = { [Name in keyof typeof saleFields]?: number | undefined }

const fieldOf = { price: 'salePrice', from: 'saleFrom', until: 'saleUntil' } as const

/** Adds the `sale` of the form's three fields, with errors beside the wrong ones. */
export function readSaleFields<Form extends Omit<Priced, 'sale'> & SaleFields>(
  form: Form,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): Form & Pick<Priced, 'sale'> {
  const { salePrice: price, saleFrom: from, saleUntil: until } = form
  const wrong = (field: keyof NewSale, message: string) => addIssue({ code: 'custom', path: [fieldOf[field]], message })
  if (price === undefined) {
    if (from !== undefined || until !== undefined) wrong('price', 'Enter a sale price, or remove the days')
    return form
  }
  if (until === undefined) {
    wrong('until', noLastDay)
    return form
  }
  const sale = { price, from, until }
  for (const { field, message } of findSaleErrors({ ...form, sale })) wrong(field, message)
  return { ...form, sale }
}

type SaleDetails = Pick<InstrumentDetails, 'saleCents' | 'saleFromAt' | 'saleUntilAt'>

/** `now`: milliseconds since 1970. */
export function saleDetails(sale: NewSale | undefined, now: number): SaleDetails {
  if (!sale) return { saleCents: null, saleFromAt: null, saleUntilAt: null }
  const { price, from = startOfDay(now), until } = sale
  return { saleCents: price, saleFromAt: from, saleUntilAt: endOfDay(until) }
}

/**
 * A sale whose days stay as they are keeps its moments, which after a change of the time zone are others than those days have now: moved, it would
 * be a new sale, and its own price the lowest one before it.
 */
export function keepMoments<T extends SaleDetails>(details: T, before: SaleDetails): T {
  const keep = (name: 'saleFromAt' | 'saleUntilAt', inDay: (at: number) => number) => {
    const [now, then] = [details[name], before[name]]
    return now !== null && then !== null && dayText(inDay(now)) === dayText(inDay(then)) ? then : now
  }
  return { ...details, saleFromAt: keep('saleFromAt', inFirstDay), saleUntilAt: keep('saleUntilAt', inLastDay) }
}

export const saleIsOver = 'This day is over'

/** A sale that ends before it could begin: only one that was there before may be over. */
export function isNewAndOver({ saleUntilAt }: SaleDetails, before: SaleDetails | null, now: number): boolean {
  return saleUntilAt !== null && saleUntilAt <= now && saleUntilAt !== before?.saleUntilAt
}

/** Refuses a sale whose last day is over, unless it was so before. */
export function requireOpenSale({ now }: Deps, details: SaleDetails, before: SaleDetails | null): void {
  if (isNewAndOver(details, before, now())) throw new Refusal('invalid', '', { fields: { saleUntil: [saleIsOver] } })
}
