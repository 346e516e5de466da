import { formatDay, inLastDay } from '../shared/dates'
import { formatCents } from '../shared/money'
import { currentSale, type Instrument } from './instruments'
import { t } from '../../i18n/language'

/** What stands below a sale price; null without one. */
export function saleWords(instrument: Instrument): string | null {
  const sale = currentSale(instrument)
  if (!sale) return null
  const until = t('Sale price until {day}.', { day: formatDay(inLastDay(sale.untilAt)) })
  if (sale.priorCents === null) return until
  return `${until} ${t('Lowest price of the 30 days before: {price}.', { price: formatCents(sale.priorCents) })}`
}
