import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { contactMessages } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, idOf, newId } from '../shared/ids.server'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { contactEmails } from './templates.server'
import { enqueueEmail } from './outbox.server'
import { anyEmail, singleLine, multiLine, submissionIdField } from '../shared/validation.server'
import { limits, retention } from '../shared/limits'
import { consumeRateLimit } from '../shared/rate-limit.server'

export const ContactMessage = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 100 }),
  email: anyEmail,
  message: multiLine({ label: 'Message', required: 'Message is Required', max: 5000 }),
  copy: z.boolean({ error: 'Copy is yes or no' }).default(false),
  /** A honeypot: people do not see this field. */
  website: z.string().max(1000).optional(),
  submissionId: submissionIdField.optional(),
})
export type ContactMessage = z.output<typeof ContactMessage>

/** Stores a message and enqueues its emails (R29). Idempotent by `submissionId` and content (R43). */
export async function sendMessage(
  deps: Deps,
  { name, email, message, copy, website, submissionId }: ContactMessage,
  ip: string,
): Promise<void> {
  if (website) return
  const id = submissionId ? await idOf(JSON.stringify(['message', submissionId, name, email, message])) : newId()
  if (submissionId && (await isStored(deps, id))) return
  await consumeRateLimit(deps, [
    { key: `contact:ip:${ip}`, ...limits.contactMessagesFromIp },
    ...(copy
      ? [
          { key: `contact:copy-from:${ip}`, ...limits.contactCopiesFromIp },
          { key: `contact:copy:${await hashSecret(email)}`, ...limits.contactCopiesToEmail },
        ]
      : []),
  ])
  const { toShop, toSender } = contactEmails({ id, name, email, message, shopEmail: deps.shopEmail })
  await deps.db.batch([
    deps.db
      .insert(contactMessages)
      .values({ id, name, email, message, copy: copy ? 1 : 0, createdAt: deps.now() })
      .onConflictDoNothing(),
    enqueueEmail(deps, { ...toShop, aboutId: id }),
    ...(copy ? [enqueueEmail(deps, toSender)] : []),
  ])
}

/** For admins: messages to answer or those that are done, the newest first; `before` is the cursor. */
export async function listMessages(
  { db }: Deps,
  { before, limit, isDone }: { before?: string | undefined; limit: number; isDone: boolean },
) {
  const { id, name, email, message, createdAt, doneAt } = contactMessages
  const rows = await db
    .select({ id, name, email, message, createdAt, doneAt })
    .from(contactMessages)
    .where(and(isDone ? isNotNull(doneAt) : isNull(doneAt), afterCursor([createdAt, id], '<', before)))
    .orderBy(desc(createdAt), desc(id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { messages: page, next }
}

export type StoredMessage = Awaited<ReturnType<typeof listMessages>>['messages'][number]

export const MessageMark = z.object({
  messageId: z.string({ error: 'Which message?' }).max(100),
  isDone: z.enum(['yes', 'no']).transform((answer) => answer === 'yes'),
  /** To open again only what was done at this time, in milliseconds since 1970: for Undo. */
  doneAt: z.coerce.number().int().optional(),
})

/**
 * Marks a message as done, or as open again, and records who did it. Returns the time. Refuses a message that does not exist, and with
 * `doneAt` one that is open, or was done at another time.
 */
export async function markMessage(
  { db, now }: Deps,
  admin: { id: string },
  { messageId, isDone, doneAt: undone }: z.output<typeof MessageMark>,
): Promise<number> {
  const { id, doneAt } = contactMessages
  const at = now()
  const event = isDone ? 'message done' : 'message open again'
  const [found, marked] = await db.batch([
    db.select({ id }).from(contactMessages).where(eq(id, messageId)),
    db
      .update(contactMessages)
      .set({ doneAt: isDone ? at : null })
      .where(
        and(
          eq(id, messageId),
          isDone ? isNull(doneAt) : isNotNull(doneAt),
          undone === undefined ? undefined : eq(doneAt, undone),
        ),
      ),
    // `changes() = 1`: only if the update changed the row.
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${at}, ${event}, ${admin.id}, ${messageId} WHERE changes() = 1`),
  ])
  if (found.length === 0) throw new Refusal('not-found', 'There is no such message.')
  if (undone !== undefined && marked.rowsAffected === 0)
    throw new Refusal('conflict', 'Somebody has changed this since. Nothing was undone.')
  return at
}

/** For the cron trigger: deletes messages that are a year old. */
export async function deleteOldMessages({ db, now }: Deps): Promise<void> {
  await db.delete(contactMessages).where(lt(contactMessages.createdAt, now() - retention.contactMessages))
}

async function isStored({ db }: Deps, id: string): Promise<boolean> {
  const rows = await db.select({ id: contactMessages.id }).from(contactMessages).where(eq(contactMessages.id, id))
  return rows.length > 0
}
