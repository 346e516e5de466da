import type { Email } from '../deps'
import { holdExpiry, orderNumber } from './orders'
import { documentHtml, escapeHtml, linkHtml, paragraphHtml } from '../email/templates.server'
import { formatCents } from '../money'
import type { Order } from './orders'
import { receiptLines } from './receipts'
import { formatTime } from '../dates'

export interface OrderNotice {
  event: string
  actor: string
  order: Order
  /** In cents; null unless the event is a refund. */
  refundCents: number | null
}

interface Message {
  subject: string
  opening: string[]
  link: string
  closing: string
}

export function orderEmail(id: string, notice: OrderNotice, origin: string): Email {
  const { order } = notice
  const { subject, opening, link, closing } = messageFor(notice, origin)
  const greeting = `Hello ${order.customerName},`
  const rows = receiptLines(order)
  const text = [
    greeting,
    ...opening,
    rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
    closing,
    link,
    'Cadenza',
  ]
  const html = [
    ...[greeting, ...opening].map(paragraphHtml),
    tableHtml(rows),
    paragraphHtml(closing),
    linkHtml(link),
    paragraphHtml('Cadenza'),
  ]
  return { id, recipient: order.customerEmail, subject, text: text.join('\n\n'), html: documentHtml(html) }
}

function messageFor({ event, actor, order, refundCents }: OrderNotice, origin: string): Message {
  const summary = `${orderNumber(order)}, ${order.quantity} × ${order.productName}`
  const myOrders = `${origin}/dashboard/myOrders`
  switch (event) {
    case 'order placed':
      // The email may be late: do not ask for money when the order is paid or cancelled by now.
      if (order.state !== 'unpaid') {
        return {
          subject: `Your order: ${summary}`,
          opening: ['Thank you for your order.'],
          link: myOrders,
          closing: seeOrders,
        }
      }
      return {
        subject: `Your order: ${summary}`,
        opening: [
          'Thank you for your order.',
          order.holdUntil === null
            ? 'We keep the pieces for you until you pay or cancel.'
            : `We keep the pieces for you until ${formatTime(order.holdUntil)}.`,
        ],
        link: `${myOrders}/payment/${order.id}`,
        closing: `Please pay ${formatCents(order.totalCents)} by card here:`,
      }
    case 'order paid':
      return {
        subject: `Receipt: ${summary}`,
        opening: [`Your payment of ${formatCents(order.totalCents)} is successful. This is your receipt.`],
        link: `${myOrders}/receipt/${order.id}`,
        closing: 'The receipt to print is here:',
      }
    case 'order shipped':
      return {
        subject: `On its way: ${summary}`,
        opening: ['Your order has left our workshop.'],
        link: `${myOrders}/receipt/${order.id}`,
        closing: 'Its receipt is here:',
      }
    case 'order cancelled':
      return {
        subject: `Cancelled: ${summary}`,
        opening: [cancellationReason(actor, order)],
        link: `${origin}/instruments/${order.instrumentId}`,
        closing: 'If you would like it after all, order it again here:',
      }
    case 'refund made':
      return {
        subject: `Refund: ${formatCents(refundCents ?? order.totalCents)} for ${orderNumber(order)}`,
        opening: [
          `A payment of ${formatCents(refundCents ?? order.totalCents)} reached us for an order that ${refundReason(order)}. We have sent all of it back to your card; banks take 5 to 10 days to show it.`,
        ],
        link: myOrders,
        closing: seeOrders,
      }
    default:
      throw new Error(`There is no email for "${event}"`)
  }
}

const seeOrders = 'Your orders are here:'

function cancellationReason(actor: string, { customerId }: Order): string {
  if (actor === customerId) return 'Your order is cancelled, as you asked. Nothing was charged.'
  if (actor !== holdExpiry) return 'The shopkeeper has cancelled your order. Nothing was charged.'
  return 'We kept these pieces for as long as we promised, and the order was not paid. So it is cancelled, and nothing was charged.'
}

function refundReason({ state }: Order): string {
  if (state === 'cancelled') return 'was cancelled before'
  return state === 'unpaid' ? 'it does not fit' : 'is paid already'
}

function tableHtml(rows: [name: string, value: string][]): string {
  const cells = rows.map(
    ([name, value]) =>
      `<tr><th align="left" valign="top" style="padding:2px 16px 2px 0;font-weight:600">${escapeHtml(name)}</th><td>${escapeHtml(value).replaceAll('\n', '<br>')}</td></tr>`,
  )
  return `<table>${cells.join('')}</table>`
}
