import { and, eq, sql, type SQL } from 'drizzle-orm'
import { identities, emailTokens, passwords, sessions, users } from '../../db/schema'
import type { Deps, VerifiedIdentity } from '../deps'
import { enqueueEmailIf } from '../email/outbox.server'
import { accountNotice } from '../email/templates.server'
import { cleanText } from '../shared/clean-text.server'
import { idOf, newId } from '../shared/ids.server'
import { Refusal } from '../shared/refusal'
import { isSecondFactorOn, startSession, type NewSession } from './sign-in.server'
import { takeOver } from './take-over.server'
import { indexUsers } from './user-search.server'
import { emailAddress, isShopName } from '../shared/validation.server'
import { shopName } from '../../shop-name'
import { cutText } from '../shared/text'

/**
 * Signs in by (issuer, subject), never by email (R6). A new identity is linked to the account with its email if Google
 * hosts that address, because then it has just proven its owner. Refuses (conflict) where it does not, or where the account
 * has another Google identity: its owner must log in first, then `joinIdentity` links the two. Refuses an email that Google has
 * not verified (forbidden), or that gets no email (invalid). Starts no session where a second factor is on. `renamed` is the name of a new
 * account whose name at Google is the shop's.
 */
export async function signInWithGoogle(
  deps: Deps,
  identity: VerifiedIdentity,
  userAgent: string,
): Promise<{ userId: string; session: NewSession | null; tookOver: string | null; renamed: string | null }> {
  if (!identity.emailVerified) {
    throw new Refusal('forbidden', 'Google has not verified this email, so you cannot log in with it here.')
  }
  const email = emailAddress.safeParse(cleanText(identity.email))
  if (!email.success) throw new Refusal('invalid', 'We cannot send email to the address of this Google account.')
  const { db } = deps
  const findIdentity = () =>
    db
      .select({
        userId: identities.userId,
        hasSecondFactor: sql<number>`${isSecondFactorOn(sql`identities.user_id`)}`,
      })
      .from(identities)
      .where(and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject)))
  const [existing] = await findIdentity()
  const { tookOver = null, named } = existing ? {} : await linkIdentity(deps, { ...identity, email: email.data })
  const [linked] = existing ? [existing] : await findIdentity()
  if (!linked) throw new Refusal('conflict', 'This email already has an account.')
  const { userId, hasSecondFactor } = linked
  const login = { id: userId, passwordHash: null }
  const session = hasSecondFactor ? null : await startSession(deps, login, userAgent)
  const isNamed = named && [named.id, tookOver].includes(userId)
  return { userId, session, tookOver, renamed: isNamed && isShopName(cleanText(identity.name)) ? named.name : null }
}

/**
 * Links the identity to the account with its email, or to a new one. An unverified account may belong to an attacker:
 * its password, sessions, email tokens, details and unpaid orders go first. `tookOver` is
 * its id, `named` the account that there is if it is new.
 */
async function linkIdentity(deps: Deps, identity: VerifiedIdentity) {
  const { db, now } = deps
  const at = now()
  const { issuer, email, isHosted } = identity
  const name = sanitizeName(identity.name) || sanitizeName(email.split('@')[0]!) || 'Customer'
  const id = newId()
  const unverifiedId = sql`(SELECT id FROM users WHERE email = ${email} AND email_verified_at IS NULL AND ${isHosted ? 1 : 0})`
  const verified = db
    .update(users)
    .set({ emailVerifiedAt: at, name })
    .where(sql`${users.id} = ${unverifiedId}`)
    .returning({ id: users.id })
  const mayJoin = sql`id = ${id} OR (email = ${email} AND ${isHosted ? 1 : 0} AND NOT EXISTS (
    SELECT 1 FROM identities i WHERE i.user_id = users.id AND i.issuer = ${issuer}))`
  const [, , , , , , [takenOver]] = await db.batch([
    // A write must come first, so that the batch holds the lock from the start.
    db.insert(users).values({ id, email, name, emailVerifiedAt: at, createdAt: at }).onConflictDoNothing(),
    ...takeOver(deps, at, unverifiedId),
    db.delete(passwords).where(sql`${passwords.userId} = ${unverifiedId}`),
    db.delete(sessions).where(sql`${sessions.userId} = ${unverifiedId}`),
    db.delete(emailTokens).where(sql`${emailTokens.userId} = ${unverifiedId}`),
    verified,
    ...(await linkTo(deps, identity, mayJoin)),
    indexUsers(db, eq(users.email, email)),
  ])
  return { tookOver: takenOver?.id ?? null, named: { id, name } }
}

/**
 * Links a Google identity to the account of a user who has just shown its password. Not to an unverified account: its owner
 * could not take it over any more. Idempotent.
 */
export async function joinIdentity(deps: Deps, user: { id: string }, identity: VerifiedIdentity): Promise<void> {
  const [link, notice] = await linkTo(
    deps,
    identity,
    sql`id = ${user.id} AND email_verified_at IS NOT NULL AND closed_at IS NULL`,
  )
  await deps.db.batch([link, notice])
}

/** The statements that link the identity to the user who meets `condition`. The owner of an account hears of a further way into it. */
async function linkTo(deps: Deps, { issuer, subject, email }: VerifiedIdentity, condition: SQL) {
  const notice = accountNotice({
    id: await idOf(`${issuer}:${subject}`),
    email,
    subject: 'A Google account can log in',
    what: `A Google account with this address can now log in to your ${shopName} account.`,
    origin: deps.origin,
  })
  return [
    deps.db.run(sql`
      INSERT INTO identities (issuer, subject, user_id, created_at)
      SELECT ${issuer}, ${subject}, id, ${deps.now()} FROM users WHERE ${condition}
      ON CONFLICT DO NOTHING`),
    enqueueEmailIf(
      deps,
      notice,
      sql`EXISTS (SELECT 1 FROM identities i WHERE i.issuer = ${issuer} AND i.subject = ${subject} AND (
        EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = i.user_id)
        OR (SELECT count(*) FROM identities o WHERE o.user_id = i.user_id) > 1))`,
    ),
  ] as const
}

function sanitizeName(name: string): string {
  const plain = cutText(cleanText(name).replace(/\p{Cc}/gu, ' '), 100).trim()
  return isShopName(plain) ? '' : plain
}
