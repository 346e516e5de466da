import type { OrderEvent, OrderRefund } from '../../store/orders/orders'
import { formatCents } from '../../store/shared/money'

/** An event of the audit log as a sentence. */
export function describeEvent({ event, note, aboutId, stockDelta }: OrderEvent, refunds: OrderRefund[]): string {
  const refund = refunds.find(({ id }) => id === aboutId)
  const sum = refund ? formatCents(refund.amountCents) : 'a payment that pays for nothing'
  const texts: Record<string, string> = {
    'order placed': `Placed; ${pieces(-stockDelta)} taken from stock`,
    'order paid': 'Paid by card',
    'order shipped': 'Shipped',
    'order cancelled': `Cancelled; ${pieces(stockDelta)} back in stock`,
    'shipment corrected': `Shipment corrected: ${note}`,
    'note changed': note ? `Note for colleagues: ${note}` : 'Note for colleagues removed',
    'refund owed': `Refund of ${sum} ordered`,
    'refund made': `Refund of ${sum} made`,
    'refund failed': `Refund of ${sum} failed`,
    'inquiry opened': `The bank asks about the payment: ${note}`,
    'dispute opened': `Payment disputed: ${note}`,
    'dispute won': `Dispute won: ${note}`,
    'dispute lost': `Dispute lost: ${note}`,
    'dispute closed': `Closed without a dispute: ${note}`,
    'pieces returned': `${pieces(stockDelta)} back in stock`,
  }
  return texts[event] ?? event
}

export function describeActor(actor: string): string {
  const names: Record<string, string> = {
    stripe: 'Stripe',
    shop: 'The shop',
    'hold expiry': 'The shop: the hold expired',
    'account closed': 'The customer closed the account',
  }
  return names[actor] ?? actor
}

function pieces(count: number): string {
  return count === 1 ? '1 piece' : `${count} pieces`
}
