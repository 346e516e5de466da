import { and, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { emailTokens, passwords, sessions, users } from '../../db/schema'
import type { BatchPart } from '../shared/batch.server'
import type { Deps } from '../deps'
import { hashSecret, newSecret } from '../shared/ids.server'
import { passwordMatches } from './passwords.server'
import { Refusal } from '../shared/refusal'
import type { Role, SignedInUser, User } from './sign-in'
import { enqueueEmailIf } from '../email/outbox.server'
import { signInLinkEmail } from '../email/templates.server'
import { limits, maxSessions, quarterHour } from '../shared/limits'
import { countProblems, countRows } from '../shared/open-problems.server'
import { consumeRateLimit, networkOf, prepareRateLimit, type RateLimit } from '../shared/rate-limit.server'
import { emailAddress } from '../shared/validation.server'
import { localPath } from '../../i18n/paths'
import { cutText } from '../shared/text'

/** Milliseconds after sign-in. */
const sessionMaxAge = 30 * 24 * 60 * 60 * 1000
/** Milliseconds without a request. */
const sessionIdleTimeout = 7 * 24 * 60 * 60 * 1000
/** `seenAt` is at most this old, in milliseconds: not every request writes. */
const seenInterval = 60 * 60 * 1000

const tooShort = 'Must be 6 characters or longer'

export const SignIn = z.object({
  email: emailAddress,
  password: z
    .string({ error: 'Password is Required' })
    // An older one may have been counted by the longer spelling.
    .refine((password) => password.normalize('NFD').length >= 6, { error: tooShort })
    .max(1000, { error: 'Must be at most 1000 characters' }),
})
export type SignIn = z.output<typeof SignIn>

/** Spec section 5, counted as it is hashed. */
export const newPassword = SignIn.shape.password.refine((password) => password.normalize('NFC').length >= 6, {
  error: tooShort,
})

export type AuthenticatedUser = User & {
  passwordHash: string
  /** A login needs a code too. */
  hasSecondFactor: boolean
}

export interface SignInOrigin {
  ip: string
  /** Set if this browser has signed in to the account before: attackers elsewhere cannot lock it out. */
  device: { id: string; passwordMark: string } | null
}

/**
 * Refuses an unknown email and a wrong password with the same message, after the same work (R7). Only failures count
 * against the rate limits, but for the one of all sign-ins from an IP address; above a limit even the right password is
 * refused. Above the limit of the account, its owner gets a link by email that lets one more browser try.
 */
export async function checkPassword(deps: Deps, input: SignIn, origin: SignInOrigin): Promise<AuthenticatedUser> {
  const { user, forgive } = await verifyPassword(deps, input, origin)
  await forgive
  return user
}

/** The same; the caller must run `forgive`, which takes the attempt off the count of failures. */
export async function verifyPassword(deps: Deps, { email, password }: SignIn, origin: SignInOrigin) {
  const account = await hashSecret(email)
  const ofAll = prepareRateLimit(deps, [{ key: `sign-in:all:${origin.ip}`, ...limits.signInsFromIp }])
  const [count, [row]] = await deps.db.batch([
    ofAll.statements[0]!,
    deps.db
      .select(accountColumns)
      .from(users)
      .leftJoin(passwords, eq(passwords.userId, users.id))
      .where(eq(users.email, email)),
  ])
  ofAll.requireFree([count])
  const isKnown = row?.hash != null && origin.device?.passwordMark === (await passwordMark(row.hash))
  const accountLimit = { key: `sign-in:account:${account}`, ...limits.failedSignInsOfAccount }
  const { undo } = await consumeRateLimit(
    deps,
    isKnown
      ? [{ key: `sign-in:known:${origin.device!.id}`, ...limits.failedSignInsOfDevice }]
      : [...originLimits(account, origin.ip), accountLimit],
  ).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.limit !== accountLimit.key) throw error
    await enqueueSignInLink(deps, email)
    throw accountLimited(error)
  })
  if (!(await passwordMatches(password, row?.hash ?? null)) || !row?.hash) throw wrongCredentials()
  const { hash, hasSecondFactor, ...rest } = row
  const user: AuthenticatedUser = { ...rest, passwordHash: hash, hasSecondFactor: hasSecondFactor === 1 }
  return { user, forgive: undo }
}

function originLimits(account: string, ip: string): RateLimit[] {
  const network = networkOf(ip)
  return [
    { key: `sign-in:both:${account}:${ip}`, ...limits.failedSignInsOfAccountFromIp },
    { key: `sign-in:ip:${ip}`, ...limits.failedSignInsFromIp },
    ...(network
      ? [
          { key: `sign-in:both:${account}:${network}`, ...limits.failedSignInsOfAccountFromNetwork },
          { key: `sign-in:network:${network}`, ...limits.failedSignInsFromNetwork },
        ]
      : []),
  ]
}

function accountLimited({ retryAfter = 0, limit }: Refusal): Refusal {
  const message =
    'Too many wrong passwords for this account. If it is yours, open the link in the email that we sent you, then log in again.'
  return new Refusal('too-many', message, { retryAfter, limit })
}

/** The same for the same password: what a browser is known by ends when the password changes. */
export async function passwordMark(passwordHash: string): Promise<string> {
  return (await hashSecret(`mark:${passwordHash}`)).slice(0, 16)
}

/** At most one in a quarter of an hour. The same statements for an unknown email (R7). */
async function enqueueSignInLink(deps: Deps, email: string): Promise<void> {
  const { db, now, origin } = deps
  const secret = newSecret()
  const tokenHash = await hashSecret(secret)
  const at = now()
  const link = signInLinkEmail({ email, tokenHash, link: origin + localPath(`/login?device=${secret}`) })
  await db.batch([
    db.run(sql`
      INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at)
      SELECT ${tokenHash}, u.id, 'sign-in', ${at}, ${at + 2 * quarterHour} FROM users u JOIN passwords ON user_id = u.id
      WHERE u.email = ${email} AND NOT EXISTS (
        SELECT 1 FROM email_tokens t WHERE t.user_id = u.id AND purpose = 'sign-in' AND t.created_at > ${at - quarterHour})`),
    enqueueEmailIf(deps, link, sql`EXISTS (SELECT 1 FROM email_tokens WHERE token_hash = ${tokenHash})`),
  ])
}

/** Whose mailed link lets a browser try a password, or null when it has expired. Works more than once: mail scanners open links. */
export async function findSignInLink(
  { db, now }: Deps,
  secret: string,
): Promise<Pick<AuthenticatedUser, 'email' | 'passwordHash'> | null> {
  const [row] = await db
    .select({ email: users.email, passwordHash: passwords.hash })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.userId))
    .innerJoin(passwords, eq(passwords.userId, users.id))
    .where(
      and(
        eq(emailTokens.tokenHash, await hashSecret(secret)),
        eq(emailTokens.purpose, 'sign-in'),
        isNull(emailTokens.usedAt),
        gt(emailTokens.expiresAt, now()),
      ),
    )
  return row ?? null
}

/** A role counts once the email is verified (R51). */
export const effectiveRole = sql<Role>`CASE WHEN ${users.emailVerifiedAt} IS NULL THEN 'customer'
  WHEN ${users.role} = 'admin' THEN 'admin' ELSE coalesce(${users.staffRole}, 'customer') END`

/** SQL: a login to this account needs a code. */
export function isSecondFactorOn(userId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`
}

/** With the password's hash: left join `passwords`. */
export const accountColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: effectiveRole,
  hash: passwords.hash,
  hasSecondFactor: sql<number>`${isSecondFactorOn(sql`users.id`)}`,
}

export const signedInUser = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: effectiveRole,
  signedInAt: sessions.createdAt,
}

/** What gives power over accounts asks for the password again after 15 minutes: somebody may have found the browser open. */
export function isRecentSignIn({ now }: Pick<Deps, 'now'>, user: SignedInUser): boolean {
  return user.signedInAt > now() - quarterHour
}

export interface NewSession {
  /** Goes into the cookie; only its hash is stored. */
  secret: string
  /** Milliseconds since 1970. */
  expiresAt: number
  userId: string
}

/**
 * Starts a session, always with a new secret (R3). Refuses when the password has changed since it was compared (a reset
 * must stop sign-ins in progress too), and without a code where a second factor is on. `passwordHash` is null after a login by
 * Google or by a passkey; `also` runs in the same batch, `onlyIf` is a further condition.
 */
export async function startSession(
  deps: Deps,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  userAgent: string,
  { withCode = false, also, onlyIf }: { withCode?: boolean; also?: BatchItem<'sqlite'>; onlyIf?: SQL } = {},
): Promise<NewSession> {
  const { session, row } = await createSession(deps, { id }, userAgent)
  const isPassword = sql`EXISTS (SELECT 1 FROM passwords WHERE user_id = ${id} AND hash = ${passwordHash})`
  const condition = and(
    sql`closed_at IS NULL`,
    passwordHash === null ? undefined : isPassword,
    withCode ? undefined : sql`NOT ${isSecondFactorOn(id)}`,
    onlyIf,
  )
  const insertion = deps.db.run(sql`
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, seen_at, expires_at)
    SELECT ${row.tokenHash}, id, ${row.userAgent}, ${row.createdAt}, ${row.seenAt}, ${row.expiresAt}
    FROM users WHERE ${and(eq(sql`id`, id), condition)}`)
  const [inserted] = await deps.db.batch([insertion, endOldSessions(deps, id), ...(also ? [also] : [])])
  if (inserted.rowsAffected === 0) throw wrongCredentials()
  return session
}

function wrongCredentials(): Refusal {
  return new Refusal('wrong-credentials', 'Wrong email or password.')
}

/** For the batch that creates the user. */
export async function prepareSession(deps: Deps, user: { id: string }, userAgent: string) {
  const { session, row } = await createSession(deps, user, userAgent)
  return { session, insert: deps.db.insert(sessions).values(row) }
}

/** For the batch that adds a session. */
function endOldSessions({ db }: Deps, userId: string) {
  return db.run(sql`
    DELETE FROM sessions WHERE user_id = ${userId} AND token_hash NOT IN (
      SELECT token_hash FROM sessions WHERE user_id = ${userId} ORDER BY seen_at DESC, rowid DESC LIMIT ${maxSessions})`)
}

async function createSession({ now }: Deps, { id: userId }: { id: string }, userAgent: string) {
  const secret = newSecret()
  const at = now()
  const session: NewSession = { secret, expiresAt: at + sessionMaxAge, userId }
  const row = {
    tokenHash: await hashSecret(secret),
    userId,
    userAgent: cutText(userAgent, 300),
    createdAt: at,
    seenAt: at,
    expiresAt: session.expiresAt,
  }
  return { session, row }
}

/** `at` in milliseconds since 1970. */
export function hasNotEnded(at: number) {
  return and(gt(sessions.expiresAt, at), gt(sessions.seenAt, at - sessionIdleTimeout))
}

export async function findSessionUser({ db, now }: Deps, secret: string): Promise<SignedInUser | null> {
  const tokenHash = await hashSecret(secret)
  const at = now()
  const [row] = await db
    .select({ ...signedInUser, ...waiting(at), seenAt: sessions.seenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), hasNotEnded(at)))
  if (!row) return null
  const { seenAt, messages, quotes, problems, ...user } = row
  if (seenAt < at - seenInterval) await db.update(sessions).set({ seenAt: at }).where(eq(sessions.tokenHash, tokenHash))
  return user.role === 'admin' ? { ...user, waiting: { messages, quotes, problems } } : user
}

/** For the menu of an admin: read with the session, it costs no round trip, and for anybody else SQLite counts nothing. */
const waiting = (at: number) => ({
  messages: forAdmins(countRows(sql`contact_messages WHERE done_at IS NULL`)),
  quotes: forAdmins(countRows(sql`quotes WHERE state = 'asked'`)),
  problems: forAdmins(countProblems(at)),
})

function forAdmins(count: SQL): SQL<number> {
  return sql<number>`iif(${users.role} = 'admin', ${count}, 0)`
}

/** SQL of the id of whoever is signed in; null when nobody is. */
export type CallerId = SQL

/** A statement that reads the user of a session, and SQL of the user's id: null when the session has ended. */
export async function sessionUser({ db, now }: Deps, secret: string) {
  const isActive = and(eq(sessions.tokenHash, await hashSecret(secret)), hasNotEnded(now()))
  const select = db.select(signedInUser).from(sessions).innerJoin(users, eq(users.id, sessions.userId)).where(isActive)
  const id = db.select({ id: sessions.userId }).from(sessions).where(isActive)
  return { select, id: sql`${id}` }
}

/** Reads the user in one batch with `part`, whose result is `begun`; null when a rule of the database refuses its write. */
export async function beginWith<T>(
  deps: Deps,
  { select }: { select: RunnableQuery<SignedInUser[], 'sqlite'> },
  part: BatchPart<T>,
): Promise<{ caller: SignedInUser | null; begun: T } | null> {
  try {
    const [begun, [caller]] = await part.runWith(deps, select)
    return { caller: caller ?? null, begun }
  } catch (error) {
    if (isBrokenRule(error)) return null
    throw error
  }
}

export async function endSession({ db }: Deps, secret: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, await hashSecret(secret)))
}
