import { describeShortage, type Instrument } from './instruments'
import { t } from '../../i18n/language'

/** So many pieces are counted for customers; more are 'In stock'. */
const few = 5

/** The stock in words, for customers. */
export function describeStock(instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'>): string {
  const { availableQuantity } = instrument
  return (
    describeShortage(instrument) ??
    (availableQuantity <= few ? t('Only {count} left', { count: availableQuantity }) : t('In stock'))
  )
}
