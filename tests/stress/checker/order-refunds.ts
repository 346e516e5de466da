import { adminAt, grouped, type Facts, type OrderRefundRow } from './facts'
import type { LedgerEntry } from './ledger'
import type { Expect } from './violation'

/** Invariant 17: the refunds of an order are what an admin asked for, each made once, and together at most what was paid. */
export function checkOrderRefunds(facts: Facts, expect: Expect): void {
  const { orders, orderRefunds, ledger, auditLog, history, atRest } = facts
  const wasAdmin = adminAt(facts)
  const logOf = grouped(auditLog, ({ note, order_id: order }) => `${order} ${note}`)
  const rowsOf = grouped(orderRefunds, (refund) => refund.order_id)
  const back = grouped(
    ledger.filter(({ what }) => what === 'refunded'),
    ({ paymentIntent }) => paymentIntent,
  )
  for (const order of orders) {
    const subject = `order ${order.id}`
    const rows = rowsOf.get(order.id) ?? []
    const made = order.transaction_id === null ? [] : (back.get(order.transaction_id) ?? [])
    const counted = sum(rows.filter((row) => row.failed_at === null).map((row) => row.amount_cents))
    const returned = sum(rows.map(({ restock }) => restock))
    const paid = order.transaction_id === null ? 0 : order.total_cents
    expect(counted <= paid, 17, subject, `refunds of ${counted}, and ${paid} was paid`)
    expect(counted === order.refunded_cents, 17, subject, `${order.refunded_cents} refunded, not ${counted}`)
    expect(returned <= order.quantity, 17, subject, `${returned} of ${order.quantity} pieces went back`)
    const sameReturn = returned === order.returned_quantity
    expect(sameReturn, 17, subject, `${order.returned_quantity} pieces went back, not ${returned}`)
    const total = sum(made.map(({ amount }) => amount))
    expect(total <= paid, 17, subject, `${total} sent back of ${paid}`)
    for (const row of rows) checkRow(row, made)
    for (const { refund } of atRest ? made : []) {
      const isKnown = rows.some((row) => row.refund_id === refund)
      expect(isKnown, 17, subject, `${refund} was made, and the shop does not know it`)
    }
    if (history) checkWanted(order.id, rows, made)
  }

  function checkRow(row: OrderRefundRow, made: LedgerEntry[]): void {
    const subject = `refund ${row.id} of order ${row.order_id}`
    const { refund_id: refund, amount_cents: amount, failed_at: failedAt } = row
    const entry = made.find((one) => one.refund === refund)
    expect(refund === null || entry !== undefined, 17, subject, `${refund}, which the provider does not know`)
    expect(!entry || entry.amount === amount, 17, subject, `of ${amount}, made with ${entry?.amount}`)
    expect(!atRest || refund !== null || failedAt !== null, 17, subject, 'owed, and never made')
    const its = logOf.get(`${row.order_id} ${row.id}`) ?? []
    const count = (event: string) => its.filter((log) => log.event === event).length
    const isOwn = row.moved_by !== 'stripe'
    const owed = its.find((log) => log.event === 'refund owed')
    const isByAdmin = !isOwn || (owed !== undefined && wasAdmin(row.moved_by, owed))
    expect(isByAdmin, 17, subject, `by ${row.moved_by}, who was no admin`)
    const expected = { 'refund owed': isOwn ? 1 : 0, 'refund made': refund === null ? 0 : 1 }
    for (const [event, times] of Object.entries(expected))
      expect(count(event) === times, 17, subject, `${event} logged ${count(event)} times`)
    expect(failedAt === null || count('refund failed') === 1, 17, subject, 'failed, and not logged')
    const pieces = sum(
      its.filter((log) => log.event === 'pieces returned' && log.actor === row.moved_by).map((log) => log.stock_delta),
    )
    expect(pieces === row.restock, 17, subject, `${pieces} pieces logged of ${row.restock}`)
  }

  function checkWanted(order: string, rows: OrderRefundRow[], made: LedgerEntry[]): void {
    const subject = `order ${order}`
    const wanted = history!.refunded.filter((one) => one.order === order)
    const elsewhere = history!.refundedElsewhere.filter((one) => one.order === order)
    for (const [submission, times] of grouped(wanted, (one) => one.submission)) {
      const stored = rows.filter((row) => row.submission_id === submission)
      const isSure = times.some((one) => one.isSure)
      const { amount, restock } = times[0]!
      expect(stored.length <= 1, 14, subject, `${submission} made ${stored.length} refunds`)
      expect(!isSure || stored.length === 1, 13, subject, `the refund ${submission} was acknowledged, and lost`)
      const same = stored.every((row) => row.amount_cents === amount && row.restock === restock)
      expect(same, 13, subject, `the refund ${submission} is not what was asked for`)
    }
    const submissions = new Set(wanted.map(({ submission }) => submission))
    const uninvited = rows.filter((row) => !submissions.has(row.submission_id))
    const expected = (amounts: number[]) => amounts.sort((one, other) => one - other).join(', ')
    const found = expected(uninvited.map((row) => row.amount_cents))
    const real = expected(elsewhere.map(({ amount }) => amount))
    const message = `refunds of ${found || 'nothing'} that no admin asked for, and ${real || 'nothing'} was refunded elsewhere`
    expect(found === real || (!atRest && uninvited.length <= elsewhere.length), 17, subject, message)
    const most = submissions.size + elsewhere.length
    expect(made.length <= most, 17, subject, `${made.length} refunds made, and ${most} asked for`)
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
