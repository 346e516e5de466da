import { createHash } from 'node:crypto'
import type { AuditRow, Facts } from './facts'
import type { Expect } from './violation'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Invariant 18: each event has one link, in the order of the events, and each link the hash of what it proves and of the one before. */
export function checkChain(facts: Facts, expect: Expect): void {
  const { chain, auditLog, atRest } = facts
  const textOf = contentOf(facts)
  let previous = ''
  for (const [index, link] of chain.entries()) {
    const subject = `link ${link.position}`
    expect(link.position === index + 1, 18, subject, `stands at ${index + 1}: a fork or a gap`)
    const event = auditLog[index]
    expect(event?.id === link.event_id, 18, subject, `has event ${link.event_id} and not ${event?.id}`)
    if (event?.id !== link.event_id) break
    const hash = encode(
      createHash('sha256')
        .update(`${previous}\n${textOf(event)}`)
        .digest(),
    )
    expect(link.hash === hash, 18, subject, `its hash is not that of ${previous} and ${textOf(event)}`)
    const code = event.event === 'order paid' ? link.hash.slice(0, 25) : null
    expect(link.code === code, 18, subject, `has the code ${link.code}`)
    previous = link.hash
  }
  const left = auditLog.length - chain.length
  expect(!atRest || left === 0, 18, 'the chain', `${left} events have no link`)
}

/** As decision 35 writes it. */
function contentOf({ orders, orderRefunds, refunds, unmatched }: Facts): (event: AuditRow) => string {
  const orderBy = new Map(orders.map((order) => [order.id, order]))
  const refundBy = new Map<string, unknown[]>([
    ...unmatched.map((row): [string, unknown[]] => [
      ` ${row.transaction_id}`,
      [row.amount_cents, null, null, row.found_at, row.refund_id, row.refunded_at],
    ]),
    ...refunds.map((row): [string, unknown[]] => [
      `${row.order_id} ${row.transaction_id}`,
      [row.amount_cents, null, null, row.created_at, row.refund_id, row.made_at],
    ]),
    ...orderRefunds.map((row): [string, unknown[]] => [
      `${row.order_id} ${row.id}`,
      [row.amount_cents, row.restock, row.submission_id, row.created_at, row.refund_id, row.made_at],
    ]),
  ])
  return (event) => {
    const { id, at, event: name, instrument_id: instrument, order_id: orderId, note } = event
    const order = orderBy.get(orderId ?? '')
    const terms = order && [
      ...[order.number, order.customer_id, order.instrument_id, order.submission_id, order.product_name],
      ...[order.unit_price_cents, order.quantity, order.total_cents, order.created_at],
    ]
    const refund = refundBy.get(`${orderId ?? ''} ${note}`) ?? []
    const isRefund = name.startsWith('refund ') || name.startsWith('payment without') || name === 'pieces returned'
    const isMade = name === 'refund made' || name === 'payment without order refunded'
    const ofOrder: Record<string, unknown[]> = {
      'order placed': [note],
      'order paid': [note, order?.transaction_id, order?.paid_at],
      'order shipped': [note, order?.shipped_at],
      'order cancelled': [note, order?.cancelled_at],
    }
    const fact = isRefund ? [note, ...refund.slice(0, isMade ? 6 : 4)] : (ofOrder[name] ?? null)
    const row = [id, at, name, instrument, orderId, event.stock_delta, event.submission_id]
    return JSON.stringify([row, terms ?? null, fact])
  }
}

/** Base32, five bits a digit, the last one filled up with zeros. */
function encode(hash: Buffer): string {
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => digits[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
