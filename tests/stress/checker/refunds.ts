import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/** Invariant 9, for payments that pay for nothing: a refund returns money that was received, once, and both ledgers record it. */
export function checkRefunds({ refunds, ledger, auditLog, orders, unmatched, atRest }: Facts, expect: Expect): void {
  const received = new Map(
    ledger.filter(({ what }) => what === 'succeeded').map((entry) => [entry.paymentIntent, entry.amount]),
  )
  const back = grouped(
    ledger.filter(({ what }) => what === 'refunded'),
    ({ paymentIntent }) => paymentIntent,
  )
  const owed = new Map(refunds.map((refund) => [refund.transaction_id, refund]))
  const paying = new Set(orders.map((order) => order.transaction_id))
  for (const [intent, made] of back) {
    if (paying.has(intent)) continue
    const subject = `payment ${intent}`
    const total = made.reduce((sum, { amount }) => sum + amount, 0)
    expect(made.length === 1, 9, subject, `refunded ${made.length} times`)
    expect(total <= (received.get(intent) ?? 0), 9, subject, `${total} refunded of ${received.get(intent)}`)
    const isOwed = owed.has(intent ?? '') || unmatched.some((row) => row.transaction_id === intent) || !atRest
    expect(isOwed, 9, subject, 'refunded without a reason in the shop')
  }
  const auditByPayment = grouped(
    auditLog.filter(({ event }) => event.startsWith('refund ')),
    (row) => row.note,
  )
  for (const { transaction_id: transaction, order_id: order, amount_cents: amount, refund_id: refund } of refunds) {
    const subject = `refund of ${transaction}`
    expect(amount === received.get(transaction), 9, subject, `${amount} of ${received.get(transaction)}`)
    const made = back.get(transaction)?.some((entry) => entry.refund === refund) ?? false
    expect(refund === null || made, 9, subject, `made as ${refund}, which the provider does not know`)
    expect(refund !== null || !atRest, 8, subject, 'owed, and never made')
    expect(!paying.has(transaction), 9, subject, 'owed for a payment that pays an order')
    const count = (event: string) =>
      (auditByPayment.get(transaction) ?? []).filter((row) => row.event === event && row.order_id === order).length
    const owedTimes = count('refund owed')
    expect(owedTimes === 1, 9, subject, `logged as owed ${owedTimes} times`)
    const madeTimes = count('refund made')
    expect(madeTimes === (refund === null ? 0 : 1), 9, subject, `logged as made ${madeTimes} times`)
  }
}
