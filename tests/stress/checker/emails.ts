import { grouped, type Facts } from './facts'
import type { SentMail } from './ledger'
import { Findings, type Violation } from './violation'

/** Which events of the audit log the customer is told of by mail, and how the subject of that letter begins. */
const subjects: Record<string, string> = {
  'order placed': 'Your order: ',
  'order paid': 'Receipt: ',
  'order shipped': 'On its way: ',
  'order cancelled': 'Cancelled: ',
  'refund made': 'Refund: ',
}

/** Invariant 16: one letter an event and order, none for what did not happen, each delivered once. */
export function checkLetters({ auditLog, letters, mails, settled }: Facts): Violation[] {
  const findings = new Findings()
  const events = auditLog.filter((row) => row.order_id !== null && row.event in subjects)
  const due = new Set(
    events.map(({ event, order_id: order, note }) => `${event}:${order}${event === 'refund made' ? `:${note}` : ''}`),
  )
  const about = letters.filter(({ id }) => Object.hasOwn(subjects, id.split(':')[0]!))
  const written = new Set(about.map(({ id }) => id))
  for (const id of due) findings.expect(written.has(id), 16, `letter ${id}`, 'was never written')
  for (const id of written) findings.expect(due.has(id), 16, `letter ${id}`, 'tells of what did not happen')

  const delivered = grouped(mails, toldIn)
  const its = grouped(about, ({ id }) => id.split(':').slice(0, 2).join(':'))
  for (const [what, kept] of its) {
    const times = delivered.get(what)?.length ?? 0
    const sent = kept.filter((letter) => letter.sent_at !== null).length
    const subject = `letter ${what}`
    findings.expect(times >= sent, 16, subject, `${sent} marked as sent, and ${times} were delivered`)
    findings.expect(times <= kept.length, 16, subject, `${kept.length} written, and ${times} were delivered`)
    findings.expect(!settled || sent === kept.length, 16, subject, `${kept.length - sent} wait for ever`)
    const recipients = new Set([...kept.map(({ recipient }) => recipient), ...(delivered.get(what) ?? []).map(toOf)])
    findings.expect(recipients.size === 1, 16, subject, `goes to ${[...recipients].join(', ')}`)
  }
  for (const [what, copies] of delivered) {
    const known = what === null || its.has(what)
    findings.expect(known, 16, `letter ${what}`, `delivered ${copies.length} times, and never written`)
  }
  return findings.violations
}

/** `order paid:<order>`, of the letter that tells of it; null of one that is about no order. */
function toldIn({ subject, text }: SentMail): string | null {
  const [event] = Object.entries(subjects).find(([, begins]) => subject.startsWith(begins)) ?? []
  const order = /^Order: (\S+)$/m.exec(text ?? '')?.[1]
  return event && order ? `${event}:${order}` : null
}

function toOf({ to }: SentMail): string {
  return to
}
