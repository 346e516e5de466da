import { formatCents } from '../../store/shared/money'
import type { TimeFormat } from '../../store/shared/dates'
import { isFullyRefunded, piecesToShip, type Order } from '../../store/orders/orders'

interface Now {
  /** Milliseconds since 1970. */
  now: number
  /** How long a delivery takes, in the shopkeeper's words; null: not said. */
  deliveryTime: string | null
  format: TimeFormat
}

/** What happens next to an order, in sentences, with the days that are known. None for a cancelled one. */
export function nextSteps(order: Order, { now, deliveryTime, format }: Now): string[] {
  const delivery = deliveryTime ? [`Delivery takes ${deliveryTime}.`] : []
  if (order.state === 'cancelled') return []
  if (order.state === 'unpaid') return [payUntil(order, now, format)]
  if (isFullyRefunded(order)) {
    return [`We have refunded ${formatCents(order.refundedCents)} to your card. Banks take 5 to 10 days to show it.`]
  }
  if (order.state === 'shipped') return [shipped(order, format), ...delivery]
  if (piecesToShip(order) === 0) return []
  return [
    `You paid on ${format.day(order.paidAt!)}. We pack your order and send it to your address.`,
    ...delivery,
    `We email ${order.customerEmail} when we ship it.`,
  ]
}

function payUntil({ holdUntil }: Order, now: number, format: TimeFormat): string {
  if (holdUntil === null) return 'Your pieces are reserved until you pay or cancel.'
  return holdUntil > now
    ? `Pay by ${format.time(holdUntil)}. Then we cancel the order, and nothing is charged.`
    : 'Your pieces are no longer reserved: pay soon, or somebody else may get them.'
}

function shipped({ shippedAt, carrier, trackingNumber }: Order, format: TimeFormat): string {
  const parcel = [carrier, trackingNumber].filter(Boolean).join(' ')
  return `We shipped your order on ${format.day(shippedAt!)}${parcel && `: ${parcel}`}.`
}
