import type { Order } from '../../store/orders/orders'
import { Badge } from '../badge'
import { Notice } from '../notice'

type Dispute = NonNullable<Order['dispute']>

const names: Record<Dispute, string> = {
  inquiry: 'Inquiry of the bank',
  open: 'Disputed',
  won: 'Dispute won',
  lost: 'Dispute lost',
}

export function DisputeBadge({ order: { dispute } }: { order: Order }) {
  if (dispute === null) return null
  return <Badge tone={dispute === 'won' ? 'success' : 'error'}>{names[dispute]}</Badge>
}

const texts: Record<Exclude<Dispute, 'won'>, string> = {
  inquiry: 'The customer’s bank asks what this payment was for. Answer it at Stripe; a full refund ends it too.',
  open: 'The customer asks the bank for this payment back. Answer it at Stripe. It cannot be refunded.',
  lost: 'The bank has given this payment back to the customer. It cannot be refunded.',
}

/** What a dispute means, and until when the shop can answer (`dueBy`, as text). */
export function DisputeNotice({ order, dueBy }: { order: Order; dueBy: string | null }) {
  const { dispute } = order
  if (dispute === null || dispute === 'won') return null
  return (
    <Notice tone="error">
      {texts[dispute]} {dueBy && `Stripe takes an answer until ${dueBy}.`}
    </Notice>
  )
}
