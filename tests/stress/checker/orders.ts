import { grouped, shipperAt, type Facts, type OrderRow } from './facts'
import { priceAt } from './history'
import type { Expect } from './violation'

const lives: Record<OrderRow['state'], string> = {
  unpaid: 'order placed',
  paid: 'order placed, order paid',
  shipped: 'order placed, order paid, order shipped',
  cancelled: 'order placed, order cancelled',
}

const events = new Set(Object.values(lives).flatMap((life) => life.split(', ')))

/** Invariants 5, 10, 14 and 15: totals, state order, one order for each submission, no partial writes. */
export function checkOrders(facts: Facts, expect: Expect): void {
  const { orders, auditLog, integrityErrors, history } = facts
  const wasShipper = shipperAt(facts)
  const auditByOrder = grouped(
    auditLog.filter((row) => events.has(row.event)),
    (row) => row.order_id,
  )
  for (const order of orders) {
    const subject = `order ${order.id}`
    expect(order.number > 1000, 15, subject, `has the number ${order.number}`)
    const { unit_price_cents: price, quantity, total_cents: total, state } = order
    expect(total === price * quantity, 5, subject, `${quantity} at ${price} do not make ${total}`)
    const { created_at: at } = order
    const lists = history?.listsAt(order.instrument_id, at)
    // An offer's price: see checkQuotes.
    const usual = price + (order.discount_cents ?? 0) / quantity
    const real = order.quote_id !== null || !lists || lists.some((list) => priceAt(list, quantity, at) === usual)
    expect(real, 5, subject, `${quantity} ordered at ${usual}, which was not their price then`)

    const rows = auditByOrder.get(order.id) ?? []
    const life = rows.map(({ event }) => event).join(', ')
    expect(life === lives[state], 10, subject, `${state} after: ${life}`)
    const dated =
      (order.paid_at !== null) === (state === 'paid' || state === 'shipped') &&
      (order.shipped_at !== null) === (state === 'shipped') &&
      (order.cancelled_at !== null) === (state === 'cancelled')
    expect(dated, 10, subject, `${state}, and its dates say otherwise`)
    for (const row of rows) {
      const { event, actor, note } = row
      if (event === 'order paid') {
        expect(note === order.transaction_id, 10, subject, `paid by ${order.transaction_id}, logged as ${note}`)
      }
      if (event === 'order shipped') expect(wasShipper(actor, row), 10, subject, `shipped by ${actor}, who may not`)
    }
  }
  const there = new Set<string | null>(orders.map(({ id }) => id))
  for (const order of auditByOrder.keys()) {
    expect(there.has(order), 15, `order ${order}`, 'in the audit log, and nowhere else')
  }
  for (const [submission, made] of grouped(orders, (order) => `${order.customer_id} ${order.submission_id}`)) {
    expect(made.length === 1, 14, `submission ${submission}`, `made ${made.length} orders`)
  }
  for (const row of integrityErrors) expect(false, 15, 'the database', JSON.stringify(row))
}
