import { grouped, type Facts } from './facts'
import { Findings, type Violation } from './violation'

/** Invariants 13 and 14: what a client was told is so, for good; and asking again is the same thing. */
export function checkAcknowledged({ orders, ledger, history }: Facts): Violation[] {
  if (!history) return []
  const findings = new Findings()
  const byId = new Map(orders.map((order) => [order.id, order]))
  const bySubmission = new Map(orders.map((order) => [`${order.customer_id} ${order.submission_id}`, order]))
  for (const known of history.ordered) {
    const order = known.order === null ? bySubmission.get(submissionOf(known)) : byId.get(known.order)
    const subject = `order ${known.order ?? `of ${submissionOf(known)}`}`
    findings.expect(order !== undefined, 13, subject, 'acknowledged, and lost')
    if (!order) continue
    const same =
      order.customer_id === known.customer &&
      order.instrument_id === known.instrument &&
      order.quantity === known.quantity &&
      order.submission_id === known.submission
    findings.expect(same, 13, subject, 'acknowledged otherwise than it is')
    const price = known.shown ?? order.unit_price_cents
    findings.expect(
      price === order.unit_price_cents,
      5,
      subject,
      `shown at ${price}, ordered at ${order.unit_price_cents}`,
    )
  }
  for (const [submission, known] of grouped(history.ordered, submissionOf)) {
    const ids = new Set(known.map(({ order }) => order).filter((id) => id !== null))
    findings.expect(ids.size <= 1, 14, `submission ${submission}`, `acknowledged as ${ids.size} orders`)
  }
  const asked = new Set([...history.ordered, ...history.unsure].map(submissionOf))
  for (const order of asked.size > 0 ? orders : []) {
    const wanted = asked.has(`${order.customer_id} ${order.submission_id}`)
    findings.expect(wanted, 14, `order ${order.id}`, 'nobody was told of it, and nobody waits for an answer')
  }

  const stateOf = (id: string) => byId.get(id)?.state ?? 'missing'
  for (const { order, transaction } of history.paid) {
    const state = stateOf(order)
    findings.expect(state === 'paid' || state === 'shipped', 13, `order ${order}`, `told as paid, and is ${state}`)
    const by = byId.get(order)?.transaction_id
    const same = transaction === null || transaction === by
    findings.expect(same, 13, `order ${order}`, `told as paid by ${transaction}, and it was ${by}`)
  }
  for (const { order } of history.cancelled) {
    const state = stateOf(order)
    findings.expect(state === 'cancelled', 13, `order ${order}`, `told as cancelled, and is ${state}`)
  }
  for (const { order } of history.shipped) {
    const state = stateOf(order)
    findings.expect(state === 'shipped', 13, `order ${order}`, `told as shipped, and is ${state}`)
  }
  const payables = new Set(ledger.flatMap((entry) => [entry.checkoutSession, entry.paymentIntent]))
  for (const { order, payable } of history.given) {
    findings.expect(
      payables.has(payable),
      13,
      `order ${order}`,
      `given ${payable} to pay at, which the provider does not know`,
    )
  }
  for (const { what } of history.forged) findings.expect(false, 11, 'a forged event', `accepted: ${what}`)
  return findings.violations
}

function submissionOf({ customer, submission }: { customer: string; submission: string }): string {
  return `${customer} ${submission}`
}
