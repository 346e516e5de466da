import { eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { contactMessages } from '../db/schema'
import type { Deps } from './deps'
import { hashSecret, idOf, newId } from './ids.server'
import { contactEmails } from './email/templates.server'
import { enqueueEmail } from './email/outbox.server'
import { anyEmail, singleLine, multiLine, submissionIdField } from './validation.server'
import { limits, retention } from './limits'
import { consumeRateLimit } from './rate-limit.server'

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
    enqueueEmail(deps, toShop),
    ...(copy ? [enqueueEmail(deps, toSender)] : []),
  ])
}

/** For the cron trigger: deletes messages that are a year old. */
export async function deleteOldMessages({ db, now }: Deps): Promise<void> {
  await db.delete(contactMessages).where(lt(contactMessages.createdAt, now() - retention.contactMessages))
}

async function isStored({ db }: Deps, id: string): Promise<boolean> {
  const rows = await db.select({ id: contactMessages.id }).from(contactMessages).where(eq(contactMessages.id, id))
  return rows.length > 0
}
