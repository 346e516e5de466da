import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { contactMessages, auditLog, emails, orders, refunds } from '../db/schema'
import type { Deps, Email } from './deps'
import { orderEmail } from './orders/order-emails.server'
import { orderColumns } from './orders/orders.server'

/** How long one try may take before somebody else may try, in milliseconds. */
const claimTtl = 60_000
/** After so many tries, over three days and more, a letter is given up. */
const maxAttempts = 110

/**
 * Sends what waits in the outbox, the oldest first, at most 20 letters. One that the provider does not take waits longer
 * each time, up to an hour. Several of these at once share the letters: each claims the next one in the statement that finds
 * it, and the provider knows its id.
 */
export async function deliverPendingEmails(deps: Deps): Promise<{ sent: number }> {
  const { db, now, email } = deps
  let sent = 0
  for (let tries = 0; tries < 20; tries++) {
    const id = await claimNextEmail(deps)
    if (id === null) break
    try {
      await email.send(await readEmail(deps, id))
    } catch (error) {
      // It stays in the outbox, due again when the claim has run out.
      deps.report(`mailing ${id.split(':')[0]}`, error)
      continue
    }
    // What was in it is forgotten: a mailed link must not be readable in the database.
    await db.update(emails).set({ sentAt: now(), text: '', html: '' }).where(eq(emails.id, id))
    sent += 1
  }
  return { sent }
}

/** The id of the letter that has waited longest, which nobody else tries before the claim has run out; null if none waits. */
async function claimNextEmail({ db, now }: Deps): Promise<string | null> {
  const at = now()
  const next = db
    .select({ id: emails.id })
    .from(emails)
    .where(and(isNull(emails.sentAt), lte(emails.dueAt, at), lt(emails.attempts, maxAttempts)))
    .orderBy(asc(emails.dueAt))
    .limit(1)
  const [claimed] = await db
    .update(emails)
    .set({ dueAt: sql`${at} + ${claimTtl} * (1 + min(${emails.attempts}, 59))`, attempts: sql`${emails.attempts} + 1` })
    .where(inArray(emails.id, next))
    .returning({ id: emails.id })
  return claimed?.id ?? null
}

/**
 * A letter about an order was put here by the audit log, as an empty sheet; any other letter brings its text. A visitor's message to the
 * shop is answered to its visitor.
 */
async function readEmail({ db, origin }: Deps, id: string): Promise<Email> {
  const [row] = await db
    .select({
      letter: emails,
      replyTo: contactMessages.email,
      event: auditLog.event,
      actor: auditLog.actor,
      order: orderColumns,
      refundCents: refunds.amountCents,
    })
    .from(emails)
    .leftJoin(contactMessages, eq(contactMessages.id, sql`substr(${emails.id}, length('contact:') + 1)`))
    .leftJoin(auditLog, eq(auditLog.id, emails.auditLogId))
    .leftJoin(orders, eq(orders.id, auditLog.orderId))
    .leftJoin(refunds, eq(refunds.transactionId, auditLog.note))
    .where(eq(emails.id, id))
  const { letter, replyTo, event, actor, order, refundCents } = row!
  if (event === null || actor === null || order?.id == null) return { ...letter, replyTo }
  return orderEmail(letter.id, { event, actor, order, refundCents }, origin)
}
