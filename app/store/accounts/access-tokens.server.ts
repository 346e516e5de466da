import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { isBrokenRule } from '../../db/open.server'
import { accessTokens, sessions, users } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, newSecret } from '../shared/ids.server'
import { maxAccessTokens } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { signedInUser } from './sign-in.server'

const tokenTtl = 60 * 60 * 1000

/** An opaque token for an hour (R4); it ends with its session. The caller must have checked the session. */
export async function issueAccessToken(
  { db, now }: Deps,
  sessionSecret: string,
): Promise<{ token: string; expiresAt: number }> {
  const token = `cdz_${newSecret()}`
  const at = now()
  const expiresAt = at + tokenTtl
  const row = {
    tokenHash: await hashSecret(token),
    sessionHash: await hashSecret(sessionSecret),
    createdAt: at,
    expiresAt,
  }
  try {
    await db.batch([
      db.insert(accessTokens).values(row),
      db.run(sql`
        DELETE FROM access_tokens WHERE session_hash = ${row.sessionHash} AND token_hash NOT IN (
          SELECT token_hash FROM access_tokens WHERE session_hash = ${row.sessionHash}
          ORDER BY created_at DESC, rowid DESC LIMIT ${maxAccessTokens})`),
    ])
  } catch (error) {
    // The foreign key fails when the session has just ended in another window.
    throw isBrokenRule(error) ? new Refusal('unauthenticated', 'Log in first.') : error
  }
  return { token, expiresAt }
}

export async function revokeAccessToken({ db }: Deps, token: string): Promise<void> {
  await db.delete(accessTokens).where(eq(accessTokens.tokenHash, await hashSecret(token)))
}

export async function deleteExpiredTokens({ db, now }: Deps): Promise<void> {
  await db.delete(accessTokens).where(lt(accessTokens.expiresAt, now()))
}

/** A statement that reads the user of a token, and SQL of the user's id: null when the token is not valid. */
export async function tokenUser({ db, now }: Deps, token: string) {
  const at = now()
  const isValid = and(
    eq(accessTokens.tokenHash, await hashSecret(token)),
    gt(accessTokens.expiresAt, at),
    gt(sessions.expiresAt, at),
  )
  const bySession = eq(sessions.tokenHash, accessTokens.sessionHash)
  const select = db
    .select(signedInUser)
    .from(accessTokens)
    .innerJoin(sessions, bySession)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isValid)
  const id = db.select({ id: sessions.userId }).from(accessTokens).innerJoin(sessions, bySession).where(isValid)
  return { select, id: sql`${id}` }
}
