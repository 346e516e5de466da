import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { drafts } from '../../db/schema'
import type { Deps } from '../deps'
import { decrypt, encrypt } from '../shared/encryption.server'
import { hashSecret } from '../shared/ids.server'
import { draftTtl, limits, maxDraftBytes, maxDrafts } from '../shared/limits'
import { consumeRateLimit } from '../shared/rate-limit.server'

/* Forms that arrived after their session had ended, until their user is back (decision 40). */

/** The secret, of 256 bits, is in the browser alone: without it the row tells nothing. */
export interface DraftKey {
  secret: string
  path: string
}

export interface Draft {
  fields: Record<string, string>
  /** It had a file, which is not stored. */
  hasFile: boolean
}

/**
 * Replaces an earlier one of this key. False, and nothing is stored, above 32 KB and for an account that is closed. Refuses too many
 * from one IP address.
 */
export async function saveDraft(deps: Deps, { id }: { id: string }, key: DraftKey, draft: Draft): Promise<boolean> {
  const { db, now, ip } = deps
  const plain = new TextEncoder().encode(JSON.stringify(draft))
  if (plain.byteLength > maxDraftBytes) return false
  await consumeRateLimit(deps, [{ key: `drafts:ip:${ip}`, ...limits.draftsFromIp }])
  const content = await encrypt({ encryptionKey: key.secret }, plain, id)
  const [saved] = await db.batch([
    db.run(sql`
      INSERT OR REPLACE INTO drafts (id, user_id, content, expires_at)
      SELECT ${await idOf(key)}, id, ${content}, ${now() + draftTtl} FROM users WHERE id = ${id} AND closed_at IS NULL`),
    db.run(sql`
      DELETE FROM drafts WHERE user_id = ${id} AND id NOT IN (
        SELECT id FROM drafts WHERE user_id = ${id} ORDER BY expires_at DESC, rowid DESC LIMIT ${maxDrafts})`),
  ])
  return saved.rowsAffected === 1
}

/** Null for another user, without the browser's secret, and after half an hour. */
export async function findDraft({ db, now }: Deps, { id }: { id: string }, key: DraftKey): Promise<Draft | null> {
  const [row] = await db
    .select({ content: drafts.content })
    .from(drafts)
    .where(and(eq(drafts.id, await idOf(key)), eq(drafts.userId, id), gt(drafts.expiresAt, now())))
  const plain = row && (await decrypt({ encryptionKey: key.secret }, row.content, id))
  return plain ? (JSON.parse(plain.toString()) as Draft) : null
}

export async function deleteDrafts({ db }: Deps, keys: DraftKey[]): Promise<void> {
  await db.delete(drafts).where(inArray(drafts.id, await Promise.all(keys.map(idOf))))
}

export async function deleteExpiredDrafts({ db, now }: Deps): Promise<void> {
  await db.delete(drafts).where(lt(drafts.expiresAt, now()))
}

function idOf({ secret, path }: DraftKey): Promise<string> {
  return hashSecret(`${secret} ${path}`)
}
