import { day, formatDay } from '../shared/dates'
import { formatCents } from '../shared/money'
import { currentSale, type Instrument } from './instruments'

/** What stands below a sale price; null without one. */
export function saleWords(instrument: Instrument): string | null {
  const sale = currentSale(instrument)
  if (!sale) return null
  const prior = sale.priorCents === null ? '' : ` Lowest price of the 30 days before: ${formatCents(sale.priorCents)}.`
  return `Sale price until ${formatDay(sale.untilAt - day)}.${prior}`
}
