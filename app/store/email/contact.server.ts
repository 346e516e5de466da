import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { contactMessages, emails } from '../../db/schema'
import type { Deps } from '../deps'
import { hashSecret, idOf, newId } from '../shared/ids.server'
import { pageOf, rowsFor } from '../shared/pagination'
import { withSubmission } from '../shared/submissions.server'
import { afterCursor } from '../shared/pagination.server'
import { Refusal } from '../shared/refusal'
import { contactEmails, messageReplyEmail } from './templates.server'
import { enqueueEmail, enqueueEmailIf } from './outbox.server'
import { emailAddress, singleLine, multiLine, submissionIdField } from '../shared/validation.server'
import { limits, maxSelected, retention } from '../shared/limits'
import { consumeRateLimit } from '../shared/rate-limit.server'

export const ContactMessage = z.object({
  name: singleLine({ label: 'Name', required: 'Name is Required', max: 100 }),
  email: emailAddress,
  message: multiLine({ label: 'Message', required: 'Message is Required', max: 5000 }),
  copy: z.boolean({ error: 'Copy is yes or no' }).default(false),
  /** A honeypot: people do not see this field. */
  website: z.string().max(1000).optional(),
  submissionId: submissionIdField.optional(),
})
export type ContactMessage = z.output<typeof ContactMessage>

/**
 * Stores a message and enqueues its emails (R29). Idempotent by `submissionId` and content (R43). Refuses the same `submissionId` of the same email with
 * other content (R65): visitors share it, and addresses tell them apart.
 */
export async function sendMessage(deps: Deps, content: ContactMessage, ip: string): Promise<void> {
  const { submissionId, email, website } = content
  if (website) return
  if (!submissionId) return store(deps, content, ip)
  const key = await idOf(JSON.stringify([submissionId, email]))
  await withSubmission(deps, { actor: 'message', key, content }, () => store(deps, content, ip))
}

async function store(
  deps: Deps,
  { name, email, message, copy, submissionId }: ContactMessage,
  ip: string,
): Promise<void> {
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
    enqueueEmailIf(deps, { ...toShop, aboutId: id }, sql`(SELECT message_emails FROM shop_settings) = 'each'`),
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
  messageId: z.array(z.string().max(100)).max(maxSelected).optional(),
  isDone: z.enum(['yes', 'no']).transform((answer) => answer === 'yes'),
})

/** Marks messages as done, or as open again, and records who did it. Idempotent. Refuses when none exists. Returns those that it changed. */
export async function markMessages(
  deps: Deps,
  admin: { id: string },
  ids: string[],
  isDone: boolean,
): Promise<string[]> {
  const { id } = contactMessages
  const [found, , marked] = await deps.db.batch([
    deps.db.select({ id }).from(contactMessages).where(inArray(id, ids)).limit(1),
    ...marking(deps, admin, ids, isDone),
  ])
  if (found.length === 0) throw new Refusal('not-found', 'There is no such message.')
  return marked.map((message) => message.id)
}

/** For a batch: the record in the audit log, and the messages that change. */
function marking({ db, now }: Deps, admin: { id: string }, ids: string[], isDone: boolean) {
  const { id, doneAt } = contactMessages
  const at = now()
  const which = and(inArray(id, ids), isDone ? isNull(doneAt) : isNotNull(doneAt))!
  return [
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${at}, ${isDone ? 'message done' : 'message open again'}, ${admin.id}, id FROM ${contactMessages} WHERE ${which}`),
    db
      .update(contactMessages)
      .set({ doneAt: isDone ? at : null })
      .where(which)
      .returning({ id }),
  ] as const
}

export const MessageReply = z.object({
  isDone: z.literal('reply'),
  messageId: z.string().max(100),
  reply: multiLine({ label: 'Reply', required: 'Write a reply first', max: 5000 }),
})
export type MessageReply = z.output<typeof MessageReply>

/** Emails the reply and marks the message as done. The same reply again is the same email. Refuses another one to a message that is done. */
export async function replyToMessage(
  deps: Deps,
  admin: { id: string },
  { messageId, reply }: Pick<MessageReply, 'messageId' | 'reply'>,
): Promise<{ email: string }> {
  const { name, email, message, doneAt } = contactMessages
  const [found] = await deps.db
    .select({ name, email, message, doneAt })
    .from(contactMessages)
    .where(eq(contactMessages.id, messageId))
  if (!found) throw new Refusal('not-found', 'There is no such message.')
  const id = await idOf(JSON.stringify([messageId, reply]))
  const stored = messageReplyEmail({ ...found, id }, { reply, shopEmail: deps.shopEmail })
  if (found.doneAt !== null) {
    const isSent = (await deps.db.$count(emails, eq(emails.id, stored.id))) > 0
    if (!isSent) throw new Refusal('conflict', 'This message is done. Open it again to reply.')
    return { email: found.email }
  }
  const isOpen = sql`EXISTS (SELECT 1 FROM ${contactMessages} WHERE id = ${messageId} AND done_at IS NULL)`
  await deps.db.batch([enqueueEmailIf(deps, stored, isOpen), ...marking(deps, admin, [messageId], true)])
  return { email: found.email }
}

/** For the cron trigger: deletes messages that are a year old. */
export async function deleteOldMessages({ db, now }: Deps): Promise<void> {
  await db.delete(contactMessages).where(lt(contactMessages.createdAt, now() - retention.contactMessages))
}

async function isStored({ db }: Deps, id: string): Promise<boolean> {
  const rows = await db.select({ id: contactMessages.id }).from(contactMessages).where(eq(contactMessages.id, id))
  return rows.length > 0
}
