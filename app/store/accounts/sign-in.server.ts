import { and, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { passwords, sessions, users } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, newSecret } from '../ids.server'
import { passwordMatches } from './passwords.server'
import { Refusal } from '../refusal'
import type { User } from './sign-in'
import { consumeRateLimit, quarterHour, type RateLimit } from '../rate-limit.server'
import { emailAddress } from '../validation.server'

/** A session ends this many milliseconds after sign-in, whatever happens … */
const sessionMaxAge = 30 * 24 * 60 * 60 * 1000
/** … and when nobody has used it for this long. */
const sessionIdleTimeout = 7 * 24 * 60 * 60 * 1000
/** How exactly `seenAt` is kept: not every page writes. */
const seenInterval = 60 * 60 * 1000

export const SignIn = z.object({
  email: emailAddress,
  password: z
    .string({ error: 'Password is Required' })
    .min(6, { error: 'Must be 6 characters or longer' })
    .max(1000, { error: 'Must be at most 1000 characters' }),
})
export type SignIn = z.output<typeof SignIn>

/** A visitor who has just typed the password with this hash. */
export type ProvenVisitor = User & { passwordHash: string }

/** Where a try to sign in comes from. */
export interface SignInOrigin {
  /** The caller's network address. */
  address: string
  /** The id of this browser, if it has signed in to this very account before: a flood from elsewhere does not lock it out. */
  device: string | null
}

/**
 * The user with this address and password. Refuses in the same words, and after the same work, whether the address is
 * unknown or the password wrong (R7). Failed tries are counted by account and by network address, in the database:
 * beyond 10 from one address on one account, 50 from one address, or 100 on one account in a quarter of an hour (20 from a
 * browser that is known there), further ones are refused unheard.
 */
export async function checkPassword(
  deps: Deps,
  { email, password }: SignIn,
  from: SignInOrigin,
): Promise<ProvenVisitor> {
  const account = await hashSecret(email)
  const { takeBack } = await consumeRateLimit(deps, signInLimits(account, from))
  const visitor = await compare(deps, { email, password })
  await takeBack()
  return visitor
}

function signInLimits(account: string, { address, device }: SignInOrigin): [RateLimit, ...RateLimit[]] {
  if (device) return [{ key: `sign-in:known:${device}`, max: 20, window: quarterHour }]
  return [
    { key: `sign-in:both:${account}:${address}`, max: 10, window: quarterHour },
    { key: `sign-in:address:${address}`, max: 50, window: quarterHour },
    { key: `sign-in:account:${account}`, max: 100, window: quarterHour },
  ]
}

async function compare({ db }: Deps, { email, password }: SignIn): Promise<ProvenVisitor> {
  const [found] = await db
    .select({ id: users.id, email: users.email, name: users.name, role: users.role, hash: passwords.hash })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email))
  const matches = await passwordMatches(password, found?.hash ?? null)
  if (!found?.hash || !matches) throw wrongCredentials()
  return { id: found.id, email: found.email, name: found.name, role: found.role, passwordHash: found.hash }
}

export interface NewSession {
  /** Goes into the cookie, and is kept nowhere else. */
  secret: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Starts a session for a visitor who has just typed the password; always a new one, never one that the browser named (R3).
 * Refuses when the password was changed while it was being compared: a reset must end what was on its way, too.
 */
export async function startSession(
  deps: Deps,
  { id, passwordHash }: Pick<ProvenVisitor, 'id' | 'passwordHash'>,
  userAgent: string,
): Promise<NewSession> {
  const { session, row } = await createSession(deps, userAgent)
  const stored = await deps.db.run(sql`
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, seen_at, expires_at)
    SELECT ${row.tokenHash}, user_id, ${row.userAgent}, ${row.createdAt}, ${row.seenAt}, ${row.expiresAt}
    FROM passwords WHERE user_id = ${id} AND hash = ${passwordHash}`)
  if (stored.rowsAffected === 0) throw wrongCredentials()
  return session
}

function wrongCredentials(): Refusal {
  return new Refusal('wrong-credentials', 'This email and password do not belong together.')
}

/** A session of somebody whom a batch makes known: the session, and the statement that stores it. */
export async function prepareSession(deps: Deps, user: { id: string }, userAgent: string) {
  const { session, row } = await createSession(deps, userAgent)
  return { session, insert: deps.db.insert(sessions).values({ ...row, userId: user.id }) }
}

async function createSession({ now }: Deps, userAgent: string) {
  const secret = newSecret()
  const at = now()
  const session: NewSession = { secret, expiresAt: at + sessionMaxAge }
  const row = {
    tokenHash: await hashSecret(secret),
    userAgent: userAgent.slice(0, 300),
    createdAt: at,
    seenAt: at,
    expiresAt: session.expiresAt,
  }
  return { session, row }
}

/** True of a session that has neither run out nor gone without use for too long, at this moment (milliseconds since 1970). */
export function hasNotEnded(at: number) {
  return and(gt(sessions.expiresAt, at), gt(sessions.seenAt, at - sessionIdleTimeout))
}

/** Who holds this session, or null when it has ended. */
export async function findSessionUser({ db, now }: Deps, secret: string): Promise<User | null> {
  const tokenHash = await hashSecret(secret)
  const at = now()
  const [found] = await db
    .select({ id: users.id, email: users.email, name: users.name, role: users.role, seenAt: sessions.seenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), hasNotEnded(at)))
  if (!found) return null
  const { seenAt, ...visitor } = found
  if (seenAt < at - seenInterval) await db.update(sessions).set({ seenAt: at }).where(eq(sessions.tokenHash, tokenHash))
  return visitor
}

/** Ends a session for good: its cookie, and the access tokens that hang on it, are worth nothing from now on. */
export async function endSession({ db }: Deps, secret: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, await hashSecret(secret)))
}
