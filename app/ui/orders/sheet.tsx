import type { ReactNode } from 'react'
import { t } from '../../i18n/language'
import { translate } from '../../i18n/translate'
import { shopName, tagline } from '../../shop-name'
import { PageHeader } from '../layout/page-header'
import { ReceiptLines } from './receipt-lines'

type Line = [name: string, value: string]

interface SheetProps {
  title: string
  /** Of its heading: on a page of several, 2. */
  level?: 1 | 2 | undefined
  lead?: string
  lines: Line[]
  from: { origin: string; mail: string }
  /** Not printed. */
  children?: ReactNode
}

/** A page of an order to print: what is before the instrument, the instrument as a table that ends with the total, what is after it. */
export function Sheet({ title, level = 1, lead, lines, from, children }: SheetProps) {
  const first = lines.findIndex(([name]) => name === t('Instrument'))
  const total = lines.findIndex(([name]) => name === t('Total'))
  const end = (total < 0 ? lines.findIndex(([name]) => name === 'Pieces') : total) + 1
  return (
    <article className="receipt">
      {level === 1 ? <PageHeader title={title} lead={lead} /> : <h2>{title}</h2>}
      <ReceiptLines lines={lines.slice(0, first)} />
      <ItemTable lines={lines.slice(first, end)} />
      <ReceiptLines lines={lines.slice(end)} />
      <p className="receipt-from">
        {[shopName, translate(tagline)].filter(Boolean).join(', ')}
        <br />
        {from.origin} · {from.mail}
      </p>
      {children}
    </article>
  )
}

/** Price and quantity beside the instrument, words about it below its name, and below these the sums, of which the last is the total. */
function ItemTable({ lines: [instrument, ...lines] }: { lines: Line[] }) {
  const isOneOf = (names: string[]) => lines.filter(([name]) => names.includes(name))
  const words = isOneOf([t('Discount'), t('Reason')])
  const cells = isOneOf([t('Price each'), t('Quantity'), 'Pieces', t('Total')])
  const sums = lines.filter((line) => !words.includes(line) && (!cells.includes(line) || line[0] === t('Total')))
  return (
    <table className="item-table">
      <thead>
        <tr>
          {[instrument!, ...cells].map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            {instrument![1]}
            {words.map(([name, value]) => (
              <small key={name}>
                {name}: {value}
              </small>
            ))}
          </th>
          {cells.map(([name, value]) => (
            <td key={name}>{value}</td>
          ))}
        </tr>
      </tbody>
      {sums.length > 0 && (
        <tfoot>
          {sums.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" colSpan={cells.length}>
                {name}
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  )
}
