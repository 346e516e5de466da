import { formatCents } from '../../store/shared/money'
import type { TimeFormat } from '../../store/shared/dates'
import { isDisputed, isFullyRefunded, piecesToShip, type Order } from '../../store/orders/orders'
import { t } from '../../i18n/language'

interface Now {
  /** Milliseconds since 1970. */
  now: number
  /** How long a delivery takes, in the shopkeeper's words; null: not said. */
  deliveryTime: string | null
  format: TimeFormat
}

/** What happens next to an order, in sentences, with the days that are known. None for a cancelled one. */
export function nextSteps(order: Order, { now, deliveryTime, format }: Now): string[] {
  const delivery = deliveryTime ? [t('Delivery takes {time}.', { time: deliveryTime })] : []
  if (order.state === 'cancelled') return []
  if (order.state === 'unpaid') return [payUntil(order, now, format)]
  if (isFullyRefunded(order)) {
    return [
      t('We have refunded {sum} to your card. Banks take 5 to 10 days to show it.', {
        sum: formatCents(order.refundedCents),
      }),
    ]
  }
  if (order.dispute === 'lost') return [t('Your bank has given this payment back to you.')]
  if (isDisputed(order)) return [t('Your bank has asked us about this payment. We continue when it is settled.')]
  if (order.state === 'shipped') return [shipped(order, format), ...delivery]
  if (piecesToShip(order) === 0) return []
  return [
    t('You paid on {day}. We pack your order and send it to your address.', { day: format.day(order.paidAt!) }),
    ...delivery,
    t('We email {email} when we ship it.', { email: order.customerEmail }),
  ]
}

function payUntil({ holdUntil }: Order, now: number, format: TimeFormat): string {
  if (holdUntil === null) return t('Your pieces are reserved until you pay or cancel.')
  return holdUntil > now
    ? t('Pay by {time}. Then we cancel the order, and nothing is charged.', { time: format.time(holdUntil) })
    : t('Your pieces are no longer reserved: pay soon, or somebody else may get them.')
}

function shipped({ shippedAt, carrier, trackingNumber }: Order, format: TimeFormat): string {
  const parcel = [carrier, trackingNumber].filter(Boolean).join(' ')
  const day = format.day(shippedAt!)
  return parcel
    ? t('We shipped your order on {day}: {parcel}.', { day, parcel })
    : t('We shipped your order on {day}.', { day })
}
