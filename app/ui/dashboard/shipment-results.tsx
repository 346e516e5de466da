import type { ShipmentResult } from '../../store/orders/manage-order.server'

/** What one press did to each order. */
export function ShipmentResults({ results }: { results: ShipmentResult[] }) {
  const shipped = results.filter(({ isShipped }) => isShipped)
  return (
    <div id="results" className="notice" role="status" tabIndex={-1}>
      <ul>
        {shipped.length > 0 && <li>{shipped.map(({ number }) => number).join(', ')}: marked as shipped.</li>}
        {results
          .filter(({ isShipped }) => !isShipped)
          .map(({ id, number, why }) => (
            <li key={id}>
              {number}: not shipped. {why}
            </li>
          ))}
      </ul>
    </div>
  )
}
