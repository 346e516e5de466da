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

/** Milliseconds after sign-in. */
const sessionMaxAge = 30 * 24 * 60 * 60 * 1000
/** Milliseconds without a request. */
const sessionIdleTimeout = 7 * 24 * 60 * 60 * 1000
/** `seenAt` is at most this old, in milliseconds: not every request writes. */
const seenInterval = 60 * 60 * 1000

export const SignIn = z.object({
  email: emailAddress,
  password: z
    .string({ error: 'Password is Required' })
    .min(6, { error: 'Must be 6 characters or longer' })
    .max(1000, { error: 'Must be at most 1000 characters' }),
})
export type SignIn = z.output<typeof SignIn>

export type AuthenticatedUser = User & { passwordHash: string }

export interface SignInOrigin {
  address: string
  /** Set if this browser has signed in to the account before: attackers elsewhere cannot lock it out. */
  device: string | null
}

/**
 * Refuses an unknown email and a wrong password with the same message, after the same work (R7). Only failures count
 * against the rate limits; above a limit even the right password is refused.
 */
export async function checkPassword(
  deps: Deps,
  { email, password }: SignIn,
  origin: SignInOrigin,
): Promise<AuthenticatedUser> {
  const account = await hashSecret(email)
  const { undo } = await consumeRateLimit(deps, signInLimits(account, origin))
  const user = await comparePassword(deps, { email, password })
  await undo()
  return user
}

function signInLimits(account: string, { address, device }: SignInOrigin): [RateLimit, ...RateLimit[]] {
  if (device) return [{ key: `sign-in:known:${device}`, max: 20, window: quarterHour }]
  return [
    { key: `sign-in:both:${account}:${address}`, max: 10, window: quarterHour },
    { key: `sign-in:address:${address}`, max: 50, window: quarterHour },
    { key: `sign-in:account:${account}`, max: 100, window: quarterHour },
  ]
}

async function comparePassword({ db }: Deps, { email, password }: SignIn): Promise<AuthenticatedUser> {
  const [row] = await db
    .select({ id: users.id, email: users.email, name: users.name, role: users.role, hash: passwords.hash })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email))
  const matches = await passwordMatches(password, row?.hash ?? null)
  if (!row?.hash || !matches) throw wrongCredentials()
  return { id: row.id, email: row.email, name: row.name, role: row.role, passwordHash: row.hash }
}

export interface NewSession {
  /** Goes into the cookie; only its hash is stored. */
  secret: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Starts a session, always with a new secret (R3). Refuses when the password has changed since it was compared: a reset
 * must stop sign-ins in progress too.
 */
export async function startSession(
  deps: Deps,
  { id, passwordHash }: Pick<AuthenticatedUser, 'id' | 'passwordHash'>,
  userAgent: string,
): Promise<NewSession> {
  const { session, row } = await createSession(deps, userAgent)
  const inserted = await deps.db.run(sql`
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, seen_at, expires_at)
    SELECT ${row.tokenHash}, user_id, ${row.userAgent}, ${row.createdAt}, ${row.seenAt}, ${row.expiresAt}
    FROM passwords WHERE user_id = ${id} AND hash = ${passwordHash}`)
  if (inserted.rowsAffected === 0) throw wrongCredentials()
  return session
}

function wrongCredentials(): Refusal {
  return new Refusal('wrong-credentials', 'This email and password do not belong together.')
}

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

/** `at` in milliseconds since 1970. */
export function hasNotEnded(at: number) {
  return and(gt(sessions.expiresAt, at), gt(sessions.seenAt, at - sessionIdleTimeout))
}

export async function findSessionUser({ db, now }: Deps, secret: string): Promise<User | null> {
  const tokenHash = await hashSecret(secret)
  const at = now()
  const [row] = await db
    .select({ id: users.id, email: users.email, name: users.name, role: users.role, seenAt: sessions.seenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), hasNotEnded(at)))
  if (!row) return null
  const { seenAt, ...user } = row
  if (seenAt < at - seenInterval) await db.update(sessions).set({ seenAt: at }).where(eq(sessions.tokenHash, tokenHash))
  return user
}

export async function endSession({ db }: Deps, secret: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, await hashSecret(secret)))
}
