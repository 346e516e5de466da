import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { instruments, users, wishes } from '../../db/schema'
import type { Deps } from '../deps'
import { decrypt, encrypt } from '../shared/encryption.server'
import { newId } from '../shared/ids.server'
import { maxWishes, retention } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { instrumentColumns, onSale, selectInstrument } from './instruments.server'
import { language } from '../../i18n/language'

export const WishChange = z.object({
  instrumentId: z.string({ error: 'Which instrument?' }).max(100),
  change: z.enum(['end']).optional(),
  anchor: z.string().max(200).optional(),
})

/**
 * The customer gets one email when the instrument can be ordered again: the reader `backInStock`
 * enqueues it. `isOrderable`: it can be ordered now, so there is nothing to wait for. Asking twice is one wish. Refuses an unverified customer, as R49 does for
 * order emails, an instrument that is not on sale, and more than `maxWishes`.
 */
export async function addWish(
  { db, now }: Deps,
  customer: { id: string },
  instrumentId: string,
): Promise<{ name: string; isOrderable: boolean }> {
  const isOpen = sql`user_id = u.id AND emailed_at IS NULL`
  const from = sql`FROM users u, instruments i WHERE u.id = ${customer.id} AND i.id = ${instrumentId} AND i.removed_at IS NULL`
  const [, [found]] = await db.batch([
    db.run(sql`
      INSERT INTO wishes (id, user_id, instrument_id, created_at, language) SELECT ${newId()}, u.id, i.id, ${now()}, ${language()} ${from}
      AND u.email_verified_at IS NOT NULL AND u.closed_at IS NULL AND i.available_quantity < i.min_quantity
      AND (SELECT count(*) FROM wishes WHERE ${isOpen}) < ${maxWishes}
      ON CONFLICT DO NOTHING`),
    db.all<{ name: string; isVerified: number; isOrderable: number; isWished: number }>(sql`
      SELECT i.name, u.email_verified_at IS NOT NULL AS isVerified, i.available_quantity >= i.min_quantity AS isOrderable,
        EXISTS (SELECT 1 FROM wishes WHERE ${isOpen} AND instrument_id = i.id) AS isWished ${from}`),
  ])
  if (!found) throw new Refusal('not-found', 'This instrument is not on sale.')
  const { name, isVerified, isOrderable, isWished } = found
  if (isOrderable) return { name, isOrderable: true }
  if (!isVerified)
    throw new Refusal(
      'conflict',
      'Please verify your email first: open the link that we sent you, or ask for a new one.',
    )
  if (!isWished)
    throw new Refusal('conflict', `You wait for ${maxWishes} instruments already. End one of them, and try again.`)
  return { name, isOrderable: false }
}

/** Idempotent. */
export async function endWish({ db }: Deps, customer: { id: string }, instrumentId: string): Promise<void> {
  const isTheirs = and(eq(wishes.userId, customer.id), eq(wishes.instrumentId, instrumentId))
  await db.delete(wishes).where(and(isTheirs, isNull(wishes.emailedAt)))
}

/** The instruments that the customer waits for, in the order of the wishes, and the one of the page that they come from. */
export async function readWishes(deps: Deps, customer: { id: string }, instrumentId: string | null) {
  const [rows, [chosen]] = await deps.db.batch([
    selectWished(deps, customer),
    selectInstrument(deps, instrumentId ?? ''),
  ])
  return { wished: rows, chosen: chosen ?? null }
}

function selectWished({ db, now }: Deps, customer: { id: string }) {
  return db
    .select({ ...instrumentColumns(now()), isOnSale: sql<number>`${onSale}`, wishedAt: wishes.createdAt })
    .from(wishes)
    .innerJoin(instruments, eq(instruments.id, wishes.instrumentId))
    .where(and(eq(wishes.userId, customer.id), isNull(wishes.emailedAt)))
    .orderBy(asc(wishes.createdAt), asc(wishes.id))
}

export type Wished = Awaited<ReturnType<typeof readWishes>>['wished'][number]

const tokenPurpose = 'wishes'

/** The link in the email, which ends all wishes of a customer without a login. It is no secret of the database. */
export async function unsubscribeLink(deps: Deps, customer: { id: string }): Promise<string> {
  const token = await encrypt(deps, new TextEncoder().encode(customer.id), tokenPurpose)
  return `${deps.origin}/unsubscribe?token=${token}`
}

/** What the link would end; null if it is not one of ours. Ends nothing. */
export async function findUnsubscriber(deps: Deps, token: string): Promise<{ id: string; names: string[] } | null> {
  const id = (await decrypt(deps, token, tokenPurpose))?.toString()
  if (id === undefined) return null
  const [[user], rows] = await deps.db.batch([
    deps.db.select({ id: users.id }).from(users).where(eq(users.id, id)),
    selectWished(deps, { id }),
  ])
  return user ? { id, names: rows.map(({ name }) => name) } : null
}

/** Ends all wishes of the customer whose email had the link. Idempotent; false if it is not one of ours. */
export async function unsubscribe(deps: Deps, token: string): Promise<boolean> {
  const id = (await decrypt(deps, token, tokenPurpose))?.toString()
  if (id === undefined) return false
  await deps.db.delete(wishes).where(and(eq(wishes.userId, id), isNull(wishes.emailedAt)))
  return true
}

/** For the cron trigger: forgets wishes that have ended with an email, as long after it as the email's recipient. */
export async function forgetOldWishes({ db, now }: Deps): Promise<void> {
  await db.delete(wishes).where(and(isNotNull(wishes.emailedAt), lt(wishes.emailedAt, now() - retention.sentEmails)))
}
