export type OrderState = 'unpaid' | 'paid' | 'shipped' | 'cancelled'

/** Amounts in US cents, times in milliseconds since 1970. */
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
  /** When the hold of an unpaid order expires; null: never. */
  holdUntil: number | null
  paidAt: number | null
  shippedAt: number | null
  transactionId: string | null
}

/** True for shipped orders too (R19). */
export function isPaid(order: Pick<Order, 'state'>): boolean {
  return order.state === 'paid' || order.state === 'shipped'
}

/** The actor in the audit log when an expired hold cancels an order. */
export const holdExpiry = 'hold expiry'
