import { sql } from 'drizzle-orm'
import type { Deps, Email } from '../deps'
import { closedAccount, holdExpiry, orderNumber } from './orders'
import { shopContact } from '../../shop-name'
import { rasterImage } from '../catalog/pictures/raster-image'
import { expectedDelivery } from './expected-delivery'
import { emailsOf, isOne, logReader } from '../log/reader.server'
import { renderEmail, type Row } from '../email/layout.server'
import { inWords } from '../email/write-words.server'
import { formatCents } from '../shared/money'
import type { Order } from './orders'
import { instrumentLine, receiptLines } from './receipts/receipts'
import { formatTime } from '../shared/dates'
import { t } from '../../i18n/language'
import { localPath } from '../../i18n/paths'

/** Of the audit log: those of which the customer gets an email, of the same kind. */
export const emailedEvents = ['order placed', 'order paid', 'order shipped', 'order cancelled', 'refund made'] as const

/** To the customer, and about a paid order to the shop, if it wants them. */
export const orderEmails = logReader('order emails', (events) => [
  emailsOf({
    kind: sql`event.event`,
    id: sql`event.event || ':' || orders.id || iif(event.event = 'refund made', ':' || event.about_id, '')`,
    recipient: sql`orders.customer_email`,
    // The terms of an order after a recovery are the words of whoever did not own the address; who closes an account gets one email about it.
    from: sql`${events} CROSS JOIN orders ON orders.id = event.order_id CROSS JOIN users ON users.id = orders.customer_id
      WHERE ${isOne(...emailedEvents)}
        AND event.actor NOT IN ('account recovery', 'account closed') AND orders.customer_email <> ${closedAccount}
        AND (users.email_verified_at <= event.at OR ${isOne('order paid', 'order shipped', 'refund made')})`,
  }),
  emailsOf({
    kind: sql`'shop order'`,
    id: sql`'shop order:' || event.order_id`,
    recipient: sql`'shop'`,
    from: sql`${events} WHERE ${isOne('order paid')} AND (SELECT order_emails FROM shop_settings) = 'each'`,
  }),
])

export interface OrderNotice {
  event: (typeof emailedEvents)[number] | 'hold ends'
  actor: string
  order: Order
  /** The picture of the instrument. */
  img: string
  /** The instrument's page. */
  instrumentLink: string
  /** In cents; null unless the event is a refund. */
  refundCents: number | null
  /** Null unless the payment of the order was refunded; empty if that was done at Stripe. */
  refundReason: string | null
}

export function orderEmail(id: string, notice: OrderNotice, origin: string): Email {
  const { order, img, instrumentLink } = notice
  const details = receiptLines(order).map(([name, value]): Row =>
    name === t(instrumentLine) ? [name, value, instrumentLink] : [name, value],
  )
  return renderEmail({
    id,
    recipient: order.customerEmail,
    ...wordsFor(notice, origin, notice.event === 'order paid' ? [...details, ...afterPayment(order, origin)] : details),
    picture: rasterImage({ img }, origin),
    reason: t('You get this email because an order in our shop has this address.'),
  })
}

/** What the receipt says beside the order: when it should arrive, and where the invoice is. */
function afterPayment({ id, paidAt }: Order, origin: string): Row[] {
  const { deliveryTime } = shopContact
  const delivery = paidAt === null ? deliveryTime : (expectedDelivery(deliveryTime, paidAt) ?? deliveryTime)
  const invoice = origin + localPath(`/dashboard/myOrders/invoice/${id}`)
  return [
    ...(delivery ? [[t('Delivery'), delivery] satisfies Row] : []),
    [t('Invoice'), t('View the invoice'), invoice],
  ]
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
    paragraphs: [
      `${order.customerName} <${order.customerEmail}> has paid ${formatCents(order.totalCents)}.`,
      { rows: receiptLines(order) },
      { button: { text: 'View the order', link: `${origin}/dashboard/manageOrders/${order.id}` } },
    ],
    reason: `You get this email for each paid order. Change it at ${origin}/dashboard/shopEmails.`,
  })
}

function wordsFor({ event, actor, order, refundCents, refundReason }: OrderNotice, origin: string, details: Row[]) {
  const myOrders = origin + localPath('/dashboard/myOrders')
  const facts = {
    ...{ name: order.customerName, order: orderNumber(order), quantity: String(order.quantity) },
    ...{ product: order.productName, total: formatCents(order.totalCents), details },
  }
  const ofOrder = { ...facts, link: `${myOrders}/${order.id}` }
  const toPay = { ...facts, link: `${myOrders}/payment/${order.id}` }
  const ofReceipt = { ...facts, link: `${myOrders}/receipt/${order.id}` }
  switch (event) {
    case 'order placed': {
      // The email may be late: do not ask for money when the order is paid or cancelled by now.
      if (order.state !== 'unpaid') return inWords('order-placed-paid', ofOrder)
      const until = order.holdUntil === null ? t('you pay or cancel') : formatTime(order.holdUntil)
      return inWords('order-placed', { ...toPay, until })
    }
    case 'hold ends':
      return inWords('order-hold-ends', { ...toPay, until: formatTime(order.holdUntil!) })
    case 'order paid':
      return inWords('order-paid', ofReceipt)
    case 'order shipped':
      return inWords('order-shipped', ofReceipt)
    case 'order cancelled': {
      const link = origin + localPath(`/instruments/${order.instrumentId}?again=${order.id}`)
      return inWords('order-cancelled', { ...facts, reason: cancellationReason(actor, order), link })
    }
    case 'refund made': {
      const sum = formatCents(refundCents ?? order.totalCents)
      return refundReason === null
        ? inWords('payment-returned', { ...ofOrder, sum, why: whyStray(order) })
        : inWords('refund', { ...ofOrder, sum, reason: refundReason })
    }
  }
}

/** `hasRefund`: money arrived for it all the same, and went back or will (R14). */
export function cancellationReason(actor: string, { customerId }: Order, hasRefund = false): string {
  const reasons: Record<string, string> = {
    [customerId]: t('You cancelled this order.'),
    [holdExpiry]: t('Your order was not paid in time, so we have cancelled it.'),
  }
  const reason = reasons[actor] ?? t('We have cancelled your order.')
  return hasRefund ? reason : `${reason} ${t('Nothing was charged.')}`
}

/** For the page of the order; `reason` as in `OrderNotice`. */
export function describeRefund(order: Order, sum: string, reason: string | null): string[] {
  return reason === null ? [strayPayment(order, sum)] : partRefunded(sum, reason)
}

function whyStray({ state }: Order): string {
  if (state === 'cancelled') return t('was already cancelled')
  return state === 'unpaid' ? t('it does not match') : t('was already paid')
}

function strayPayment(order: Order, sum: string): string {
  return t(
    'We received a payment of {sum} for an order that {why}. We have refunded all of it to your card. Banks take 5 to 10 days to show it.',
    { sum, why: whyStray(order) },
  )
}

function partRefunded(sum: string, reason: string): string[] {
  const sent = t('We have refunded {sum} of your order to your card. Banks take 5 to 10 days to show it.', { sum })
  return reason === '' ? [sent] : [sent, t('Reason: {reason}', { reason })]
}
