import type { Language } from '../../i18n/language'
import type { DisputeState } from '../deps'
import { normal } from '../shared/folding'

export type OrderState = 'unpaid' | 'paid' | 'shipped' | 'cancelled'

/** What the shopkeeper's list can show apart. */
export type OrderFilter = OrderState | 'refunded'

/** How many orders each tab of that list has, each at most `maxOrderCount`. `all`: without the cancelled ones. */
/** `olderRefunds` is 1 where there are refunds beyond those that `refunded` looks at. */
export type OrderCounts = Record<OrderFilter | 'all' | 'olderRefunds', number>

/** To count further, SQLite would read as many rows: a shop of 100,000 orders costs what one of 1,000 does. */
export const maxOrderCount = 1000

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
  /** Whether the customer asks the payment back from the bank, and how that ended. */
  dispute: Exclude<DisputeState, 'closed'> | null
  carrier: string | null
  trackingNumber: string | null
  /** An https address. */
  trackingUrl: string | null
  /** For the invoice. */
  company: string | null
  vatNumber: string | null
  purchaseOrder: string | null
  /** It was placed in; its emails are written in it. */
  language: Language
  /** By which the unit price was lowered, and what it saved in all. */
  discountCode: string | null
  discountCents: number | null
}

export type Shipment = Pick<Order, 'carrier' | 'trackingNumber' | 'trackingUrl'>

export interface OrderEvent {
  id: number
  /** Milliseconds since 1970. */
  at: number
  event: string
  /** A user's email, or `stripe`, `hold expiry` … */
  actor: string
  note: string
  /** A transaction, or the id of a refund. */
  aboutId: string | null
  stockDelta: number
}

export interface FailedRefund {
  refundId: string | null
  amountCents: number
}

export interface OrderRefund {
  id: string
  amountCents: number
  /** Empty if it was made at Stripe. */
  reason: string
  restock: number
  /** A user's email, or `stripe`. */
  actor: string
  /** Milliseconds since 1970. */
  createdAt: number
  refundId: string | null
  failedAt: number | null
}

export interface OrderEmail {
  id: string
  event: string
  recipient: string
  /** Milliseconds since 1970; null while it waits. */
  sentAt: number | null
}

/** The email of an order whose customer has closed the account: nobody gets emails about it. */
export const closedAccount = 'closed account'

/** What people call the order, such as `C-1042`. Programs use the id. */
export function orderNumber({ number }: Pick<Order, 'number'>): string {
  return `C-${number}`
}

/** Of a text such as `C-1042`, `c1042`, `#1042` or `Order no. C–1042`, as people write it and programs paste it, or null. */
export function readOrderNumber(text: string): number | null {
  const number =
    /^(?:(?:order|bestellung)\b)? *(?:(?:number|no|nr|nummer)\b)?[.:]? *#? *(?:c *-? *)?(\d{1,12})\.?$/i.exec(
      normal(text).trim(),
    )?.[1]
  return number === undefined ? null : Number(number)
}

/** True for shipped orders too (R19). */
export function isPaid(order: Pick<Order, 'state'>): boolean {
  return order.state === 'paid' || order.state === 'shipped'
}

export function isFullyRefunded({ refundedCents, totalCents }: Pick<Order, 'refundedCents' | 'totalCents'>): boolean {
  return refundedCents >= totalCents
}

/** Without those that went back to stock. */
export function piecesToShip({ quantity, returnedQuantity }: Pick<Order, 'quantity' | 'returnedQuantity'>): number {
  return quantity - returnedQuantity
}

/** Paid, with pieces that are not back in stock, and not refunded in full. */
export function isShippable(order: Order): boolean {
  return order.state === 'paid' && !isFullyRefunded(order) && piecesToShip(order) > 0
}

export function isToShip(order: Order): boolean {
  return isShippable(order) && !isDisputed(order)
}

/** The bank asks for the payment, or has taken it back: until it is decided for the shop, nothing of it should go out. */
export function isDisputed({ dispute }: Pick<Order, 'dispute'>): boolean {
  return dispute !== null && dispute !== 'won'
}

/** The bank holds the money or has given it back: Stripe refuses refunds. In an inquiry it takes nothing, and a refund ends it. */
export function isTakenBack({ dispute }: Pick<Order, 'dispute'>): boolean {
  return dispute === 'open' || dispute === 'lost'
}

/** Paid, with money left that the bank has not taken back. */
export function isRefundable(order: Order): boolean {
  return isPaid(order) && !isTakenBack(order) && order.refundedCents < order.totalCents
}

export const notRefundable =
  'The payment is disputed: the bank has taken it back, and Stripe refuses a refund of it. Answer the dispute at Stripe.'

/** A text search reads so many orders at most; the page links to a search of the next ones. */
export const searchWindow = 10_000

/** The actor in the audit log when an expired hold cancels an order. */
export const holdExpiry = 'hold expiry'
