import { and, asc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { auditLog, emailTokens, passwords, users } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, idOf, newId, newSecret } from '../shared/ids.server'
import { enqueueEmail } from '../email/outbox.server'
import { fold } from '../shared/folding'
import { allOf, hasTrigram, searchWords } from '../shared/full-text'
import { hasWord } from '../shared/full-text.server'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { hashPassword } from './passwords.server'
import { Refusal } from '../shared/refusal'
import type { Role, StaffRole } from './sign-in'
import {
  checkPassword,
  effectiveRole,
  newPassword,
  SignIn,
  prepareSession,
  startSession,
  type NewSession,
} from './sign-in.server'
import { indexUsers } from './user-search.server'
import { isTooCommon, tooCommon } from './common-passwords.server'
import { isShopName, shopNameTaken, singleLine, submissionIdField } from '../shared/validation.server'
import { limits } from '../shared/limits'
import { consumeRateLimit, ipLimits } from '../shared/rate-limit.server'
import { verificationEmail } from '../email/templates.server'
import { localPath } from '../../i18n/paths'

const verificationTtl = 24 * 60 * 60 * 1000

export const SignUp = z
  .object({
    name: singleLine({ label: 'Name', required: 'Name is Required', max: 100 }).refine((name) => !isShopName(name), {
      error: shopNameTaken,
    }),
    ...SignIn.shape,
    password: newPassword,
    submissionId: submissionIdField.optional(),
  })
  .refine(({ password, email, name }) => !isTooCommon(password, [email, name]), {
    path: ['password'],
    error: tooCommon,
  })
export type SignUp = z.output<typeof SignUp>

/**
 * Creates an account, signs in and enqueues the verification email, in one batch (spec section 4). The same submission
 * with the same name and password signs in to the account it created (R43). Refuses an email that has an account (R7), and more
 * than 300 requests an hour from one IP address.
 */
export async function register(
  deps: Deps,
  input: SignUp,
  from: { ip: string; userAgent: string },
): Promise<NewSession> {
  const perHour = ipLimits('register', from.ip, limits.registrationsFromIp, limits.registrationsFromNetwork)
  await consumeRateLimit(deps, perHour)
  const { db, now } = deps
  const at = now()
  const user = { id: await newUserId(input), email: input.email, name: input.name }
  const { session, insert } = await prepareSession(deps, user, from.userAgent)
  const verification = await prepareVerification(deps, user)
  const hash = await hashPassword(input.password)
  try {
    await db.batch([
      db.insert(users).values({ ...user, createdAt: at }),
      indexUsers(db, eq(users.id, user.id)),
      db.insert(passwords).values({ userId: user.id, hash, changedAt: at }),
      insert,
      verification.insert,
      verification.enqueue,
    ])
  } catch (error) {
    if (!/UNIQUE constraint failed: users\.(email|id)/.test(String(error))) throw error
    return resumeSignUp(deps, { ...input, id: user.id }, from)
  }
  return session
}

/** The same for a repeat; with the email, because submission ids are not unique. */
async function newUserId({ submissionId, email }: SignUp): Promise<string> {
  return submissionId ? (await idOf(`user:${submissionId}:${email}`)).slice(0, 32) : newId()
}

async function resumeSignUp(
  deps: Deps,
  input: SignUp & { id: string },
  from: { ip: string; userAgent: string },
): Promise<NewSession> {
  const emailTaken = new Refusal('conflict', 'This email already has an account. Log in instead.')
  const [account] = await deps.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.email, input.email))
  if (!account) throw new Refusal('conflict', 'This form was used before. Send it again.', { isUsed: true })
  // Visitors share submission ids: another name is somebody who registers anew.
  if (account.id !== input.id || account.name !== input.name) throw emailTaken
  const user = await checkPassword(deps, input, { ip: from.ip, device: null }).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'wrong-credentials' ? emailTaken : error
  })
  if (user.hasSecondFactor) throw emailTaken
  return startSession(deps, user, from.userAgent)
}

export function selectVerified({ db }: Deps, user: { id: string }) {
  return db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, user.id))
}

/** At most 3 times in a quarter of an hour. Earlier links stay valid. */
export async function resendVerification(deps: Deps, user: { id: string; email: string; name: string }): Promise<void> {
  await consumeRateLimit(deps, [{ key: `verify:account:${user.id}`, ...limits.verificationEmailsOfAccount }])
  const { insert, enqueue } = await prepareVerification(deps, user)
  await deps.db.batch([insert, enqueue])
}

async function prepareVerification(deps: Deps, user: { id: string; email: string }) {
  const secret = newSecret()
  const tokenHash = await hashSecret(secret)
  const at = deps.now()
  return {
    insert: deps.db.insert(emailTokens).values({
      tokenHash,
      userId: user.id,
      purpose: 'verify-email',
      createdAt: at,
      expiresAt: at + verificationTtl,
    }),
    enqueue: enqueueEmail(
      deps,
      verificationEmail({
        email: user.email,
        tokenHash,
        link: deps.origin + localPath(`/verify-email?token=${secret}`),
      }),
    ),
  }
}

/**
 * False when the link is invalid, used or expired. It works only for the signed-in user it was sent to: an owner who
 * did not register must not verify an attacker's account (R6).
 */
export async function verifyEmail(
  { db, now, invalidate }: Deps,
  user: { id: string },
  secret: string,
): Promise<boolean> {
  const tokenHash = await hashSecret(secret)
  const at = now()
  const [, used] = await db.batch([
    db.run(sql`
      UPDATE users SET email_verified_at = coalesce(email_verified_at, ${at})
      WHERE id = ${user.id} AND id = (SELECT user_id FROM email_tokens WHERE token_hash = ${tokenHash} AND purpose = 'verify-email'
        AND used_at IS NULL AND expires_at > ${at})`),
    db
      .update(emailTokens)
      .set({ usedAt: at })
      .where(
        and(
          eq(emailTokens.tokenHash, tokenHash),
          eq(emailTokens.userId, user.id),
          eq(emailTokens.purpose, 'verify-email'),
          isNull(emailTokens.usedAt),
          gt(emailTokens.expiresAt, at),
        ),
      ),
  ])
  // The home page shows the reviews of who has verified an email.
  if (used.rowsAffected === 1) invalidate('reviews')
  return used.rowsAffected === 1
}

export interface UserSummary {
  id: string
  email: string
  name: string
  role: 'customer' | 'admin'
  staffRole: StaffRole | null
  isVerified: boolean
  isClosed: boolean
}

interface UserPage {
  users: UserSummary[]
  next: string | null
}

/** For admins: all users, oldest first; `after` is the cursor. */
export async function listUsers(
  { db }: Deps,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<UserPage> {
  return pageOfUsers(await selectAll(db, after).limit(rowsFor(limit)), limit)
}

/**
 * For admins: the users whose name or email has every word of `q`, oldest first, or all without words. Words of one or two characters
 * alone find the beginning of an email, from A to Z. `after` is the cursor. `chosen` is the user with the id `choose`, on any page.
 */
export async function searchUsers(
  { db }: Deps,
  {
    q,
    after,
    limit,
    choose = '',
  }: { q: string; after?: string | undefined; limit: number; choose?: string | undefined },
): Promise<UserPage & { chosen: UserSummary | null }> {
  const words = searchWords(q).map(fold)
  const long = words.filter(hasTrigram)
  const select = long.length > 0 ? selectMatches : selectByPrefix
  const page = words.length > 0 ? select(db, words, after) : selectAll(db, after)
  const [rows, [chosen]] = await db.batch([page.limit(rowsFor(limit)), selectUsers(db).where(eq(users.id, choose))])
  return { ...pageOfUsers(rows, limit), chosen: chosen ? toSummary(chosen) : null }
}

function selectAll(db: Deps['db'], after: string | undefined) {
  return selectUsers(db)
    .where(afterCursor([users.createdAt, users.id], '>', after))
    .orderBy(asc(users.createdAt), asc(users.id))
}

/** SQLite reads no more of the full-text index than the page needs. */
function selectMatches(db: Deps['db'], words: string[], after: string | undefined) {
  const cursor = after ? sql`found.rowid > (SELECT search_id FROM users WHERE id = ${after})` : undefined
  return db
    .select(userColumns)
    .from(sql`user_search AS found`)
    .innerJoin(users, sql`users.search_id = found.rowid`)
    .where(
      and(
        sql`found.user_search MATCH ${allOf(words.filter(hasTrigram))}`,
        cursor,
        ...words
          .filter((word) => !hasTrigram(word))
          .map((word) => hasWord(sql`(users.name || ' ' || users.email)`, word)),
      ),
    )
    .orderBy(sql`found.rowid`)
}

function selectByPrefix(db: Deps['db'], words: string[], after: string | undefined) {
  const prefix = words.join(' ')
  // One lower bound: of two, SQLite may start at the prefix.
  const start = after
    ? sql`${users.email} > max(${prefix}, (SELECT email FROM users WHERE id = ${after}))`
    : gte(users.email, prefix)
  return selectUsers(db)
    .where(and(start, lt(users.email, `${prefix}\u{10ffff}`)))
    .orderBy(asc(users.email))
}

const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  staffRole: users.staffRole,
  verifiedAt: users.emailVerifiedAt,
  closedAt: users.closedAt,
}

function selectUsers(db: Deps['db']) {
  return db.select(userColumns).from(users)
}

type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]

function pageOfUsers(rows: UserRow[], limit: number): UserPage {
  const { page, next } = pageOf(rows, limit)
  return { users: page.map(toSummary), next }
}

function toSummary({ verifiedAt, closedAt, ...user }: UserRow): UserSummary {
  return { ...user, isVerified: verifiedAt !== null, isClosed: closedAt !== null }
}

export async function deleteExpiredEmailTokens({ db, now }: Deps): Promise<void> {
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, now() - 24 * 60 * 60 * 1000))
}

export async function findRole({ db }: Deps, email: string): Promise<Role | null> {
  const [user] = await db.select({ role: effectiveRole }).from(users).where(eq(users.email, email))
  return user?.role ?? null
}

/** True if the user became an admin by this call (R8), null if nobody has this email. */
export async function grantAdmin({ db, now }: Deps, actor: string, email: string): Promise<boolean | null> {
  const isCandidate = and(eq(users.email, email), isNull(users.closedAt))
  const [granted, , matches] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, user_id)
      SELECT ${now()}, 'admin granted', ${actor}, id FROM users WHERE ${isCandidate} AND role <> 'admin'`),
    db.update(users).set({ role: 'admin', staffRole: null }).where(isCandidate),
    db.select({ id: users.id }).from(users).where(isCandidate),
  ])
  return matches.length === 1 ? granted.rowsAffected === 1 : null
}

/**
 * True if the user lost the role by this call, null if nobody has this email. Refuses the last admin, and an actor who is no admin
 * any more: of two admins who revoke each other at the same time, one stays.
 */
export async function revokeAdmin({ db, now }: Deps, actor: { id: string }, email: string): Promise<boolean | null> {
  const isAdmin = sql`role = 'admin' AND email_verified_at IS NOT NULL`
  const [revoked, , , [user]] = await db.batch([
    db.run(sql`
      UPDATE users SET role = 'customer' WHERE email = ${email} AND role = 'admin'
        AND EXISTS (SELECT 1 FROM users WHERE id = ${actor.id} AND ${isAdmin})
        AND EXISTS (SELECT 1 FROM users WHERE email <> ${email} AND ${isAdmin})`),
    // `changes() = 1`: only if the previous statement changed the row.
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, user_id)
      SELECT ${now()}, 'admin revoked', ${actor.id}, id FROM users WHERE email = ${email} AND changes() = 1`),
    db.run(sql`DELETE FROM api_keys WHERE user_id = (SELECT id FROM users WHERE email = ${email} AND role <> 'admin')`),
    db.select({ role: users.role }).from(users).where(eq(users.email, email)),
  ])
  if (user?.role === 'admin') throw new Refusal('conflict', 'The shop needs an admin: make somebody else one first.')
  return user ? revoked.rowsAffected === 1 : null
}

/**
 * Gives a customer one of the roles beside admin (R53), instead of the one before; null takes it away. It counts once the email is
 * verified, from the next request on. Idempotent. Refuses an admin, a closed account, and an actor who is no admin any more.
 */
export async function setStaffRole(
  { db, now }: Deps,
  actor: { id: string },
  userId: string,
  role: StaffRole | null,
): Promise<void> {
  const event = role ? 'staff role granted' : 'staff role revoked'
  const [, , [user]] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, user_id, note)
      SELECT ${now()}, ${event}, ${actor.id}, id, coalesce(${role}, staff_role)
      FROM users WHERE id = ${userId} AND role = 'customer' AND closed_at IS NULL AND staff_role IS NOT ${role}
        AND EXISTS (SELECT 1 FROM users WHERE id = ${actor.id} AND role = 'admin' AND email_verified_at IS NOT NULL)`),
    // `changes() = 1`: only if it is logged.
    db.run(sql`UPDATE users SET staff_role = ${role} WHERE id = ${userId} AND changes() = 1`),
    db
      .select({ role: users.role, staffRole: users.staffRole, closedAt: users.closedAt })
      .from(users)
      .where(eq(users.id, userId)),
  ])
  if (!user) throw new Refusal('not-found', 'There is no such user.')
  if (user.role === 'admin') throw new Refusal('conflict', 'An admin may do all of this. Revoke Admin first.')
  if (user.closedAt !== null) throw new Refusal('conflict', 'This account is closed.')
  if (user.staffRole !== role) throw new Refusal('forbidden', `${noLongerAdmin} Nothing was changed.`)
}

/** Beside 'You are no longer an admin. Nothing was changed.' of a role that ends during a request. */
export const noLongerAdmin = 'You are no longer an admin.'

/** For whoever is none. */
export async function wasAdmin({ db }: Deps, { id }: { id: string }): Promise<boolean> {
  return (await db.$count(auditLog, and(eq(auditLog.userId, id), eq(auditLog.event, 'admin revoked')))) > 0
}
