import type { Attribute } from '../../store/catalog/instruments'
import { SectionHeader } from '../layout/section-header'
import { t } from '../../i18n/language'

export function Specification({ rows }: { rows: Attribute[] }) {
  if (rows.length === 0) return null
  return (
    <section className="section">
      <SectionHeader title={t('Specification')} id="specification" />
      <table className="specification" aria-labelledby="specification">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" className="wrap-anywhere">
                {name}
              </th>
              <td className="wrap-anywhere">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
