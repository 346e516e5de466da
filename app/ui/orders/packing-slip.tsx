import type { ReactNode } from 'react'
import { formatDay } from '../../store/shared/dates'
import { orderNumber, piecesToShip, type Order } from '../../store/orders/orders'
import { Sheet } from './sheet'

interface PackingSlipProps {
  order: Order
  from: { origin: string; mail: string }
  /** Of its heading: on a page of several, 2. */
  level?: 1 | 2
  /** Not printed. */
  children?: ReactNode
}

/** Without prices: the parcel may be a present. */
export function PackingSlip({ order, from, level, children }: PackingSlipProps) {
  const lines: [string, string][] = [
    ['Order', orderNumber(order)],
    ['Ordered', formatDay(order.createdAt)],
    ['Ship to', `${order.customerName}\n${order.customerAddress}\n${order.customerPhone}`],
    ['Instrument', order.productName],
    ['Pieces', String(piecesToShip(order))],
  ]
  return (
    <Sheet title="Packing slip" level={level} lines={lines} from={from}>
      {children}
    </Sheet>
  )
}
