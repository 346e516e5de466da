import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { passwords, secondFactors, users } from '../../../db/schema'
import type { Deps } from '../../deps'
import { day } from '../../shared/dates'
import { enqueueEmail, enqueueEmailIf } from '../../email/outbox.server'
import { accountNotice, wrongCodesEmail } from '../../email/templates.server'
import { decrypt, encrypt } from '../../shared/encryption.server'
import { hashSecret, newId } from '../../shared/ids.server'
import { limits, quarterHour } from '../../shared/limits'
import { consumeRateLimit } from '../../shared/rate-limit.server'
import { Refusal } from '../../shared/refusal'
import type { User } from '../sign-in'
import {
  accountColumns,
  checkPassword,
  isSecondFactorOn,
  passwordMark,
  startSession,
  type NewSession,
  type SignInOrigin,
} from '../sign-in.server'
import { base32, newTotpSecret, stepOf, totpUri } from './totp.server'
import { shopName } from '../../../shop-name'
import { plainSigns } from '../../shared/text'

/** 120 random bits, so that a fast hash is enough. */
const recoveryCodeBytes = 15
const recoveryCodeCount = 8

export const SecondFactorCode = z
  .string({ error: 'Code is Required' })
  .overwrite(plainSigns)
  .trim()
  .max(100, { error: 'This code is too long' })

export type SecondFactor =
  | { state: 'off' }
  /** The secret is shown until the first code from it, for a quarter of an hour. */
  | { state: 'pending'; secret: string; uri: string }
  | { state: 'on'; since: number; recoveryCodes: number }

type Owner = Pick<User, 'id' | 'email'>

/** For the user's own page. */
export async function readSecondFactor(
  deps: Deps,
  user: Owner,
): Promise<{ factor: SecondFactor; hasPassword: boolean; isVerified: boolean }> {
  const [row] = await deps.db
    .select({
      secret: secondFactors.secret,
      createdAt: secondFactors.createdAt,
      confirmedAt: secondFactors.confirmedAt,
      verifiedAt: users.emailVerifiedAt,
      hasPassword: sql<number>`EXISTS (SELECT 1 FROM passwords WHERE user_id = ${user.id})`,
      recoveryCodes: sql<number>`(SELECT count(*) FROM recovery_codes WHERE user_id = ${user.id})`,
    })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, user.id))
  const { confirmedAt, recoveryCodes, hasPassword, verifiedAt } = row!
  const rest = { hasPassword: hasPassword === 1, isVerified: verifiedAt !== null }
  if (confirmedAt !== null) return { factor: { state: 'on', since: confirmedAt, recoveryCodes }, ...rest }
  const isFresh = row!.createdAt !== null && row!.createdAt > deps.now() - quarterHour
  const secret = isFresh ? await decrypt(deps, row!.secret!, user.id) : null
  if (!secret) return { factor: { state: 'off' }, ...rest }
  return { factor: { state: 'pending', secret: base32(secret), uri: totpUri(secret, user.email) }, ...rest }
}

/**
 * Makes a new secret, which `confirmSecondFactor` switches on. Asks for the password. Refuses while one is on, and an unverified
 * email: whoever registered it could lock its owner out (R6).
 */
export async function beginSecondFactor(
  deps: Deps,
  { user, password, from }: { user: Owner; password: string; from: SignInOrigin },
): Promise<void> {
  await checkPassword(deps, { email: user.email, password }, from)
  const secret = await encrypt(deps, Uint8Array.from(newTotpSecret()), user.id)
  const begun = await deps.db.run(sql`
    INSERT INTO second_factors (user_id, secret, created_at)
    SELECT id, ${secret}, ${deps.now()} FROM users WHERE id = ${user.id} AND email_verified_at IS NOT NULL
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
    WHERE confirmed_at IS NULL`)
  if (begun.rowsAffected === 0) throw new Refusal('conflict', 'It is on already, or your email is not verified yet.')
}

/**
 * Switches the second factor on with the first code of the app, and returns the recovery codes, which are stored as hashes.
 * Ends the user's other sessions.
 */
export async function confirmSecondFactor(
  deps: Deps,
  user: Owner,
  { code, sessionSecret }: { code: string; sessionSecret: string },
): Promise<string[]> {
  const { db, now } = deps
  const at = now()
  const { undo } = await consumeRateLimit(deps, codeLimits(deps, user, 'app', null))
  const [row] = await db
    .select({ secret: secondFactors.secret, createdAt: secondFactors.createdAt })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, user.id), isNull(secondFactors.confirmedAt)))
  if (!row || row.createdAt <= at - quarterHour) throw new Refusal('conflict', 'Please begin again.')
  const step = await stepOfCode(deps, user, row.secret, code)
  if (step === null) throw wrongCode()
  await undo
  const isPending = sql`EXISTS (
    SELECT 1 FROM second_factors WHERE user_id = ${user.id} AND confirmed_at IS NULL AND secret = ${row.secret})`
  const { codes, insert } = await prepareRecoveryCodes(deps, user, isPending)
  const [, , , , confirmed] = await db.batch([
    insert,
    logChange(deps, { user, actor: user.id, event: 'second factor on' }, isPending),
    enqueueEmailIf(deps, noticeOf(deps, user, true), isPending),
    endOtherSessions(deps, user, await hashSecret(sessionSecret), isPending),
    // Last, because the statements above depend on it.
    db.run(sql`
      UPDATE second_factors SET confirmed_at = ${at}, last_step = ${step} WHERE user_id = ${user.id} AND ${isPending}`),
  ])
  if (confirmed.rowsAffected === 0) throw new Refusal('conflict', 'This was changed in another window.')
  return codes
}

interface Proof {
  user: Owner
  password: string
  code: string
  from: SignInOrigin
}

/** Asks for the password and a code. Ends the user's other sessions. */
export async function removeSecondFactor(
  deps: Deps,
  { sessionSecret, ...proof }: Proof & { sessionSecret: string },
): Promise<void> {
  const { user } = proof
  await checkPassword(deps, { email: user.email, password: proof.password }, proof.from)
  await useCode(deps, user, proof.code)
  const isOn = isSecondFactorOn(user.id)
  await deps.db.batch([
    endOtherSessions(deps, user, await hashSecret(sessionSecret), isOn),
    ...removal(deps, user, user.id, isOn),
  ])
}

/** For the operator, when somebody has lost phone and codes. False if none was on, null if nobody has this email. */
export async function resetSecondFactor(deps: Deps, actor: string, email: string): Promise<boolean | null> {
  const [user] = await deps.db.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email))
  if (!user) return null
  const [logged] = await deps.db.batch(removal(deps, user, actor, isSecondFactorOn(user.id)))
  return logged.rowsAffected === 1
}

function removal(deps: Deps, user: Owner, actor: string, isOn: SQL) {
  return [
    logChange(deps, { user, actor, event: 'second factor off' }, isOn),
    enqueueEmailIf(deps, noticeOf(deps, user, false), isOn),
    // Its recovery codes go with it.
    deps.db.delete(secondFactors).where(eq(secondFactors.userId, user.id)),
  ] as const
}

/** New ones in place of the others. Asks for the password and a code. */
export async function renewRecoveryCodes(deps: Deps, { user, password, code, from }: Proof): Promise<string[]> {
  await checkPassword(deps, { email: user.email, password }, from)
  await useCode(deps, user, code)
  const isOn = isSecondFactorOn(user.id)
  const { codes, insert } = await prepareRecoveryCodes(deps, user, isOn)
  await deps.db.batch([
    deps.db.run(sql`DELETE FROM recovery_codes WHERE user_id = ${user.id}`),
    insert,
    logChange(deps, { user, actor: user.id, event: 'recovery codes renewed' }, isOn),
  ])
  return codes
}

/**
 * Uses up a code of the user's app, or a recovery code: each works once, also when it is sent twice at the same time. Refuses any
 * other. Only failures count against the limits, apart for browsers that have signed in before (`knownDevice`).
 */
export async function useCode(
  deps: Deps,
  user: Owner,
  code: string,
  knownDevice: string | null = null,
): Promise<'app' | 'recovery'> {
  const kind = /^\d{6}$/.test(normalize(code)) ? 'app' : 'recovery'
  const words = kind === 'app' ? 'Too many wrong codes. A recovery code still works.' : 'Too many wrong codes.'
  const { undo } = await consumeRateLimit(deps, codeLimits(deps, user, kind, knownDevice), words)
  const isRight = await (kind === 'app' ? useAppCode(deps, user, code) : useRecoveryCode(deps, user, code))
  if (!isRight) {
    await warnOwner(deps, user)
    throw wrongCode()
  }
  await undo
  return kind
}

/** Whoever enters a code has the password. The owner gets an email at the tenth wrong one of a day, at once with the narrowest limit. */
async function warnOwner(deps: Deps, { id, email }: Owner): Promise<void> {
  const ofDay = { key: `code:email:${id}`, ...limits.wrongCodesBeforeEmail }
  await consumeRateLimit(deps, [ofDay]).catch(async (error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const today = Math.floor(deps.now() / day)
    await enqueueEmail(deps, wrongCodesEmail({ email, userId: id, day: today, origin: deps.origin }))
  })
}

/** A login whose password or Google account was right, and which waits for its code. */
export interface PendingSignIn {
  userId: string
  /** Null after a login by Google. */
  passwordMark: string | null
}

/** Starts the session. Refuses a wrong code, and a password that has changed in the meantime. `device` as in `SignInOrigin`. */
export async function finishSignIn(
  deps: Deps,
  pending: PendingSignIn,
  code: string,
  { userAgent, device }: { userAgent: string } & Pick<SignInOrigin, 'device'>,
): Promise<{ user: User; passwordHash: string | null; session: NewSession; by: 'app' | 'recovery' }> {
  const [row] = await deps.db
    .select(accountColumns)
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, pending.userId))
  const mark = row?.hash != null ? await passwordMark(row.hash) : null
  const byPassword = pending.passwordMark !== null
  if (!row || (byPassword && mark !== pending.passwordMark))
    throw new Refusal('unauthenticated', 'Please log in again.')
  const { hash, hasSecondFactor: _, ...user } = row
  const by = await useCode(deps, user, code, device?.passwordMark === mark ? device.id : null)
  const passwordHash = byPassword ? hash : null
  const session = await startSession(deps, { id: user.id, passwordHash }, userAgent, { withCode: true })
  return { user, passwordHash, session, by }
}

async function useAppCode(deps: Deps, user: Owner, code: string): Promise<boolean> {
  const [row] = await deps.db
    .select({ secret: secondFactors.secret })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, user.id), isNotNull(secondFactors.confirmedAt)))
  const step = row ? await stepOfCode(deps, user, row.secret, code) : null
  if (!row || step === null) return false
  const used = await deps.db.run(sql`
    UPDATE second_factors SET last_step = ${step}
    WHERE user_id = ${user.id} AND secret = ${row.secret} AND last_step < ${step}`)
  return used.rowsAffected === 1
}

async function useRecoveryCode(deps: Deps, user: Owner, code: string): Promise<boolean> {
  const { db, origin } = deps
  const hash = await hashSecret(normalize(code))
  const what = `Somebody has used one of your recovery codes for ${shopName}. It does not work again.`
  const notice = accountNotice({ id: hash, email: user.email, subject: 'A recovery code was used', what, origin })
  const wasUsed = sql`changes() = 1`
  const [used] = await db.batch([
    db.run(sql`DELETE FROM recovery_codes WHERE user_id = ${user.id} AND code_hash = ${hash}`),
    logChange(deps, { user, actor: user.id, event: 'recovery code used' }, wasUsed),
    enqueueEmailIf(deps, notice, wasUsed),
  ])
  return used.rowsAffected === 1
}

/** Null also when the secret was encrypted with an earlier key: then a recovery code still works. */
async function stepOfCode(deps: Deps, user: Owner, encrypted: string, code: string): Promise<number | null> {
  const secret = await decrypt(deps, encrypted, user.id)
  return secret && /^\d{6}$/.test(normalize(code)) ? stepOf(secret, normalize(code), deps.now()) : null
}

function normalize(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

/** Nobody guesses a recovery code, so the account alone limits none: who guesses codes of the app cannot lock its owner out. */
function codeLimits({ ip }: Deps, { id }: Owner, kind: 'app' | 'recovery', knownDevice: string | null) {
  const from = knownDevice === null ? ip : `known:${knownDevice}`
  const ofOne = { key: `code:${kind}:${id}:${from}`, ...limits.wrongCodesOfAccountFromIp }
  if (kind === 'recovery') return [ofOne]
  const among = knownDevice === null ? id : `${id}:known`
  return [
    ofOne,
    { key: `code:account:${among}`, ...limits.wrongCodesOfAccount },
    { key: `code:day:${among}`, ...limits.wrongCodesOfAccountADay },
  ]
}

function wrongCode(): Refusal {
  const message = 'This code is wrong, or was used before. Wait for the next one.'
  return new Refusal('wrong-code', '', { fields: { code: [message] } })
}

/** Such as `ABCD-EFGH-…`, in six groups. Only their hashes are stored. */
async function prepareRecoveryCodes({ db }: Deps, { id }: Owner, condition: SQL) {
  const newCode = () => base32(randomBytes(recoveryCodeBytes)).match(/.{4}/g)!.join('-')
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  const hashes = await Promise.all(codes.map((code) => hashSecret(normalize(code))))
  const rows = hashes.map((hash) => sql`SELECT ${id}, ${hash} WHERE ${condition}`)
  const insert = db.run(sql`INSERT INTO recovery_codes (user_id, code_hash) ${sql.join(rows, sql` UNION ALL `)}`)
  return { codes, insert }
}

function endOtherSessions({ db }: Deps, { id }: Owner, thisHash: string, condition: SQL) {
  return db.run(sql`DELETE FROM sessions WHERE user_id = ${id} AND token_hash <> ${thisHash} AND ${condition}`)
}

type Change = 'second factor on' | 'second factor off' | 'recovery code used' | 'recovery codes renewed'

function logChange(
  { db, now }: Deps,
  { user, actor, event }: { user: Owner; actor: string; event: Change },
  condition: SQL,
) {
  return db.run(sql`
    INSERT INTO audit_log (at, event, actor, user_id) SELECT ${now()}, ${event}, ${actor}, ${user.id} WHERE ${condition}`)
}

function noticeOf({ origin }: Deps, { email }: Owner, isOn: boolean) {
  const subject = isOn ? 'Your second factor is on' : 'Your second factor is off'
  const what = isOn
    ? `From now on, a login to your account at ${shopName} asks for a code of your authenticator app.`
    : `From now on, a login to your account at ${shopName} asks for no code of an authenticator app any more.`
  return accountNotice({ id: newId(), email, subject, what, origin })
}
