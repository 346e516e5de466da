import { sql } from 'drizzle-orm'
import { base32 } from './codes'

/** An event with what its link is made of. Amounts in cents, times in milliseconds since 1970. */
export interface SealedEvent {
  id: number
  at: number
  event: string
  instrumentId: string | null
  orderId: string | null
  stockDelta: number
  note: string
  submissionId: string | null
  /** Null without an order, like the next ones. */
  number: number | null
  customerId: string | null
  orderInstrumentId: string | null
  orderSubmissionId: string | null
  productName: string | null
  unitPriceCents: number | null
  quantity: number | null
  totalCents: number | null
  createdAt: number | null
  paidAt: number | null
  transactionId: string | null
  shippedAt: number | null
  cancelledAt: number | null
  /** Of the refund, or of the payment without an order, that the note names. */
  amountCents: number | null
  restock: number | null
  refundSubmissionId: string | null
  refundCreatedAt: number | null
  refundId: string | null
  refundMadeAt: number | null
}

/** For `FROM …` a table or a subquery named `event`, with the columns of the audit log. */
export const sealedColumns = sql`
  event.id, event.at, event.event, event.instrument_id AS instrumentId, event.order_id AS orderId, event.stock_delta AS stockDelta,
  event.note, event.submission_id AS submissionId, orders.number, orders.customer_id AS customerId,
  orders.instrument_id AS orderInstrumentId, orders.submission_id AS orderSubmissionId, orders.product_name AS productName,
  orders.unit_price_cents AS unitPriceCents, orders.quantity, orders.total_cents AS totalCents, orders.created_at AS createdAt,
  orders.paid_at AS paidAt, orders.transaction_id AS transactionId, orders.shipped_at AS shippedAt, orders.cancelled_at AS cancelledAt,
  coalesce(part.amount_cents, whole.amount_cents, unmatched.amount_cents) AS amountCents, part.restock,
  part.submission_id AS refundSubmissionId, coalesce(part.created_at, whole.created_at, unmatched.found_at) AS refundCreatedAt,
  coalesce(part.refund_id, whole.refund_id, unmatched.refund_id) AS refundId,
  coalesce(part.made_at, whole.made_at, unmatched.refunded_at) AS refundMadeAt`

export const sealedJoins = sql`
  LEFT JOIN orders ON orders.id = event.order_id
  LEFT JOIN order_refunds AS part ON part.id = event.about_id AND part.order_id = event.order_id
  LEFT JOIN refunds AS whole ON whole.transaction_id = event.about_id AND whole.order_id = event.order_id
  LEFT JOIN unmatched_payments AS unmatched ON unmatched.transaction_id = event.about_id AND event.order_id IS NULL`

/** What each event makes final, beside the terms of its order. Of others nothing but the row itself is in the link. */
const facts: Record<string, (event: SealedEvent) => unknown[]> = {
  'order placed': ({ note }) => [note],
  'order paid': ({ note, transactionId, paidAt }) => [note, transactionId, paidAt],
  'order shipped': ({ note, shippedAt }) => [note, shippedAt],
  'order cancelled': ({ note, cancelledAt }) => [note, cancelledAt],
  'refund owed': refund,
  'refund made': (event) => [...refund(event), event.refundId, event.refundMadeAt],
  'refund failed': refund,
  'pieces returned': refund,
  'payment without order': refund,
  'payment without order refunded': (event) => [...refund(event), event.refundId, event.refundMadeAt],
}

function refund({ note, amountCents, restock, refundSubmissionId, refundCreatedAt }: SealedEvent): unknown[] {
  return [note, amountCents, restock, refundSubmissionId, refundCreatedAt]
}

/**
 * What a link proves, as text. Nothing of it may ever change, so that the chain stays whole: no name, address, phone, email and no
 * actor (an account may be closed), no note that a person wrote, and of an order only what is final at this event (decision 35).
 */
function contentOf(event: SealedEvent): string {
  const { id, at, event: name, instrumentId, orderId, stockDelta, submissionId } = event
  const { number, customerId, orderInstrumentId, orderSubmissionId, productName } = event
  const { unitPriceCents, quantity, totalCents, createdAt } = event
  const row = [id, at, name, instrumentId, orderId, stockDelta, submissionId]
  const terms = [number, customerId, orderInstrumentId, orderSubmissionId, productName]
  const prices = [unitPriceCents, quantity, totalCents, createdAt]
  return JSON.stringify([row, orderId === null ? null : [...terms, ...prices], facts[name]?.(event) ?? null])
}

/** The hash of a link: SHA-256 of the hash before it, a line break and the content. `previous`: empty for the first one. */
export async function hashLink(previous: string, event: SealedEvent): Promise<string> {
  const text = new TextEncoder().encode(`${previous}\n${contentOf(event)}`)
  return base32(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
}
