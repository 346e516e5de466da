import { describeShortage, type Instrument } from './instruments'

/** So many pieces are counted for customers; more are 'In stock'. */
const few = 5

/** The stock in words, for customers. */
export function describeStock(instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'>): string {
  const { availableQuantity } = instrument
  return describeShortage(instrument) ?? (availableQuantity <= few ? `Only ${availableQuantity} left` : 'In stock')
}
