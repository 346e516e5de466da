import { day, formatDay } from '../shared/dates'
import { currentSale, type Instrument } from './instruments'

/** What stands below a sale price; null without one. */
export function saleWords(instrument: Instrument): string | null {
  const sale = currentSale(instrument)
  if (!sale) return null
  const prior = sale.priorCents === null ? '' : ' The price struck through is the lowest of the 30 days before.'
  return `Sale price until ${formatDay(sale.untilAt - day)}.${prior}`
}
