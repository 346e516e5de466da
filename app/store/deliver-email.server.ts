import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { contactMessages, journal, mails, orders, refunds } from '../db/schema'
import type { Deps, Letter } from './deps'
import { orderLetter } from './orders/order-emails.server'
import { shown } from './orders/orders.server'

/** How long one try may take before somebody else may try, in milliseconds. */
const claim = 60_000
/** After so many tries, over three days and more, a letter is given up. */
const mostAttempts = 110

/**
 * Sends what waits in the outbox, the oldest first, at most 20 letters. One that the provider does not take waits longer
 * each time, up to an hour. Several of these at once share the letters: each claims the next one in the statement that finds
 * it, and the provider knows its id.
 */
export async function sendWaitingMail(
  deps: Deps,
): Promise<{ sent: number }> {
  const { db, now, mail } = deps
  let sent = 0
  for (let tries = 0; tries < 20; tries++) {
    const id = await claimNext(deps)
    if (id === null) break
    try {
      await mail.send(await readLetter(deps, id))
    } catch (error) {
      // It stays in the outbox, due again when the claim has run out.
      deps.report(`mailing ${id.split(':')[0]}`, error)
      continue
    }
    // What was in it is forgotten: a mailed link must not be readable in the database.
    await db.update(mails).set({ sentAt: now(), text: '', html: '' }).where(eq(mails.id, id))
    sent += 1
  }
  return { sent }
}

/** The id of the letter that has waited longest, which nobody else tries before the claim has run out; null if none waits. */
async function claimNext({ db, now }: Deps): Promise<string | null> {
  const at = now()
  const next = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), lte(mails.dueAt, at), lt(mails.attempts, mostAttempts)))
    .orderBy(asc(mails.dueAt))
    .limit(1)
  const [claimed] = await db
    .update(mails)
    .set({ dueAt: sql`${at} + ${claim} * (1 + min(${mails.attempts}, 59))`, attempts: sql`${mails.attempts} + 1` })
    .where(inArray(mails.id, next))
    .returning({ id: mails.id })
  return claimed?.id ?? null
}

/**
 * A letter about an order was put here by the journal, as an empty sheet; any other letter brings its text. A visitor's message to the
 * shop is answered to its visitor.
 */
async function readLetter({ db, origin }: Deps, id: string): Promise<Letter> {
  const [row] = await db
    .select({
      letter: mails,
      replyTo: contactMessages.email,
      event: journal.event,
      actor: journal.actor,
      order: shown,
      refundCents: refunds.amountCents,
    })
    .from(mails)
    .leftJoin(contactMessages, eq(contactMessages.id, sql`substr(${mails.id}, length('contact:') + 1)`))
    .leftJoin(journal, eq(journal.id, mails.journalId))
    .leftJoin(orders, eq(orders.id, journal.orderId))
    .leftJoin(refunds, eq(refunds.transactionId, journal.note))
    .where(eq(mails.id, id))
  const { letter, replyTo, event, actor, order, refundCents } = row!
  if (event === null || actor === null || order?.id == null) return { ...letter, replyTo }
  return orderLetter(letter.id, { event, actor, order, refundCents }, origin)
}
