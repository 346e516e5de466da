export function ReceiptLines({ lines }: { lines: [name: string, value: string][] }) {
  return (
    <dl className="receipt-lines">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
