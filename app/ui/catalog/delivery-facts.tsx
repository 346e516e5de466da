import type { ReactNode } from 'react'
import type { DeliveryTerms } from '../../store/orders/delivery-terms'

/** Shipping is included in the price (R46). */
export function DeliveryFacts({ time, returns, children }: DeliveryTerms & { children?: ReactNode }) {
  return (
    <dl className="facts">
      <div>
        <dt>Delivery</dt>
        <dd>{time ? `${time}, included in the price` : 'Included in the price'}</dd>
      </div>
      {returns && (
        <div>
          <dt>Returns</dt>
          <dd>{returns}</dd>
        </div>
      )}
      {children}
    </dl>
  )
}
