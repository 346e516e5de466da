import type { Deps, Email } from '../deps'
import { holdExpiry, orderNumber } from './orders'
import { renderEmail } from '../email/layout.server'
import { formatCents } from '../shared/money'
import type { Order } from './orders'
import { proofLines } from './receipts/proof.server'
import { checkLink, instrumentLine, receiptLines } from './receipts/receipts'
import { formatTime } from '../shared/dates'

export interface OrderNotice {
  /** Of the audit log, or `hold ends`. */
  event: string
  actor: string
  order: Order
  /** The instrument's page. */
  instrumentLink: string
  /** In cents; null unless the event is a refund. */
  refundCents: number | null
  /** Null unless the payment of the order was refunded; empty if that was done at Stripe. */
  refundReason: string | null
  /** Of the link of the payment that this is the receipt of. */
  code: string | null
}

interface Message {
  subject: string
  opening: string[]
  button: { text: string; link: string }
}

export function orderEmail(id: string, notice: OrderNotice, origin: string): Email {
  const { order, instrumentLink, code } = notice
  const { subject, opening, button } = messageFor(notice, origin)
  return renderEmail({
    id,
    recipient: order.customerEmail,
    subject,
    paragraphs: [`Hello ${order.customerName},`, ...opening],
    rows: [...receiptLines(order), ...(code ? proofLines(code, origin) : [])].map(([name, value]) => {
      if (name === instrumentLine) return [name, value, instrumentLink]
      return name === checkLink ? [name, value, value] : [name, value]
    }),
    button,
    reason: 'You get this email because an order in our shop has this address.',
  })
}

/** To the shop, about a paid order. */
export function newOrderEmail(
  id: string,
  order: Order,
  { origin, shopEmail }: Pick<Deps, 'origin' | 'shopEmail'>,
): Email {
  return renderEmail({
    id,
    recipient: shopEmail,
    subject: `New order: ${orderNumber(order)}, ${order.quantity} × ${order.productName}`,
    paragraphs: [`${order.customerName} <${order.customerEmail}> has paid ${formatCents(order.totalCents)}.`],
    rows: receiptLines(order),
    button: { text: 'View the order', link: `${origin}/dashboard/manageOrders/${order.id}` },
    reason: `You get this email for each paid order. Change it at ${origin}/dashboard/shopEmails.`,
  })
}

function messageFor({ event, actor, order, refundCents, refundReason }: OrderNotice, origin: string): Message {
  const summary = `${orderNumber(order)}, ${order.quantity} × ${order.productName}`
  const myOrders = `${origin}/dashboard/myOrders`
  const seeOrder = { text: 'View the order', link: `${myOrders}/${order.id}` }
  const payOrder = { text: `Pay ${formatCents(order.totalCents)}`, link: `${myOrders}/payment/${order.id}` }
  const seeReceipt = { text: 'View the receipt', link: `${myOrders}/receipt/${order.id}` }
  switch (event) {
    case 'order placed':
      // The email may be late: do not ask for money when the order is paid or cancelled by now.
      if (order.state !== 'unpaid') {
        return { subject: `Your order: ${summary}`, opening: ['Thank you for your order.'], button: seeOrder }
      }
      return {
        subject: `Your order: ${summary}`,
        opening: [
          `Thank you for your order. Please pay ${formatCents(order.totalCents)} by card.`,
          order.holdUntil === null
            ? 'Your pieces are reserved until you pay or cancel.'
            : `Your pieces are reserved until ${formatTime(order.holdUntil)}.`,
        ],
        button: payOrder,
      }
    case 'hold ends':
      return {
        subject: `Not paid yet: ${summary}`,
        opening: [
          `Your pieces are reserved until ${formatTime(order.holdUntil!)}. If the order is not paid by then, we cancel it, and nothing is charged.`,
        ],
        button: payOrder,
      }
    case 'order paid':
      return {
        subject: `Receipt: ${summary}`,
        opening: [
          `Thank you. We have received your payment of ${formatCents(order.totalCents)}. This is your receipt.`,
        ],
        button: seeReceipt,
      }
    case 'order shipped':
      return { subject: `On its way: ${summary}`, opening: ['Your order is on its way to you.'], button: seeReceipt }
    case 'order cancelled':
      return {
        subject: `Cancelled: ${summary}`,
        opening: [cancellationReason(actor, order)],
        button: { text: 'Order again', link: `${origin}/instruments/${order.instrumentId}?again=${order.id}` },
      }
    case 'refund made': {
      const sum = formatCents(refundCents ?? order.totalCents)
      return {
        subject: `Refund: ${sum} for ${orderNumber(order)}`,
        opening: describeRefund(order, sum, refundReason),
        button: seeOrder,
      }
    }
    default:
      throw new Error(`There is no email for "${event}"`)
  }
}

/** `hasRefund`: money arrived for it all the same, and went back or will (R14). */
export function cancellationReason(actor: string, { customerId }: Order, hasRefund = false): string {
  const reasons: Record<string, string> = {
    [customerId]: 'You cancelled this order.',
    [holdExpiry]: 'Your order was not paid in time, so we have cancelled it.',
  }
  const reason = reasons[actor] ?? 'We have cancelled your order.'
  return hasRefund ? reason : `${reason} Nothing was charged.`
}

/** `reason` as in `OrderNotice`. */
export function describeRefund(order: Order, sum: string, reason: string | null): string[] {
  return reason === null ? [uselessPayment(order, sum)] : partRefunded(sum, reason)
}

const bankDelay = 'Banks take 5 to 10 days to show it.'

function uselessPayment({ state }: Order, sum: string): string {
  const why =
    state === 'cancelled' ? 'was already cancelled' : state === 'unpaid' ? 'it does not match' : 'was already paid'
  return `We received a payment of ${sum} for an order that ${why}. We have refunded all of it to your card. ${bankDelay}`
}

function partRefunded(sum: string, reason: string): string[] {
  const sent = `We have refunded ${sum} of your order to your card. ${bankDelay}`
  return reason === '' ? [sent] : [sent, `Reason: ${reason}`]
}
