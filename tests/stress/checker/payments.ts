import { grouped, type Facts } from './facts'
import { payablesIn, type LedgerEntry } from './ledger'
import type { Expect } from './violation'

/** Invariants 5 to 8: an order is paid if and only if one successful payment in full was made for it. */
export function checkPayments(facts: Facts, expect: Expect): void {
  const { orders, ledger } = facts
  const succeeded = ledger.filter(({ what }) => what === 'succeeded')
  const byIntent = grouped(succeeded, ({ paymentIntent }) => paymentIntent)
  for (const [intent, times] of byIntent) {
    expect(times.length === 1, 6, `payment ${intent}`, `succeeded ${times.length} times`)
  }

  const payers = grouped(
    orders.filter((order) => order.transaction_id !== null),
    (order) => order.transaction_id!,
  )
  for (const [transaction, paid] of payers) {
    expect(paid.length === 1, 6, `payment ${transaction}`, `pays ${paid.length} orders`)
    for (const order of paid) {
      const subject = `order ${order.id}`
      const payment = byIntent.get(transaction)?.[0]
      expect(payment !== undefined, 6, subject, `paid by ${transaction}, which never succeeded`)
      if (!payment) continue
      const { amount, currency, metadata } = payment
      expect(amount === order.total_cents, 5, subject, `costs ${order.total_cents}, and ${amount} was paid`)
      expect(currency === 'usd', 6, subject, `paid in ${currency}`)
      expect(metadata.order === order.id, 6, subject, `paid by a payment made for ${metadata.order}`)
      const owner = metadata.customer ?? order.customer_id
      expect(owner === order.customer_id, 6, subject, `paid by a payment of customer ${owner}`)
    }
  }
  for (const order of orders) {
    const paid = order.state === 'paid' || order.state === 'shipped'
    const message = `${order.state} with the payment ${order.transaction_id}`
    expect(paid === (order.transaction_id !== null), 6, `order ${order.id}`, message)
  }
  if (facts.atRest) checkSucceeded(facts, succeeded, expect)
  checkPayables(facts, expect)
}

function checkSucceeded({ orders, ledger, unmatched }: Facts, succeeded: LedgerEntry[], expect: Expect): void {
  const paying = new Set(orders.map((order) => order.transaction_id))
  const states = new Map(orders.map(({ id, state }) => [id, state]))
  const back = grouped(
    ledger.filter(({ what }) => what === 'refunded'),
    ({ paymentIntent }) => paymentIntent,
  )
  for (const { paymentIntent: intent, amount, metadata } of succeeded) {
    // A payment without an order in its metadata is not the shop's: others may use the same account.
    if (paying.has(intent) || metadata.order === undefined) continue
    const owed = unmatched.find((row) => row.transaction_id === intent)
    if (owed?.refund_id === null) {
      const isLost = !states.has(metadata.order) && owed.order_id === metadata.order && owed.amount_cents === amount
      expect(isLost, 8, `payment ${intent}`, `owed as ${owed.amount_cents} for the order ${owed.order_id}`)
      continue
    }
    const refunds = back.get(intent) ?? []
    const state = states.get(metadata.order) ?? 'unknown'
    const message = `${amount} taken for the ${state} order ${metadata.order}, sent back: ${refunds.map((one) => one.amount).join(', ') || 'nothing'}`
    expect(refunds.length === 1 && refunds[0]!.amount === amount, 8, `payment ${intent}`, message)
  }
}

/** An order is payable in one place at a time. A payment that no client received cannot be paid. */
function checkPayables({ orders, attempts, ledger, history, atRest }: Facts, expect: Expect): void {
  const payableIds = history && new Set(history.payables.map(({ payable }) => payable))
  const byOrder = grouped(
    payablesIn(ledger).filter(({ id }) => !payableIds || payableIds.has(id)),
    ({ order }) => order,
  )
  for (const [order, payables] of byOrder) {
    for (const { id, from } of payables) {
      const others = payables.filter((other) => other.id !== id && other.from <= from && from < other.until)
      const message = `${id} could be paid while ${others.map((other) => other.id).join(', ')} could`
      expect(others.length === 0, 7, `order ${order}`, message)
    }
  }
  for (const { id, state } of orders) {
    if (state === 'unpaid') continue
    const open = (byOrder.get(id) ?? []).filter(({ until }) => until === Infinity)
    const message = `${state}, and ${open.map((payable) => payable.id).join(', ')} can still be paid`
    expect(open.length === 0, state === 'cancelled' ? 4 : 7, `order ${id}`, message)
  }
  const states = new Map(orders.map(({ id, state }) => [id, state]))
  const live = grouped(
    attempts.filter(({ state }) => state !== 'closed'),
    (attempt) => attempt.order_id,
  )
  for (const [order, its] of live) {
    expect(its.length === 1, 7, `order ${order}`, `${its.length} attempts that are not closed`)
    const state = states.get(order)
    const unfinished = atRest && state !== 'unpaid'
    expect(!unfinished, 15, `order ${order}`, `${state}, with an attempt that is not closed`)
  }
}
