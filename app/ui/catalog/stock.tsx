import { describeShortage, type Instrument } from '../../store/catalog/instruments'
import { describeStock, isFew } from '../../store/catalog/stock'

export function Stock({ instrument }: { instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'> }) {
  const tone = describeShortage(instrument) ? 'error' : isFew(instrument) ? 'stock few' : 'stock'
  return <span className={tone}>{describeStock(instrument)}</span>
}
