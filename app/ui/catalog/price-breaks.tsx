import type { PriceBreak } from '../../store/catalog/instruments'
import { Price } from '../price'
import { t } from '../../i18n/language'
import { rich } from '../rich'

export function PriceBreaks({ breaks }: { breaks: PriceBreak[] }) {
  if (breaks.length === 0) return null
  return (
    <table className="figures">
      <caption className="sr-only">{t('Price breaks')}</caption>
      <tbody>
        {breaks.map(({ from, priceCents }) => (
          <tr key={from}>
            <th scope="row">{t('From {count}:', { count: from })} </th>
            <td>{rich('{price} each', { price: <Price cents={priceCents} /> })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
