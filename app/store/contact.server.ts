import { z } from 'zod'
import { contactMessages } from '../db/schema'
import type { Deps } from './deps'
import { newId } from './ids.server'
import { contactLetters } from './letters.server'
import { queueMail } from './outbox.server'
import { emailAddress, line, paragraph } from './text.server'

export const ContactMessage = z.object({
  name: line({ called: 'Name', required: 'Name is Required', most: 100 }),
  email: emailAddress,
  message: paragraph({ called: 'Message', required: 'Message is Required', most: 5000 }),
  copy: z.boolean({ error: 'Copy is yes or no' }).default(false),
})
export type ContactMessage = z.output<typeof ContactMessage>

/** Keeps a message to the shop, and puts the mail to the shop, and the sender's copy, into the outbox (R29). */
export async function sendMessage(
  deps: Pick<Deps, 'db' | 'now' | 'shopMail'>,
  { name, email, message, copy }: ContactMessage,
): Promise<void> {
  const id = newId()
  const { toShop, toSender } = contactLetters({ id, name, email, message, shopMail: deps.shopMail })
  await deps.db.batch([
    deps.db.insert(contactMessages).values({ id, name, email, message, copy: copy ? 1 : 0, createdAt: deps.now() }),
    queueMail(deps, toShop),
    ...(copy ? [queueMail(deps, toSender)] : []),
  ])
}
