import { trackingLink } from '../../store/orders/receipts'

export function ReceiptLines({ lines }: { lines: [name: string, value: string][] }) {
  return (
    <dl className="receipt-lines">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{name === trackingLink ? <a href={value}>{value}</a> : value}</dd>
        </div>
      ))}
    </dl>
  )
}
