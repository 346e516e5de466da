import { trackingLink } from '../../store/orders/receipts/receipts'
import { t } from '../../i18n/language'

interface ReceiptLinesProps {
  lines: [name: string, value: string][]
  /** Addresses by the names of lines. */
  links?: Record<string, string>
}

export function ReceiptLines({ lines, links = {} }: ReceiptLinesProps) {
  return (
    <dl className="receipt-lines">
      {lines.map(([name, value]) => {
        const href = name === t(trackingLink) ? value : links[name]
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{href ? <a href={href}>{value}</a> : value}</dd>
          </div>
        )
      })}
    </dl>
  )
}
