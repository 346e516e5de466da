import { formatCents } from '../../shared/money'
import { orderNumber, type Order } from '../orders'
import { formatTime } from '../../shared/dates'
import { formatValue, t } from '../../../i18n/language'

/** The line whose value is an address. */
export const trackingLink = 'Tracking link' as const
export const instrumentLine = 'Instrument'

export type Lines = [name: string, value: string][]

/** The price of each piece is after it (R59). */
export function discountLine({
  discountCode,
  discountCents,
}: Pick<Order, 'discountCode' | 'discountCents'>): ['Discount', string | null] {
  const words = () =>
    t('{price} off with code {code}, in the price', { price: formatCents(discountCents!), code: discountCode! })
  return ['Discount', discountCode && words()]
}

export function receiptLines(order: Order): Lines {
  const lines = [
    ['Order', orderNumber(order)],
    ['Ordered', formatTime(order.createdAt)],
    [instrumentLine, order.productName],
    ['Price each', formatCents(order.unitPriceCents)],
    ['Quantity', formatValue(order.quantity)],
    discountLine(order),
    ['Total', formatCents(order.totalCents)],
    ['Paid', order.paidAt === null ? null : formatTime(order.paidAt)],
    ['Transaction id', order.transactionId],
    ['Total refund', order.refundedCents === 0 ? null : formatCents(order.refundedCents)],
    ['Shipped', order.shippedAt === null ? null : formatTime(order.shippedAt)],
    ['Carrier', order.carrier],
    ['Tracking number', order.trackingNumber],
    [trackingLink, order.trackingUrl],
    ['Company', order.company],
    ['VAT number', order.vatNumber],
    ['Purchase order', order.purchaseOrder],
    ['Ship to', `${order.customerName}\n${order.customerAddress}\n${order.customerPhone}`],
  ] as const
  return lines.flatMap(([name, value]) => (value === null ? [] : [[t(name), value]]))
}
