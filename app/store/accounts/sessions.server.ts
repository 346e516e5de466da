import { and, desc, eq, lt, ne, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret } from '../shared/ids.server'
import { selectPasskeys, type Passkey } from './passkeys/passkeys.server'
import { hasNotEnded } from './sign-in.server'

/** Times in milliseconds since 1970. */
export interface SessionSummary {
  /** Part of the hash: it names the session, and opens nothing. */
  id: string
  userAgent: string
  createdAt: number
  seenAt: number
  isThis: boolean
}

const publicId = sql<string>`substr(${sessions.tokenHash}, 1, 16)`

/** The user's active sessions, most recently used first, at most 50; and the passkeys. One round trip. */
export async function listSessions(
  deps: Deps,
  user: { id: string },
  thisSecret: string,
): Promise<{ sessions: SessionSummary[]; passkeys: Passkey[] }> {
  const { db, now } = deps
  const thisHash = await hashSecret(thisSecret)
  const active = db
    .select({
      id: publicId,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      seenAt: sessions.seenAt,
      isThis: sql<number>`${sessions.tokenHash} = ${thisHash}`,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), hasNotEnded(now())))
    .orderBy(desc(sessions.seenAt))
    .limit(50)
  const [rows, passkeys] = await db.batch([active, selectPasskeys(deps, user)])
  return { sessions: rows.map((row) => ({ ...row, isThis: row.isThis === 1 })), passkeys }
}

/** Ends one session of the user, and its access tokens. */
export async function endSessionById({ db }: Deps, user: { id: string }, id: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, user.id), eq(publicId, id)))
}

/** Their access tokens end with them. */
export async function endOtherSessions({ db }: Deps, user: { id: string }, thisSecret: string): Promise<void> {
  const thisHash = await hashSecret(thisSecret)
  await db.delete(sessions).where(and(eq(sessions.userId, user.id), ne(sessions.tokenHash, thisHash)))
}

/** For admins: ends all sessions of a user, and their access tokens, and records it. */
export async function endAllSessions({ db, now }: Deps, admin: { id: string }, userId: string): Promise<void> {
  await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, user_id)
      SELECT ${now()}, 'sessions ended', ${admin.id}, id FROM users WHERE id = ${userId}`),
    db.delete(sessions).where(eq(sessions.userId, userId)),
  ])
}

export async function deleteExpiredSessions({ db, now }: Deps): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now()))
}
