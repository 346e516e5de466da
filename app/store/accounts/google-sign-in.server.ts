import { and, eq, isNull, sql } from 'drizzle-orm'
import { identities, emailTokens, passwords, sessions, users } from '../../db/schema'
import type { Deps, VerifiedIdentity } from '../deps'
import { enqueueEmailIf } from '../email/outbox.server'
import { accountNotice } from '../email/templates.server'
import { idOf, newId } from '../ids.server'
import { Refusal } from '../refusal'
import { prepareSession, type NewSession } from './sign-in.server'
import { takeOver } from './take-over.server'
import { anyEmail, isShopName } from '../validation.server'

/**
 * Signs in by (issuer, subject), never by email (R6). A new identity is linked to the account with its email, because
 * Google has verified it. Refuses an email that Google has not verified (forbidden), or that gets no email (invalid).
 */
export async function signInWithGoogle(
  deps: Deps,
  identity: VerifiedIdentity,
  userAgent: string,
): Promise<NewSession & { tookOver: string | null }> {
  if (!identity.emailVerified) {
    throw new Refusal('forbidden', 'Google has not verified this email, so it cannot be used to sign in here.')
  }
  const email = anyEmail.safeParse(identity.email)
  if (!email.success) throw new Refusal('invalid', 'We cannot send email to the address of this Google account.')
  const { db } = deps
  const findIdentity = () =>
    db
      .select({ userId: identities.userId })
      .from(identities)
      .where(and(eq(identities.issuer, identity.issuer), eq(identities.subject, identity.subject)))
  const [existing] = await findIdentity()
  const tookOver = existing ? null : await linkIdentity(deps, { ...identity, email: email.data })
  const [linked] = existing ? [existing] : await findIdentity()
  const { session, insert, endOld } = await prepareSession(deps, { id: linked!.userId }, userAgent)
  await db.batch([insert, endOld])
  return { ...session, tookOver }
}

/**
 * Links the identity to the account with its email, or to a new one. An unverified account may belong to an attacker:
 * its password, sessions, email tokens, details and unpaid orders go first. Returns its id, or null.
 */
async function linkIdentity(deps: Deps, identity: VerifiedIdentity): Promise<string | null> {
  const { db, now, origin } = deps
  const at = now()
  const { issuer, subject, email } = identity
  const name = sanitizeName(identity.name) || sanitizeName(email.split('@')[0]!) || 'Customer'
  const unverifiedId = sql`(SELECT id FROM users WHERE email = ${email} AND email_verified_at IS NULL)`
  const notice = accountNotice({
    id: await idOf(`${issuer}:${subject}`),
    email,
    subject: 'A Google account can sign in',
    what: 'A Google account with this address can sign in to your account at Cadenza from now on.',
    origin,
  })
  const verified = db
    .update(users)
    .set({ emailVerifiedAt: at, name })
    .where(and(eq(users.email, email), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id })
  const results = await db.batch([
    // A write must come first, so that the batch holds the lock from the start.
    db.insert(users).values({ id: newId(), email, name, emailVerifiedAt: at, createdAt: at }).onConflictDoNothing(),
    ...takeOver(db, at, unverifiedId),
    db.delete(passwords).where(sql`${passwords.userId} = ${unverifiedId}`),
    db.delete(sessions).where(sql`${sessions.userId} = ${unverifiedId}`),
    db.delete(emailTokens).where(sql`${emailTokens.userId} = ${unverifiedId}`),
    verified,
    db.run(sql`
      INSERT INTO identities (issuer, subject, user_id, created_at)
      SELECT ${issuer}, ${subject}, id, ${at} FROM users WHERE email = ${email}
      ON CONFLICT DO NOTHING`),
    // The owner of an account hears of a further way into it.
    enqueueEmailIf(
      deps,
      notice,
      sql`EXISTS (SELECT 1 FROM users WHERE email = ${email} AND (EXISTS (SELECT 1 FROM passwords WHERE user_id = users.id)
        OR (SELECT count(*) FROM identities WHERE user_id = users.id) > 1))`,
    ),
  ])
  return results[6][0]?.id ?? null
}

function sanitizeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
  return isShopName(plain) ? '' : Array.from(plain).slice(0, 50).join('')
}
