import { and, asc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { journal, mails, orders, refunds } from '../db/schema'
import type { Deps, Letter } from './deps'
import { orderLetter } from './order-letters.server'
import { shown } from './orders.server'

/** How long one try may take before somebody else may try, in milliseconds. */
const claim = 60_000
/** After so many tries, over three days and more, a letter is given up. */
const mostAttempts = 110

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
 * each time, up to an hour. Two of these at once do not send a letter twice: one statement claims what it will send, and the
 * provider knows each letter's id.
 */
export async function sendWaitingMail(
  deps: Pick<Deps, 'db' | 'now' | 'mail' | 'origin' | 'report'>,
): Promise<{ sent: number }> {
  const { db, now, mail } = deps
  const at = now()
  let sent = 0
  for (const letter of await readLetters(deps, await claimLetters(deps, at))) {
    // A provider that takes its time: what is left is tried again when the claim has run out.
    if (now() - at > claim / 2) break
    const { id } = letter.mails
    try {
      await mail.send(write(letter, deps.origin))
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

/** Nobody else tries these before the claim has run out, which takes longer each time. */
async function claimLetters({ db }: Pick<Deps, 'db'>, at: number): Promise<string[]> {
  const waiting = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), lte(mails.dueAt, at), lt(mails.attempts, mostAttempts)))
    .orderBy(asc(mails.dueAt))
    .limit(20)
  const claimed = await db
    .update(mails)
    .set({ dueAt: sql`${at} + ${claim} * (1 + min(${mails.attempts}, 59))`, attempts: sql`${mails.attempts} + 1` })
    .where(inArray(mails.id, waiting))
    .returning({ id: mails.id })
  return claimed.map(({ id }) => id)
}

async function readLetters({ db }: Pick<Deps, 'db'>, ids: string[]) {
  if (ids.length === 0) return []
  const letters = await db
    .select({ mails, event: journal.event, actor: journal.actor, order: shown, refundCents: refunds.amountCents })
    .from(mails)
    .leftJoin(journal, eq(journal.id, mails.journalId))
    .leftJoin(orders, eq(orders.id, journal.orderId))
    .leftJoin(refunds, eq(refunds.transactionId, journal.note))
    .where(inArray(mails.id, ids))
  return letters.sort((one, other) => one.mails.createdAt - other.mails.createdAt)
}

type Waiting = Awaited<ReturnType<typeof readLetters>>[number]

/** A letter about an order was put here by the journal, as an empty sheet; any other letter brings its text. */
function write({ mails: letter, event, actor, order, refundCents }: Waiting, origin: string): Letter {
  if (event === null || actor === null || order?.id == null) return letter
  return orderLetter(letter.id, { event, actor, order, refundCents }, origin)
}
