import { timingSafeEqual } from 'node:crypto'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { apiKeys, users } from '../../db/schema'
import type { SignedInUser } from '../accounts/sign-in'
import { effectiveRole } from '../accounts/sign-in.server'
import { day } from '../shared/dates'
import type { Deps } from '../deps'
import { base64url, hashSecret, newSecret } from '../shared/ids.server'
import { limits, maxApiKeys } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { checkbox, singleLine, submissionId } from '../shared/validation.server'
import { keyLifetimes, scopeFields, scopes, type Scope } from './scopes'

/** `cdk_`, the id of the row, and 256 random bits. The prefix tells scanners of source code what they have found. */
const pattern = /^cdk_([\w-]{16})_([\w-]{43})$/
const seenInterval = 60_000

export const NewApiKey = z
  .object({
    act: z.literal('make'),
    submissionId,
    name: singleLine({ label: 'Name', required: 'Name is Required', max: 60 }),
    readCatalogue: checkbox,
    writeCatalogue: checkbox,
    readOrders: checkbox,
    ship: checkbox,
    refund: checkbox,
    readCustomers: checkbox,
    days: z.enum(keyLifetimes, { error: 'Choose how long the key works' }).transform(Number),
  })
  .transform(({ act, submissionId, name, days, ...boxes }) => ({
    act,
    submissionId,
    name,
    days,
    scopes: scopes.filter((scope) => boxes[scopeFields[scope].field]),
  }))
  .refine((key) => key.scopes.length > 0, { path: ['readCatalogue'], error: 'Choose what the key may do' })
export type NewApiKey = z.output<typeof NewApiKey>

/**
 * Makes a key of this admin and returns its only copy: the shop stores a hash. Recorded in the audit log. Refuses a repeated
 * form, whose key was shown already, and more than `maxApiKeys` keys of the shop.
 */
export async function createApiKey(
  { db, now }: Deps,
  admin: { id: string },
  { name, scopes: granted, days, submissionId }: Omit<NewApiKey, 'act'>,
): Promise<{ key: string; expiresAt: number }> {
  const id = base64url(crypto.getRandomValues(new Uint8Array(12)))
  const secret = newSecret()
  const secretHash = await hashSecret(secret)
  const at = now()
  const expiresAt = at + days * day
  const note = `${name}: ${granted.join(' ')}`
  const mayMake = sql`id = ${admin.id} AND role = 'admin' AND (SELECT count(*) FROM api_keys) < ${maxApiKeys}`
  try {
    const [, added] = await db.batch([
      db.run(sql`
        INSERT INTO audit_log (at, event, actor, note, submission_id)
        SELECT ${at}, 'api key made', id, ${note}, ${`api key:${admin.id}:${submissionId}`} FROM users WHERE ${mayMake}`),
      db.run(sql`
        INSERT INTO api_keys (id, secret_hash, user_id, name, scopes, created_at, expires_at)
        SELECT ${id}, ${secretHash}, id, ${name}, ${granted.join(' ')}, ${at}, ${expiresAt} FROM users WHERE ${mayMake}`),
    ])
    if (added.rowsAffected === 0) throw new Refusal('conflict', `The shop has ${maxApiKeys} keys. Revoke one first.`)
  } catch (error) {
    if (!isBrokenRule(error)) throw error
    const message = 'This key was made already, and shown. If you did not see it, revoke it and make another one.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  return { key: `cdk_${id}_${secret}`, expiresAt }
}

/** Times in milliseconds since 1970. */
export interface ApiKey {
  id: string
  name: string
  scopes: Scope[]
  madeBy: string
  createdAt: number
  expiresAt: number
  /** At most a minute old while it is in use. */
  usedAt: number | null
  isExpired: boolean
}

/** All keys of the shop, oldest first. */
export async function listApiKeys({ db, now }: Deps): Promise<ApiKey[]> {
  const { id, name, scopes, createdAt, expiresAt, usedAt } = apiKeys
  const rows = await db
    .select({ id, name, scopes, createdAt, expiresAt, usedAt, madeBy: users.name })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .orderBy(asc(createdAt), asc(id))
    .limit(maxApiKeys)
  return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes), isExpired: row.expiresAt <= now() }))
}

/** Ends a key at once, whoever made it, and records who did. Idempotent. */
export async function revokeApiKey({ db, now }: Deps, admin: { id: string }, id: string): Promise<boolean> {
  const [, deleted] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, 'api key revoked', ${admin.id}, name || ': ' || scopes FROM api_keys WHERE id = ${id}`),
    db.delete(apiKeys).where(eq(apiKeys.id, id)),
  ])
  return deleted.rowsAffected === 1
}

export interface KeyUse {
  user: SignedInUser
  scopes: Scope[]
  /** Calls that are left in this window; negative: none, this one included. */
  remaining: number
  /** Seconds until the window ends. */
  reset: number
}

/**
 * Whose key it is, after counting this call: one round trip. Null for a key that is unknown, revoked or expired, or whose admin is none
 * any more. A wrong secret does not count, or anybody who has seen an id could use up a limit.
 */
export async function checkApiKey({ db, now }: Deps, key: string): Promise<KeyUse | null> {
  const [, id, secret] = pattern.exec(key) ?? []
  if (!id || !secret) return null
  const at = now()
  const secretHash = await hashSecret(secret)
  const { window, max } = limits.apiKeyCalls
  const until = (Math.floor(at / window) + 1) * window
  const isLive = and(eq(apiKeys.id, id), gt(apiKeys.expiresAt, at))
  const isAdmin = sql`(SELECT ${effectiveRole} FROM users WHERE id = ${apiKeys.userId}) = 'admin'`
  const [, [row]] = await db.batch([
    // The time of the last use goes along, once a minute: it costs no write of its own.
    db.run(sql`
      UPDATE api_keys SET
        calls = iif(window_until = ${until}, calls + 1, 1),
        window_until = ${until},
        used_at = iif(used_at > ${at - seenInterval}, used_at, ${at})
      WHERE ${isLive} AND secret_hash = ${secretHash} AND ${isAdmin}`),
    db
      .select({
        secretHash: apiKeys.secretHash,
        scopes: apiKeys.scopes,
        calls: apiKeys.calls,
        user: { id: users.id, email: users.email, name: users.name, role: effectiveRole },
      })
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .where(and(isLive, isAdmin)),
  ])
  if (!row || !timingSafeEqual(Buffer.from(row.secretHash), Buffer.from(secretHash))) return null
  return {
    // Never recent: no key gives power over accounts.
    user: { ...row.user, signedInAt: 0 },
    scopes: scopesOf(row.scopes),
    remaining: max - row.calls,
    reset: Math.ceil((until - at) / 1000),
  }
}

/** Counts further calls of a key that `checkApiKey` has let through. Returns how many are left in this window; negative: these were too many. */
export async function takeCalls({ db }: Deps, key: string, calls: number): Promise<number> {
  const [, id = ''] = pattern.exec(key) ?? []
  const [row] = await db
    .update(apiKeys)
    .set({ calls: sql`${apiKeys.calls} + ${calls}` })
    .where(eq(apiKeys.id, id))
    .returning({ calls: apiKeys.calls })
  return limits.apiKeyCalls.max - (row?.calls ?? Infinity)
}

function scopesOf(text: string): Scope[] {
  const granted = text.split(' ')
  return scopes.filter((scope) => granted.includes(scope))
}
