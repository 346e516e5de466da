import { and, eq, isNull, sql } from 'drizzle-orm'
import { identities, emailTokens, passwords, sessions, users } from '../../db/schema'
import type { Deps, VerifiedIdentity } from '../deps'
import { newId } from '../ids.server'
import { Refusal } from '../refusal'
import { prepareSession, type NewSession } from './sign-in.server'
import { anyEmail } from '../validation.server'

/**
 * Signs in whoever Google says is here. The identity is (issuer, subject), never the address (R6): a known one is its
 * user. A new one is joined to the account of its address only because Google has verified that address; if that account
 * had not been verified, nobody had proven to own it, so its password, its sessions, its links and its details end
 * first. Refuses an address that Google has not verified (forbidden), and one that no email can be sent to (invalid).
 */
export async function signInWithGoogle(deps: Deps, identity: VerifiedIdentity, userAgent: string): Promise<NewSession> {
  if (!identity.emailVerified) {
    throw new Refusal('forbidden', 'Google has not verified this email, so it cannot be used to sign in here.')
  }
  const email = anyEmail.safeParse(identity.email)
  if (!email.success) throw new Refusal('invalid', 'We cannot send email to the address of this Google account.')
  const { db } = deps
  const known = () =>
    db
      .select({ userId: identities.userId })
      .from(identities)
      .where(and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject)))
  const [found] = await known()
  if (!found) await linkIdentity(deps, { ...identity, email: email.data })
  const [joined] = found ? [found] : await known()
  const { session, insert } = await prepareSession(deps, { id: joined!.userId }, userAgent)
  await insert
  return session
}

/** Makes the identity somebody's, in one step: of the account with its address, or of a new one. */
async function linkIdentity({ db, now }: Deps, identity: VerifiedIdentity): Promise<void> {
  const at = now()
  const { issuer, subject, email } = identity
  const name = sanitizeName(identity.name) || sanitizeName(email.split('@')[0]!)
  const unproven = sql`(SELECT id FROM users WHERE email = ${email} AND email_verified_at IS NULL)`
  await db.batch([
    // A write that changes nothing if the address is taken: from here on the batch holds the lock.
    db.insert(users).values({ id: newId(), email, name, emailVerifiedAt: at, createdAt: at }).onConflictDoNothing(),
    db.delete(passwords).where(sql`${passwords.userId} = ${unproven}`),
    db.delete(sessions).where(sql`${sessions.userId} = ${unproven}`),
    db.delete(emailTokens).where(sql`${emailTokens.userId} = ${unproven}`),
    db
      .update(users)
      .set({ emailVerifiedAt: at, name, image: null, address: null, phone: null })
      .where(and(eq(users.email, email), isNull(users.emailVerifiedAt))),
    db.run(sql`
      INSERT INTO identities (issuer, subject, user_id, created_at)
      SELECT ${issuer}, ${subject}, id, ${at} FROM users WHERE email = ${email}
      ON CONFLICT DO NOTHING`),
  ])
}

/** A name as we store names, of one that we did not ask for: in whole characters, without control characters. */
function sanitizeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return Array.from(plain).slice(0, 50).join('')
}
