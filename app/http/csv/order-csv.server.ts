import { isoTime } from '../../store/shared/dates'
import { dollarsText } from '../../store/shared/money'
import { orderNumber, type Order } from '../../store/orders/orders'
import { csvLine } from './csv.server'

type Cell = string | number | null
const columns: [header: string, cell: (order: Order) => Cell][] = [
  ['Order', orderNumber],
  ['Placed', ({ createdAt }) => time(createdAt)],
  ['Status', ({ state }) => state],
  ['Customer', ({ customerName }) => customerName],
  ['Email', ({ customerEmail }) => customerEmail],
  ['Address', ({ customerAddress }) => customerAddress],
  ['Phone', ({ customerPhone }) => customerPhone],
  ['Product', ({ productName }) => productName],
  ['Quantity', ({ quantity }) => quantity],
  ['Price each', ({ unitPriceCents }) => dollarsText(unitPriceCents)],
  ['Total', ({ totalCents }) => dollarsText(totalCents)],
  ['Refund', ({ refundedCents }) => dollarsText(refundedCents)],
  ['Paid', ({ paidAt }) => time(paidAt)],
  ['Transaction id', ({ transactionId }) => transactionId],
  ['Shipped', ({ shippedAt }) => time(shippedAt)],
  ['Carrier', ({ carrier }) => carrier],
  ['Tracking number', ({ trackingNumber }) => trackingNumber],
  ['Discount code', ({ discountCode }) => discountCode],
  ['Discount', ({ discountCents }) => (discountCents === null ? null : dollarsText(discountCents))],
  ['Dispute', ({ dispute }) => dispute],
]

/** Excel reads UTF-8 only after a byte order mark. */
export const ordersHead = `\uFEFF${csvLine(columns.map(([header]) => header))}`

export function ordersCsv(orders: Order[]): string {
  return orders.map((order) => csvLine(columns.map(([, cell]) => cell(order)))).join('')
}

function time(at: number | null): string | null {
  return at === null ? null : isoTime(at)
}
