import { describeShortage, type Instrument } from '../../store/catalog/instruments'
import { describeStock } from '../../store/catalog/stock'

export function Stock({ instrument }: { instrument: Pick<Instrument, 'availableQuantity' | 'minQuantity'> }) {
  return <span className={describeShortage(instrument) ? 'error' : 'stock'}>{describeStock(instrument)}</span>
}
