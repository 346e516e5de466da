import type { Email } from '../deps'
import { holdExpiry } from './orders'
import { documentHtml, escapeHtml, linkHtml, paragraphHtml } from '../email/templates.server'
import { formatCents } from '../money'
import type { Order } from './orders'
import { receiptLines } from './receipts'
import { formatTime } from '../dates'

/** What the audit log says happened, and the order that it happened to. */
export interface OrderNotice {
  event: string
  actor: string
  order: Order
  /** Of a refund: what was sent back, in cents. */
  refundCents: number | null
}

interface Message {
  subject: string
  opening: string[]
  link: string
  closing: string
}

/** The letter that tells a customer of what happened to an order. `origin` is where the shop is. */
export function orderEmail(id: string, news: OrderNotice, origin: string): Email {
  const { order } = news
  const { subject, opening, link, closing } = messages(news, origin)
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

function messages({ event, actor, order, refundCents }: OrderNotice, origin: string): Message {
  const what = `${order.quantity} × ${order.productName}`
  const myOrders = `${origin}/dashboard/myOrders`
  switch (event) {
    case 'order placed':
      // The mail provider may have been away for so long that there is nothing left to pay.
      if (order.state !== 'unpaid') {
        return {
          subject: `Your order: ${what}`,
          opening: ['Thank you for your order.'],
          link: myOrders,
          closing: seeOrders,
        }
      }
      return {
        subject: `Your order: ${what}`,
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
        subject: `Receipt: ${what}`,
        opening: [`Your payment of ${formatCents(order.totalCents)} is successful. This is your receipt.`],
        link: `${myOrders}/receipt/${order.id}`,
        closing: 'The receipt to print is here:',
      }
    case 'order shipped':
      return {
        subject: `On its way: ${what}`,
        opening: ['Your order has left our workshop.'],
        link: `${myOrders}/receipt/${order.id}`,
        closing: 'Its receipt is here:',
      }
    case 'order cancelled':
      return {
        subject: `Cancelled: ${what}`,
        opening: [whyCancelled(actor, order)],
        link: `${origin}/instruments/${order.instrumentId}`,
        closing: 'If you would like it after all, order it again here:',
      }
    case 'refund made':
      return {
        subject: `Refund: ${formatCents(refundCents ?? order.totalCents)}`,
        opening: [
          `A payment of ${formatCents(refundCents ?? order.totalCents)} reached us for an order that ${whyBack(order)}. We have sent all of it back to your card; banks take 5 to 10 days to show it.`,
        ],
        link: myOrders,
        closing: seeOrders,
      }
    default:
      throw new Error(`No letter tells of "${event}"`)
  }
}

const seeOrders = 'Your orders are here:'

function whyCancelled(actor: string, { customerId }: Order): string {
  if (actor === customerId) return 'Your order is cancelled, as you asked. Nothing was charged.'
  if (actor !== holdExpiry) return 'The shopkeeper has cancelled your order. Nothing was charged.'
  return 'We kept these pieces for as long as we promised, and the order was not paid. So it is cancelled, and nothing was charged.'
}

function whyBack({ state }: Order): string {
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
