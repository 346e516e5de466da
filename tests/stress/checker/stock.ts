import { grouped, type Facts } from './facts'
import { Findings, type Violation } from './violation'

/** Invariants 1 to 4: pieces are neither made nor lost, and nothing is sold that is not there. */
export function checkStock({ instruments, orders, auditLog, history }: Facts): Violation[] {
  const findings = new Findings()
  const auditOf = grouped(auditLog, (row) => row.instrument_id)
  const ordersOf = grouped(orders, (order) => order.instrument_id)
  for (const { id, available_quantity: available, min_quantity: minimum } of instruments) {
    const subject = `instrument ${id}`
    const rows = auditOf.get(id) ?? []
    const its = ordersOf.get(id) ?? []
    const live = sum(its.filter(({ state }) => state !== 'cancelled').map(({ quantity }) => quantity))
    const received = sum(rows.filter((row) => row.order_id === null).map((row) => row.stock_delta))
    const told = sum(rows.map((row) => row.stock_delta))
    findings.expect(available === told, 1, subject, `${available} available, and the audit log adds up to ${told}`)
    findings.expect(
      available + live === received,
      1,
      subject,
      `${available} available and ${live} in orders do not make the ${received} that came in`,
    )
    findings.expect(available >= 0, 1, subject, `${available} available`)
    findings.expect(live <= received, 2, subject, `oversold: ${live} in orders of ${received} that came in`)
    const least = leastOf(rows.map((row) => row.stock_delta))
    findings.expect(least >= 0, 1, subject, `there were ${least} at one time`)
    for (const order of its) {
      findings.expect(
        Number.isSafeInteger(order.quantity) && order.quantity >= minimum,
        3,
        `order ${order.id}`,
        `${order.quantity} pieces, and the minimum is ${minimum}`,
      )
    }
    // While there was enough for it all the time, nobody can have come too late.
    for (const refused of history?.short.filter(({ instrument }) => instrument === id) ?? []) {
      findings.expect(
        least < refused.quantity,
        2,
        subject,
        `undersold: refused ${refused.quantity} for want of pieces, and there were never fewer than ${least}`,
      )
    }
  }
  const holds = grouped(
    auditLog.filter((row) => row.order_id !== null && row.stock_delta !== 0),
    (row) => row.order_id!,
  )
  for (const { id, quantity, state, instrument_id: instrument } of orders) {
    const rows = (holds.get(id) ?? []).filter((row) => row.instrument_id === instrument)
    const moves = rows.map((row) => row.stock_delta).join(', ')
    const wanted = state === 'cancelled' ? `${-quantity}, ${quantity}` : `${-quantity}`
    findings.expect(moves === wanted, 4, `order ${id}`, `${state} with ${quantity} pieces, and it moved: ${moves}`)
  }
  return findings.violations
}

/** The lowest that a running total came to. */
function leastOf(deltas: number[]): number {
  let total = 0
  let least = Infinity
  for (const delta of deltas) least = Math.min(least, (total += delta))
  return least
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
