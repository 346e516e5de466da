import type { PriceBreak } from '../../store/catalog/instruments'
import { Price } from '../price'

export function PriceBreaks({ breaks }: { breaks: PriceBreak[] }) {
  if (breaks.length === 0) return null
  return (
    <table className="figures">
      <caption className="sr-only">Price breaks</caption>
      <tbody>
        {breaks.map(({ from, priceCents }) => (
          <tr key={from}>
            <th scope="row">From {from}: </th>
            <td>
              <Price cents={priceCents} /> each
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
