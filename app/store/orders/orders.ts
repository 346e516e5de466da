export type OrderState = 'unpaid' | 'paid' | 'shipped' | 'cancelled'

/** Amounts in US cents, times in milliseconds since 1970. */
export interface Order {
  id: string
  number: number
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
  /** Owed and made; failed refunds do not count. */
  refundedCents: number
  /** Pieces that went back to stock with a refund. */
  returnedQuantity: number
}

/** What people call the order, such as `C-1042`. Programs use the id. */
export function orderNumber({ number }: Pick<Order, 'number'>): string {
  return `C-${number}`
}

/** True for shipped orders too (R19). */
export function isPaid(order: Pick<Order, 'state'>): boolean {
  return order.state === 'paid' || order.state === 'shipped'
}

/** The actor in the audit log when an expired hold cancels an order. */
export const holdExpiry = 'hold expiry'
