import type { Instrument } from '../../store/catalog/instruments'
import { saleWords } from '../../store/catalog/sale-words'

export function SaleEnd({ instrument }: { instrument: Instrument }) {
  const words = saleWords(instrument)
  return words && <p className="hint">{words}</p>
}
