import { grouped, type Facts } from './facts'
import type { DeliveredEmail } from './ledger'
import type { Expect } from './violation'

const subjects: Record<string, string> = {
  'order placed': 'Your order: ',
  'order paid': 'Receipt: ',
  'order shipped': 'On its way: ',
  'order cancelled': 'Cancelled: ',
  'refund made': 'Refund: ',
}
/** To the shop. */
const shopSubjects: Record<string, string> = { 'shop order': 'New order: ', 'low stock': 'Low stock: ' }
/** Their one email says it all, or there is nobody to write to. */
const silentActors = ['account recovery', 'account closed']
/** Also to a customer who is not verified (R52). */
const afterPayment = ['order paid', 'order shipped', 'refund made']
const allSubjects = { ...subjects, ...shopSubjects }
/** Of orders that were placed in German. */
const germanSubjects: Record<string, string> = {
  'order placed': 'Ihre Bestellung: ',
  'order paid': 'Quittung: ',
  'order shipped': 'Unterwegs: ',
  'order cancelled': 'Storniert: ',
  'refund made': 'Erstattung: ',
  'hold ends': 'Noch nicht bezahlt: ',
}
/** Before the hold of an unpaid order ends. */
const reminder = { 'hold ends': 'Not paid yet: ' }

/**
 * Invariant 16: one email for each event of an order, before its payment to verified customers only, delivered once, and none for what did not
 * happen; a receipt as often as its customer asks for it, and at most one before its hold ends. To the shop: one for each paid order while it wants them, and for each time that a stock falls to its threshold.
 */
export function checkEmails(facts: Facts, expect: Expect): void {
  const { auditLog, orders, emails, deliveredEmails, atRest } = facts
  const events = auditLog.filter(
    (row) =>
      row.order_id !== null &&
      row.event in subjects &&
      (row.is_verified || afterPayment.includes(row.event)) &&
      !silentActors.includes(row.actor),
  )
  const due = new Map(
    events.map(({ at, event, order_id: order, note }) => [
      `${event}:${order}${event === 'refund made' ? `:${note}` : ''}`,
      at,
    ]),
  )
  for (const [id, at] of [...ordersForShop(auditLog), ...lowStock(facts)]) due.set(id, at)
  const about = emails.filter(({ id }) => Object.hasOwn(allSubjects, id.split(':')[0]!))
  const again = emails.filter(({ id }) => id.startsWith('receipt again:'))
  const reminders = emails.filter(({ id }) => id.startsWith('hold ends:'))
  const eventIds = new Set(about.map(({ id }) => id))
  // Undeliverable emails are deleted after 90 days.
  const isForgotten = (at: number) => at < Date.now() - 90 * 24 * 60 * 60 * 1000
  // Of a closed account, and not paid, or long ago.
  const erased = new Set(orders.filter((order) => order.customer_email === 'closed account').map(({ id }) => id))
  const isErased = (emailId: string) => erased.has(emailId.split(':')[1]!)
  for (const [id, at] of due)
    expect(eventIds.has(id) || isForgotten(at) || isErased(id), 16, `email ${id}`, 'was never written')
  for (const id of eventIds) expect(due.has(id), 16, `email ${id}`, 'reports what did not happen')

  for (const { id } of again) expect(due.has(subjectOf(id)), 16, `email ${id}`, 'repeats a receipt that was never due')

  const held = new Set(orders.filter((order) => order.hold_until !== null).map(({ id }) => `hold ends:${id}`))
  for (const { id } of reminders) expect(held.has(id), 16, `email ${id}`, 'is about the end of no hold')

  const cancelled = new Set(orders.filter(({ state }) => state === 'cancelled').map(({ id }) => id))
  const idOf = new Map(orders.map(({ id, number }) => [`C-${number}`, id]))
  const delivered = grouped(deliveredEmails, (email) => eventOf(email, idOf))
  const all = [...about, ...again, ...reminders]
  const its = grouped(all, ({ id }) => subjectOf(id))
  for (const { id, kind } of all) expect(kind === id.split(':')[0], 16, `email ${id}`, `has the kind ${kind}`)
  for (const [what, rows] of its) {
    const times = delivered.get(what)?.length ?? 0
    const sentCount = rows.filter((email) => email.sent_at !== null).length
    const subject = `email ${what}`
    // The email about the cancellation or the payment may have overtaken this one.
    const isObsolete =
      isErased(what) ||
      what.startsWith('hold ends:') ||
      (what.startsWith('order placed:') && cancelled.has(what.split(':')[1]!))
    expect(times >= sentCount || isObsolete, 16, subject, `${sentCount} marked as sent, and ${times} were delivered`)
    expect(times <= rows.length, 16, subject, `${rows.length} written, and ${times} were delivered`)
    expect(!atRest || sentCount === rows.length, 16, subject, `${rows.length - sentCount} never sent`)
    // The recipient of a sent email is forgotten after 90 days.
    const written = rows
      .map(({ recipient }) => recipient)
      .filter((recipient) => recipient !== '' && recipient !== 'shop')
    const recipients = new Set([...written, ...(delivered.get(what) ?? []).map(toOf)])
    expect(recipients.size <= 1, 16, subject, `goes to ${[...recipients].join(', ')}`)
  }
  for (const [what, messages] of delivered) {
    const isExpected = what === null || its.has(what)
    expect(isExpected, 16, `email ${what}`, `delivered ${messages.length} times, and never written`)
  }
}

/** What an email is about: a receipt that its customer asked for again is one more of that payment. */
function subjectOf(id: string): string {
  return id
    .replace(/^receipt again:/, 'order paid:')
    .split(':')
    .slice(0, 2)
    .join(':')
}

function ordersForShop(auditLog: Facts['auditLog']): [id: string, at: number][] {
  let wantsEach = false
  return auditLog.flatMap(({ event, note, order_id: order, at }): [string, number][] => {
    // The choice of another kind begins with its name.
    const chosen = event === 'shop emails changed' ? /^\w+ → (\w+)/.exec(note)?.[1] : undefined
    if (chosen) wantsEach = chosen === 'each'
    return event === 'order paid' && wantsEach ? [[`shop order:${order}`, at]] : []
  })
}

/** The thresholds of those times are not known, so today's must have held. */
function lowStock({ auditLog, instruments }: Facts): [id: string, at: number][] {
  const left = new Map<string, number>()
  const thresholds = new Map(instruments.map(({ id, low_stock_threshold: threshold }) => [id, threshold]))
  let isWanted = true
  return auditLog.flatMap(
    ({ id, at, event, note, instrument_id: instrument, stock_delta: delta }): [string, number][] => {
      const chosen = event === 'shop emails changed' ? /low stock \w+ → (\w+)/.exec(note)?.[1] : undefined
      if (chosen) isWanted = chosen === 'each'
      if (instrument === null || delta === 0) return []
      const before = left.get(instrument) ?? 0
      left.set(instrument, before + delta)
      const threshold = thresholds.get(instrument) ?? -1
      return isWanted && before > threshold && before + delta <= threshold
        ? [[`low stock:${instrument}:${id}`, at]]
        : []
    },
  )
}

function eventOf({ subject, text }: DeliveredEmail, idOf: Map<string, string>): string | null {
  const subjectsOf = [allSubjects, reminder, germanSubjects].flatMap((each) => Object.entries<string>(each))
  const [event] = subjectsOf.find(([, begins]) => subject.startsWith(begins)) ?? []
  const product = /\/manageProduct\/(\S+)$/m.exec(text ?? '')?.[1]
  if (event === 'low stock') return `${event}:${product}`
  const order = /^(?:Order|Bestellung): (\S+)$/m.exec(text ?? '')?.[1]
  return event && order ? `${event}:${idOf.get(order) ?? order}` : null
}

function toOf({ to }: DeliveredEmail): string {
  return to
}
