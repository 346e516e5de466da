import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { mails } from '../db/schema'
import type { Deps, Letter } from './deps'

/** How long one try may take before somebody else may try, in milliseconds. */
const claim = 60_000
/** After so many tries, over two days and more, a letter is given up. */
const mostAttempts = 60

/** The statement that puts a letter into the outbox, for the batch that makes what it tells of true. */
export function queueMail({ db, now }: Pick<Deps, 'db' | 'now'>, letter: Letter) {
  const at = now()
  return db
    .insert(mails)
    .values({ ...letter, createdAt: at, dueAt: at })
    .onConflictDoNothing()
}

/**
 * Sends what waits in the outbox, the oldest first, at most 20 letters. One that the provider does not take waits longer
 * each time, up to an hour. Two of these at once do not send a letter twice: each claims it first, and the provider
 * knows its id.
 */
export async function sendWaitingMail({ db, now, mail }: Pick<Deps, 'db' | 'now' | 'mail'>): Promise<{ sent: number }> {
  const waiting = await db
    .select()
    .from(mails)
    .where(and(isNull(mails.sentAt), lte(mails.dueAt, now()), lt(mails.attempts, mostAttempts)))
    .orderBy(asc(mails.dueAt))
    .limit(20)
  let sent = 0
  for (const letter of waiting) {
    const mine = and(eq(mails.id, letter.id), isNull(mails.sentAt), eq(mails.dueAt, letter.dueAt))
    const claimed = await db
      .update(mails)
      .set({ dueAt: now() + claim + Math.min(letter.attempts, 59) * claim, attempts: sql`${mails.attempts} + 1` })
      .where(mine)
    if (claimed.rowsAffected === 0) continue
    try {
      await mail.send(letter)
    } catch (error) {
      // It stays in the outbox, due again when the claim has run out.
      console.error('mailing', letter.id.split(':')[0], error)
      continue
    }
    // What was in it is forgotten: a mailed link must not be readable in the database.
    await db.update(mails).set({ sentAt: now(), text: '', html: '' }).where(eq(mails.id, letter.id))
    sent += 1
  }
  return { sent }
}
