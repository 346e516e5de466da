import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailTokens, users } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, newSecret } from '../shared/ids.server'
import { accountNotice, passwordResetEmail } from '../email/templates.server'
import { enqueueEmailIf } from '../email/outbox.server'
import { isTooCommon, tooCommon } from './common-passwords.server'
import { hashPassword } from './passwords.server'
import { Refusal } from '../shared/refusal'
import { newPassword } from './sign-in.server'
import { takeOver } from './take-over.server'
import { indexUsers } from './user-search.server'
import { emailAddress } from '../shared/validation.server'
import { limits, maxResetLinks } from '../shared/limits'
import { consumeRateLimit, ipLimits } from '../shared/rate-limit.server'
import { shopName } from '../../shop-name'
import { localPath } from '../../i18n/paths'

const resetTtl = 10 * 60 * 1000

/** Spec section 5: one message for an empty and an invalid email. */
export const ForgottenPassword = z.object({
  email: z
    .string({ error: 'Enter valid email address' })
    .refine((value) => emailAddress.safeParse(value).success, { error: 'Enter valid email address' })
    .transform((value) => emailAddress.parse(value)),
})

export const NewPassword = z.object({
  token: z.string({ error: 'This link is incomplete.' }).max(200, { error: 'This link is incomplete.' }),
  password: newPassword.refine((password) => !isTooCommon(password), { error: tooCommon }),
})

/** By sender, not by account: anybody could use up an owner's. */
export async function limitResetRequests(deps: Deps, ip: string): Promise<void> {
  await consumeRateLimit(deps, ipLimits('reset', ip, limits.passwordResetsFromIp, limits.passwordResetsFromNetwork))
}

/**
 * Enqueues a link, unless three work already: then the owner has one. The caller must not wait for this, or the response
 * time would tell whether the account exists (R7).
 */
export async function requestPasswordReset(deps: Deps, email: string): Promise<void> {
  const { db, now, origin } = deps
  const [user] = await db
    .select({ id: users.id, name: users.name, verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.email, email))
  if (!user) return
  const secret = newSecret()
  const tokenHash = await hashSecret(secret)
  const at = now()
  const name = user.verifiedAt === null ? null : user.name
  const link = passwordResetEmail({
    email,
    name,
    tokenHash,
    link: origin + localPath(`/reset-password?token=${secret}`),
  })
  // One batch: a link that works and was not mailed would count against the three.
  await db.batch([
    db.run(sql`
      INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at)
      SELECT ${tokenHash}, ${user.id}, 'reset-password', ${at}, ${at + resetTtl}
      WHERE (SELECT count(*) FROM email_tokens WHERE user_id = ${user.id} AND purpose = 'reset-password' AND used_at IS NULL
        AND expires_at > ${at}) < ${maxResetLinks}`),
    enqueueEmailIf(deps, link, sql`EXISTS (SELECT 1 FROM email_tokens WHERE token_hash = ${tokenHash})`),
  ])
}

export async function isResetLinkValid({ db, now }: Deps, token: string): Promise<boolean> {
  const [link] = await db
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .where(isUsable(await hashSecret(token), now()))
  return link !== undefined
}

function isUsable(tokenHash: string, at: number) {
  return and(
    eq(emailTokens.tokenHash, tokenHash),
    eq(emailTokens.purpose, 'reset-password'),
    isNull(emailTokens.usedAt),
    gt(emailTokens.expiresAt, at),
  )
}

/**
 * Sets a new password by a reset link, once. Ends every session, access token, passkey and other email link of the
 * user (R3), and verifies the email. Refuses a link that was used or has expired. `tookOver` is the user's id when nobody had verified
 * the email before: then the caller cancels the unpaid orders.
 */
export async function resetPassword(
  deps: Deps,
  { token, password }: z.output<typeof NewPassword>,
): Promise<{ id: string; email: string; passwordHash: string; tookOver: string | null }> {
  const { db, now, origin } = deps
  const tokenHash = await hashSecret(token)
  const at = now()
  // Saves the cost of hashing for an invalid link; the batch below is what checks it.
  const [link] = await db
    .select({ id: users.id, email: users.email, verifiedAt: users.emailVerifiedAt })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .where(isUsable(tokenHash, at))
  // Stryker disable next-line ConditionalExpression: the batch refuses it too
  if (!link) throw invalidLink()
  if (isTooCommon(password, [link.email])) throw new Refusal('invalid', '', { fields: { password: [tooCommon] } })
  const hash = await hashPassword(password)
  const owner = sql`(SELECT user_id FROM email_tokens WHERE token_hash = ${tokenHash} AND purpose = 'reset-password'
    AND used_at IS NULL AND expires_at > ${at})`
  const subject = 'Your password has changed'
  const what = `The password of your ${shopName} account was changed with a link that we sent to this address.`
  const notice = accountNotice({ email: link.email, id: tokenHash, subject, what, origin })
  const results = await db.batch([
    db.run(sql`
      INSERT INTO passwords (user_id, hash, changed_at) SELECT id, ${hash}, ${at} FROM users WHERE id = ${owner}
      ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`),
    db.run(sql`DELETE FROM sessions WHERE user_id = ${owner}`),
    // Somebody else may have added one (decision 38).
    db.run(sql`DELETE FROM passkeys WHERE user_id = ${owner}`),
    ...takeOver(deps, at, sql`(SELECT id FROM users WHERE id = ${owner} AND email_verified_at IS NULL)`),
    db.run(sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, ${at}) WHERE id = ${owner}`),
    ...(link.verifiedAt === null ? [indexUsers(db, sql`id = ${owner}`)] : []),
    enqueueEmailIf(deps, notice, sql`${owner} IS NOT NULL`),
    // Last, because the statements above depend on the unused token.
    db.run(sql`UPDATE email_tokens SET used_at = ${at} WHERE used_at IS NULL AND user_id = ${owner}`),
  ])
  if (results.at(-1)!.rowsAffected === 0) throw invalidLink()
  return { id: link.id, email: link.email, passwordHash: hash, tookOver: link.verifiedAt === null ? link.id : null }
}

function invalidLink(): Refusal {
  return new Refusal('conflict', 'This link has expired or was already used. Ask for a new one.')
}
