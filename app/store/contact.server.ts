import { z } from 'zod'
import { contactMessages } from '../db/schema'
import type { Deps } from './deps'
import { hashSecret, newId } from './ids.server'
import { contactLetters } from './letters.server'
import { queueMail } from './outbox.server'
import { anyEmail, line, paragraph } from './text.server'
import { countTry, quarterHour } from './throttle.server'

export const ContactMessage = z.object({
  name: line({ called: 'Name', required: 'Name is Required', most: 100 }),
  email: anyEmail,
  message: paragraph({ called: 'Message', required: 'Message is Required', most: 5000 }),
  copy: z.boolean({ error: 'Copy is yes or no' }).default(false),
  /** Nobody sees this field: what fills it in is a program that fills in everything. */
  website: z.string().max(1000).optional(),
})
export type ContactMessage = z.output<typeof ContactMessage>

/** Keeps a message to the shop, and puts the mail to the shop, and the sender's copy, into the outbox (R29). At most 10 in
 * a quarter of an hour from one network address, and 3 copies to one mail address. What a program has filled in is dropped
 * without a word. */
export async function sendMessage(
  deps: Pick<Deps, 'db' | 'now' | 'shopMail'>,
  { name, email, message, copy, website }: ContactMessage,
  networkAddress: string,
): Promise<void> {
  if (website) return
  await countTry(deps, [
    ...(copy ? [{ key: `contact:copy:${await hashSecret(email)}`, most: 3, window: quarterHour }] : []),
    { key: `contact:address:${networkAddress}`, most: 10, window: quarterHour },
  ])
  const id = newId()
  const { toShop, toSender } = contactLetters({ id, name, email, message, shopMail: deps.shopMail })
  await deps.db.batch([
    deps.db.insert(contactMessages).values({ id, name, email, message, copy: copy ? 1 : 0, createdAt: deps.now() }),
    queueMail(deps, toShop),
    ...(copy ? [queueMail(deps, toSender)] : []),
  ])
}
