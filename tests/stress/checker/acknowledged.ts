import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/** Invariants 13 and 14: acknowledged orders stay as they were, and a retry is the same order. */
export function checkAcknowledged({ orders, ledger, history }: Facts, expect: Expect): void {
  if (!history) return
  const byId = new Map(orders.map((order) => [order.id, order]))
  const bySubmission = new Map(orders.map((order) => [`${order.customer_id} ${order.submission_id}`, order]))
  for (const placed of history.ordered) {
    const order = placed.order === null ? bySubmission.get(submissionOf(placed)) : byId.get(placed.order)
    const subject = `order ${placed.order ?? `of ${submissionOf(placed)}`}`
    expect(order !== undefined, 13, subject, 'acknowledged, and lost')
    if (!order) continue
    const same =
      order.customer_id === placed.customer &&
      order.instrument_id === placed.instrument &&
      order.quantity === placed.quantity &&
      order.submission_id === placed.submission
    expect(same, 13, subject, 'acknowledged with other values')
    // What a code has lowered: see checkDiscounts.
    const usual = order.unit_price_cents + (order.discount_cents ?? 0) / order.quantity
    const price = placed.shownPrice ?? usual
    expect(price === usual, 5, subject, `shown at ${price}, ordered at ${usual}`)
    const code = placed.code ?? null
    expect([null, code].includes(order.discount_code), 19, subject, `sent with ${code}, has ${order.discount_code}`)
  }
  for (const [submission, entries] of grouped(history.ordered, submissionOf)) {
    const ids = new Set(entries.map(({ order }) => order).filter((id) => id !== null))
    expect(ids.size <= 1, 14, `submission ${submission}`, `acknowledged as ${ids.size} orders`)
  }
  const submissions = new Set([...history.ordered, ...history.unsure].map(submissionOf))
  for (const order of submissions.size > 0 ? orders : []) {
    const isRequested = submissions.has(`${order.customer_id} ${order.submission_id}`)
    expect(isRequested, 14, `order ${order.id}`, 'never requested by a client')
  }

  const stateOf = (id: string) => byId.get(id)?.state ?? 'missing'
  for (const { order, transaction } of history.paid) {
    const state = stateOf(order)
    expect(state === 'paid' || state === 'shipped', 13, `order ${order}`, `acknowledged as paid, and is ${state}`)
    const by = byId.get(order)?.transaction_id
    const same = transaction === null || transaction === by
    expect(same, 13, `order ${order}`, `acknowledged as paid by ${transaction}, and it was ${by}`)
  }
  for (const { order } of history.cancelled) {
    const state = stateOf(order)
    expect(state === 'cancelled', 13, `order ${order}`, `acknowledged as cancelled, and is ${state}`)
  }
  for (const { order } of history.shipped) {
    const state = stateOf(order)
    expect(state === 'shipped', 13, `order ${order}`, `acknowledged as shipped, and is ${state}`)
  }
  const payables = new Set(ledger.flatMap((entry) => [entry.checkoutSession, entry.paymentIntent]))
  for (const { order, payable } of history.payables) {
    expect(payables.has(payable), 13, `order ${order}`, `received ${payable}, which the provider does not know`)
  }
  for (const { what } of history.forgedEvents) expect(false, 11, 'a forged event', `accepted: ${what}`)
}

function submissionOf({ customer, submission }: { customer: string; submission: string }): string {
  return `${customer} ${submission}`
}
