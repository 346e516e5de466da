import { describeShortage, type Instrument } from './instruments'
import { t } from '../../i18n/language'

/** So many pieces are counted for customers; more are 'In stock'. */
const few = 5

/** So few that a customer should hurry; not of what cannot be ordered. */
export function isFew(instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'>): boolean {
  return instrument.availableQuantity <= few && !describeShortage(instrument)
}

/** The stock in words, for customers. */
export function describeStock(instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'>): string {
  if (isFew(instrument)) return t('Only {count} left', { count: instrument.availableQuantity })
  return describeShortage(instrument) ?? t('In stock')
}
