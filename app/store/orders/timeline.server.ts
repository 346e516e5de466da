import { formatCents } from '../shared/money'
import { cancellationReason, describeRefund } from './order-emails.server'
import type { Order, OrderEvent, OrderRefund } from './orders'
import { t } from '../../i18n/language'

export interface TimelineEvent {
  id: number
  /** Milliseconds since 1970. */
  at: number
  event: string
  text: string
}

/** `id` is what its events are about; `reason` is null unless the payment of the order was refunded. */
export type CustomerRefund = Pick<OrderRefund, 'id' | 'amountCents' | 'refundId' | 'failedAt'> & {
  reason: string | null
}

/** The history of an order for its customer, in the words of the emails: without the shop's people and their notes. */
export function timelineOf(
  order: Order,
  rows: Pick<OrderEvent, 'id' | 'at' | 'event' | 'actor' | 'aboutId'>[],
  refunds: CustomerRefund[],
): TimelineEvent[] {
  return rows.flatMap(({ id, at, event, actor, aboutId }) => {
    const refund = refunds.find((each) => each.id === aboutId)
    const text = refund ? refundText(order, event, refund) : orderText(order, { event, actor }, refunds)
    return text ? [{ id, at, event, text }] : []
  })
}

function orderText(
  order: Order,
  { event, actor }: { event: string; actor: string },
  refunds: CustomerRefund[],
): string | undefined {
  const texts: Record<string, string> = {
    'order placed': t('You placed the order.'),
    'order paid': t('You paid {sum} by card.', { sum: formatCents(order.totalCents) }),
    'order shipped': t('Your order is on its way to you.'),
    'order cancelled': cancellationReason(actor, order, refunds.length > 0),
    'shipment corrected': t('We corrected the tracking details.'),
  }
  return texts[event]
}

function refundText(order: Order, event: string, refund: CustomerRefund): string | undefined {
  const { amountCents, refundId, failedAt, reason } = refund
  const sum = formatCents(amountCents)
  const returned = t('Your bank returned the refund of {sum}. We will pay it back another way.', { sum })
  if (event === 'refund made') {
    const texts = describeRefund(order, sum, reason)
    // The audit log has a failure only of a refund with a reason.
    return [...texts, ...(reason === null && failedAt !== null ? [returned] : [])].join(' ')
  }
  if (event === 'refund failed' && refundId !== null) return returned
  if (event === 'refund owed' && refundId === null && failedAt === null)
    return [t('We are refunding {sum} to your card.', { sum }), reason && t('Reason: {reason}', { reason })]
      .filter(Boolean)
      .join(' ')
  return undefined
}
