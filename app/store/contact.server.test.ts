import { expect } from 'vitest'
import { test, type Store } from '../../tests/support/store'
import { contactMessages, emails, rateLimits } from '../db/schema'
import { ContactMessage, sendMessage } from './contact.server'
import type { Email } from './deps'
import { deliverPendingEmails } from './deliver-email.server'

const noon = Date.UTC(2026, 10, 24, 12)
const message = { name: 'Jo', email: 'jo@shop.com', message: 'Hello\nthere', copy: false }

const sends = (shop: Store, more: Partial<ContactMessage> = {}, address = '203.0.113.9') =>
  sendMessage({ ...shop.deps, now: () => noon }, { ...message, ...more }, address)

test.for([
  [{ name: ' ' }, 'Name is Required'],
  [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
  [{ message: '' }, 'Message is Required'],
  [{ message: 'x'.repeat(5001) }, 'Message must be at most 5000 characters'],
  [{ copy: 'perhaps' }, 'Copy is yes or no'],
  [{ website: '' }, undefined],
  [{ website: 'x'.repeat(1000) }, undefined],
] as const)('the rules for a message: %j', ([typed, expected]) => {
  expect(ContactMessage.safeParse({ ...message, ...typed }).error?.issues[0]?.message).toBe(expected)
  expect(ContactMessage.parse({ name: 'Jo', email: 'jo@shop.com', message: 'Hello' }).copy).toBe(false)
})

test('a message is stored and mailed to the shop, and to its sender if they want a copy', async ({ shop }) => {
  await sends(shop)
  const [stored] = await shop.deps.db.select().from(contactMessages)
  expect(stored).toEqual({ ...message, id: stored!.id, copy: 0, createdAt: noon })
  expect(await shop.deps.db.select().from(emails)).toMatchObject([
    { recipient: shop.deps.shopEmail, subject: 'Message from Jo' },
  ])
  await sends(shop, { copy: true, name: 'Bo' })
  expect((await shop.deps.db.select().from(contactMessages)).map(({ copy }) => copy)).toContain(1)
  const letters = await shop.deps.db.select({ recipient: emails.recipient, subject: emails.subject }).from(emails)
  expect(letters).toHaveLength(3)
  expect(letters).toContainEqual({ recipient: 'jo@shop.com', subject: 'Your message to Cadenza' })
})

test('an answer to the email with a message goes to its sender, one to the copy to the shop', async ({ shop }) => {
  await sends(shop, { email: 'jo@my-shop.com', copy: true })
  const sent: Email[] = []
  const email = { send: (letter: Email) => Promise.resolve(void sent.push(letter)) }
  await deliverPendingEmails({ ...shop.deps, now: () => noon, email })
  expect(sent.map(({ recipient, replyTo }) => [recipient, replyTo]).sort()).toEqual([
    ['jo@my-shop.com', null],
    [shop.deps.shopEmail, 'jo@my-shop.com'],
  ])
})

test('drops what a program filled in, without a word', async ({ shop }) => {
  await sends(shop, { website: 'https://spam.example' })
  for (const table of [contactMessages, emails, rateLimits]) expect(await shop.deps.db.select().from(table)).toEqual([])
  await sends(shop, { website: '' })
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(1)
})

test('takes 10 messages from one address and 3 copies to one email in a quarter of an hour', async ({ shop }) => {
  for (let nth = 0; nth < 10; nth++) await sends(shop, { copy: nth < 3 })
  await expect(sends(shop)).rejects.toMatchObject({ code: 'too-many' })
  await expect(sends(shop, { copy: true }, 'elsewhere')).rejects.toMatchObject({ code: 'too-many' })
  await sends(shop, { copy: true, email: 'bo@shop.com' }, 'elsewhere')
  await sends(shop, {}, 'elsewhere')
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(12)
})

test('takes the same message of one form once, and counts it once; another text or sender is another message', async ({
  shop,
}) => {
  const submissionId = 'one-form-of-many'
  for (let nth = 0; nth < 4; nth++) await sends(shop, { submissionId, copy: true })
  await Promise.all([1, 2].map(() => sends(shop, { submissionId, message: 'Twice at once' }, 'elsewhere')))
  await sends(shop, { submissionId, email: 'bo@shop.com' }, 'elsewhere')
  await sends(shop, { submissionId, name: 'Bo' }, 'elsewhere')
  await sends(shop, { submissionId: 'another-form' }, 'elsewhere')
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(5)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(6)
  expect(ContactMessage.safeParse({ ...message, submissionId: 'short' }).success).toBe(false)
})
