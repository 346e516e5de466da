import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { mailTokens, passwords, users } from '../db/schema'
import type { Deps } from './deps'
import { hashSecret, newId, newSecret } from './ids.server'
import { queueMail } from './outbox.server'
import { hashPassword } from './passwords.server'
import { Refusal } from './refusal'
import { SignIn, prepareSession, type NewSession } from './sign-in.server'
import { line } from './text.server'
import { verificationLetter } from './letters.server'

/** How long a mailed link works, in milliseconds. */
const verificationLife = 24 * 60 * 60 * 1000

export const SignUp = SignIn.extend({ name: line({ called: 'Name', required: 'Name is Required', most: 100 }) })
export type SignUp = z.output<typeof SignUp>

/**
 * Makes an account for a new customer, signs them in, and puts the verification mail into the outbox: all of it or
 * nothing (spec section 4). Refuses an address that already has an account (R7).
 */
export async function register(
  deps: Pick<Deps, 'db' | 'now' | 'origin'>,
  wanted: SignUp,
  userAgent: string,
): Promise<NewSession> {
  const { db, now } = deps
  const at = now()
  const user = { id: newId(), email: wanted.email, name: wanted.name }
  const { session, insert } = await prepareSession(deps, user, userAgent)
  const secret = newSecret()
  const tokenHash = await hashSecret(secret)
  try {
    await db.batch([
      db.insert(users).values({ ...user, createdAt: at }),
      db.insert(passwords).values({ userId: user.id, hash: await hashPassword(wanted.password), changedAt: at }),
      insert,
      db.insert(mailTokens).values({
        tokenHash,
        userId: user.id,
        purpose: 'verify-email',
        createdAt: at,
        expiresAt: at + verificationLife,
      }),
      queueMail(deps, verificationLetter({ ...user, tokenHash, link: `${deps.origin}/verify-email?token=${secret}` })),
    ])
  } catch (error) {
    if (String(error).includes('UNIQUE constraint failed: users.email')) {
      throw new Refusal('conflict', 'This email already has an account. Log in instead.')
    }
    throw error
  }
  return session
}

/** Proves an address by the link that was mailed to it. The link works once, within its time; answers whether it did. */
export async function verifyEmail({ db, now }: Pick<Deps, 'db' | 'now'>, secret: string): Promise<boolean> {
  const tokenHash = await hashSecret(secret)
  const at = now()
  const [, used] = await db.batch([
    db.run(sql`
      UPDATE users SET email_verified_at = coalesce(email_verified_at, ${at})
      WHERE id = (SELECT user_id FROM mail_tokens WHERE token_hash = ${tokenHash} AND purpose = 'verify-email'
        AND used_at IS NULL AND expires_at > ${at})`),
    db
      .update(mailTokens)
      .set({ usedAt: at })
      .where(
        and(
          eq(mailTokens.tokenHash, tokenHash),
          eq(mailTokens.purpose, 'verify-email'),
          isNull(mailTokens.usedAt),
          gt(mailTokens.expiresAt, at),
        ),
      ),
  ])
  return used.rowsAffected === 1
}

/** Makes a registered user an admin (R8). Answers false when nobody has this address. */
export async function grantAdmin(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: string,
  email: string,
): Promise<boolean> {
  const [, , found] = await db.batch([
    db.run(sql`
      INSERT INTO journal (at, event, actor, user_id)
      SELECT ${now()}, 'admin granted', ${actor}, id FROM users WHERE email = ${email} AND role <> 'admin'`),
    db.update(users).set({ role: 'admin' }).where(eq(users.email, email)),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)),
  ])
  return found.length === 1
}
