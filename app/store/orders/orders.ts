export type OrderState = 'unpaid' | 'paid' | 'shipped' | 'cancelled'

/** An order as its customer sees it. Money in whole US cents, times in milliseconds. */
export interface Order {
  id: string
  customerId: string
  instrumentId: string
  productName: string
  unitPriceCents: number
  quantity: number
  totalCents: number
  customerName: string
  customerEmail: string
  customerAddress: string
  customerPhone: string
  state: OrderState
  createdAt: number
  /** Until when its pieces are kept while it is unpaid; null is until it is cancelled. */
  holdUntil: number | null
  paidAt: number | null
  shippedAt: number | null
  transactionId: string | null
}

/** True from the payment on: a shipped order is a paid one (R19). */
export function isPaid(order: Pick<Order, 'state'>): boolean {
  return order.state === 'paid' || order.state === 'shipped'
}

/** Who cancels an order whose pieces were kept long enough: it stands in the audit log, and the letter says so. */
export const holdExpiry = 'hold expiry'
