import { grouped, type Facts } from './facts'
import type { Expect } from './violation'

/** Invariant 18: each paid order has one invoice, each refund that was made one credit note, and their numbers have neither gap nor double. */
export function checkInvoices(
  { orders, orderRefunds, auditLog, invoices, creditNotes, invoicesAfter }: Facts,
  expect: Expect,
): void {
  for (const [what, papers] of [
    ['invoice', invoices],
    ['credit note', creditNotes],
  ] as const) {
    for (const [series, rows] of grouped<{ series: number; number: number }, number>(papers, (row) => row.series)) {
      const numbers = rows.map(({ number }) => number).sort((one, other) => one - other)
      const first = numbers.findIndex((number, index) => number !== index + 1)
      const subject = `series ${series} of ${what}s`
      expect(first < 0, 18, subject, `the number at place ${first + 1} of ${numbers.length} is ${numbers[first]}`)
    }
  }

  const paidAt = new Map(auditLog.filter(({ event }) => event === 'order paid').map((row) => [row.order_id, row]))
  const invoicesOf = grouped(invoices, (invoice) => invoice.order_id)
  const notesOf = grouped(creditNotes, (note) => note.order_refund_id)
  const refundsOf = grouped(orderRefunds, (refund) => refund.order_id)
  for (const order of orders) {
    const subject = `order ${order.id}`
    const own = invoicesOf.get(order.id) ?? []
    const isPaid = order.transaction_id !== null
    const isEarlier = (paidAt.get(order.id)?.id ?? Infinity) <= invoicesAfter
    const expected = isPaid && !isEarlier ? 1 : 0
    expect(own.length === expected, 18, subject, `${order.state}, with ${own.length} invoices, not ${expected}`)
    const [invoice] = own
    if (!invoice) continue
    expect(invoice.issued_at === order.paid_at, 18, subject, 'the invoice is not of the time of the payment')
    let credited = 0
    let given = 0
    for (const refund of refundsOf.get(order.id) ?? []) {
      const isMade = refund.refund_id !== null
      const notes = notesOf.get(refund.id) ?? []
      const shape = (rows: typeof notes) =>
        rows
          .map(({ is_reversal: isReversal, amount_cents: cents }) => `${isReversal} ${cents}`)
          .sort()
          .join(', ')
      const wanted = [
        ...(isMade ? [`0 ${refund.amount_cents}`] : []),
        ...(isMade && refund.failed_at !== null ? [`1 ${-refund.amount_cents}`] : []),
      ].join(', ')
      expect(shape(notes) === wanted, 18, `refund ${refund.id}`, `credit notes: ${shape(notes)}, not: ${wanted}`)
      credited += notes.reduce((sum, note) => sum + note.amount_cents, 0)
      if (isMade && refund.failed_at === null) given += refund.amount_cents
    }
    expect(credited === given, 18, subject, `${credited} credited, and ${given} given back`)
    expect(credited <= order.total_cents, 18, subject, `${credited} credited of ${order.total_cents}`)
  }
  const known = new Set(orders.filter(({ id }) => invoicesOf.has(id)).map(({ id }) => id))
  const refundIds = new Map(orderRefunds.map((refund) => [refund.id, refund.order_id]))
  for (const note of creditNotes) {
    const isOwn = known.has(note.order_id) && refundIds.get(note.order_refund_id) === note.order_id
    expect(isOwn, 18, `credit note ${note.series}-${note.number}`, 'of no refund of an order with an invoice')
  }
}
