import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailTokens, users } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, newSecret } from '../ids.server'
import { passwordResetEmail } from '../email/templates.server'
import { enqueueEmail } from '../email/outbox.server'
import { hashPassword } from './passwords.server'
import { Refusal } from '../refusal'
import { SignIn } from './sign-in.server'
import { emailAddress } from '../validation.server'
import { consumeRateLimit, quarterHour } from '../rate-limit.server'

/** How long a mailed reset link works, in milliseconds. */
const resetTtl = 10 * 60 * 1000

/** Spec section 5: an empty address gives this message, and so does one that is none. */
export const ForgottenPassword = z.object({
  email: z
    .string({ error: 'Enter valid email address' })
    .refine((typed) => emailAddress.safeParse(typed).success, { error: 'Enter valid email address' })
    .transform((typed) => emailAddress.parse(typed)),
})

export const NewPassword = z.object({
  token: z.string({ error: 'This link is not complete.' }).max(200, { error: 'This link is not complete.' }),
  password: SignIn.shape.password,
})

/** Counts a wish for a reset link: at most 20 from one network address and 3 to one mail address in a quarter of an hour. */
export async function limitResetRequests(deps: Deps, email: string, address: string): Promise<void> {
  await consumeRateLimit(deps, [
    { key: `reset:account:${await hashSecret(email)}`, max: 3, window: quarterHour },
    { key: `reset:address:${address}`, max: 20, window: quarterHour },
  ])
}

/**
 * Mails a link to choose a new password, if somebody has this address. The caller answers the same, and does not wait
 * for this, whether or not anybody has (R7).
 */
export async function requestPasswordReset(deps: Deps, email: string): Promise<void> {
  const { db, now, origin } = deps
  const [user] = await db.select({ id: users.id, name: users.name }).from(users).where(eq(users.email, email))
  if (!user) return
  const secret = newSecret()
  const tokenHash = await hashSecret(secret)
  const at = now()
  await db.batch([
    db.insert(emailTokens).values({
      tokenHash,
      userId: user.id,
      purpose: 'reset-password',
      createdAt: at,
      expiresAt: at + resetTtl,
    }),
    enqueueEmail(
      deps,
      passwordResetEmail({ email, name: user.name, tokenHash, link: `${origin}/reset-password?token=${secret}` }),
    ),
  ])
}

/** Whether a mailed link can still set a new password: it was not used, and its time is not up. */
export async function isResetLinkValid({ db, now }: Deps, token: string): Promise<boolean> {
  const [link] = await db
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.tokenHash, await hashSecret(token)),
        eq(emailTokens.purpose, 'reset-password'),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, now()),
      ),
    )
  return link !== undefined
}

/**
 * Sets a new password by a mailed link, once: of two at the same time one wins. It ends every session and access token of
 * the user and every other mailed link (R3), and proves the address. Answers whose it is. Refuses a link that was used or whose time is up.
 */
export async function resetPassword(
  { db, now }: Deps,
  { token, password }: z.output<typeof NewPassword>,
): Promise<{ email: string }> {
  const tokenHash = await hashSecret(token)
  const at = now()
  // Looked up first: a made-up link is not worth the work of hashing. What counts is the batch.
  const [link] = await db
    .select({ email: users.email })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(eq(emailTokens.tokenHash, tokenHash))
  // Stryker disable next-line ConditionalExpression: the batch refuses it too, later
  if (!link) throw invalidLink()
  const hash = await hashPassword(password)
  const owner = sql`(SELECT user_id FROM email_tokens WHERE token_hash = ${tokenHash} AND purpose = 'reset-password'
    AND used_at IS NULL AND expires_at > ${at})`
  const results = await db.batch([
    db.run(sql`
      INSERT INTO passwords (user_id, hash, changed_at) SELECT id, ${hash}, ${at} FROM users WHERE id = ${owner}
      ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`),
    db.run(sql`DELETE FROM sessions WHERE user_id = ${owner}`),
    // Whoever registered had not proven the address: what they left must not send the owner's parcels anywhere (R6).
    db.run(sql`
      UPDATE users SET image = NULL, address = NULL, phone = NULL
      WHERE id = ${owner} AND email_verified_at IS NULL`),
    db.run(sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, ${at}) WHERE id = ${owner}`),
    // The last, because it is what the others go by.
    db.run(sql`UPDATE email_tokens SET used_at = ${at} WHERE used_at IS NULL AND user_id = ${owner}`),
  ])
  if (results[4].rowsAffected === 0) throw invalidLink()
  return link
}

function invalidLink(): Refusal {
  return new Refusal('conflict', 'This link has been used already, or its time is up. Ask for a new one.')
}
