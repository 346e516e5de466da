import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/** Invariants 1 to 4: stock is neither created nor lost, and nothing out of stock is sold. */
export function checkStock({ instruments, orders, orderRefunds, auditLog, history }: Facts, expect: Expect): void {
  const auditOf = grouped(auditLog, (row) => row.instrument_id)
  const ordersOf = grouped(orders, (order) => order.instrument_id)
  for (const { id, available_quantity: available, min_quantity: minimum } of instruments) {
    const subject = `instrument ${id}`
    const rows = auditOf.get(id) ?? []
    const its = ordersOf.get(id) ?? []
    const sold = its.filter(({ state }) => state !== 'cancelled')
    const live = sum(sold.map(({ quantity, returned_quantity: returned }) => quantity - returned))
    const received = sum(rows.filter((row) => row.order_id === null).map((row) => row.stock_delta))
    const auditTotal = sum(rows.map((row) => row.stock_delta))
    expect(available === auditTotal, 1, subject, `${available} available, and the audit log adds up to ${auditTotal}`)
    expect(
      available + live === received,
      1,
      subject,
      `${available} available and ${live} in orders do not make the ${received} that came in`,
    )
    expect(available >= 0, 1, subject, `${available} available`)
    expect(live <= received, 2, subject, `oversold: ${live} in orders of ${received} that came in`)
    const min = minOf(rows.map((row) => row.stock_delta))
    expect(min >= 0, 1, subject, `there were ${min} at one time`)
    for (const order of its) {
      expect(
        Number.isSafeInteger(order.quantity) && order.quantity >= minimum,
        3,
        `order ${order.id}`,
        `${order.quantity} pieces, and the minimum is ${minimum}`,
      )
    }
    // Stock that was sufficient throughout cannot have caused a refusal.
    for (const refused of history?.short.filter(({ instrument }) => instrument === id) ?? []) {
      expect(
        min < refused.quantity,
        2,
        subject,
        `undersold: refused ${refused.quantity} for want of pieces, and there were never fewer than ${min}`,
      )
    }
  }
  const holds = grouped(
    auditLog.filter((row) => row.order_id !== null && row.stock_delta !== 0),
    (row) => row.order_id!,
  )
  const refundsOf = grouped(orderRefunds, (refund) => refund.order_id)
  for (const { id, quantity, state, instrument_id: instrument } of orders) {
    const rows = (holds.get(id) ?? []).filter((row) => row.instrument_id === instrument)
    const moves = rows.map((row) => row.stock_delta).join(', ')
    const returns = (refundsOf.get(id) ?? []).map(({ restock }) => restock).filter((pieces) => pieces > 0)
    const expected = [-quantity, ...(state === 'cancelled' ? [quantity] : returns)].join(', ')
    expect(moves === expected, 4, `order ${id}`, `${state} with ${quantity} pieces, and it moved: ${moves}`)
  }
}

function minOf(deltas: number[]): number {
  let total = 0
  let min = Infinity
  for (const delta of deltas) min = Math.min(min, (total += delta))
  return min
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
