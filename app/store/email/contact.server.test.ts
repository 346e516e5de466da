import { expect, test, type Store, noon } from '../../../tests/support/store'
import { contactMessages, emails, rateLimits } from '../../db/schema'
import { ContactMessage, sendMessage } from './contact.server'
import type { Email } from '../deps'
import { deliverPendingEmails } from '../operations/deliver-email.server'

const message = { name: 'Jo', email: 'jo@shop.com', message: 'Hello\nthere', copy: false }

const send = (shop: Store, more: Partial<ContactMessage> = {}, address = '203.0.113.9') =>
  sendMessage({ ...shop.deps, now: () => noon }, { ...message, ...more }, address)

test.for([
  [{ name: ' ' }, 'Name is Required'],
  [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
  [{ message: '' }, 'Message is Required'],
  [{ message: 'x'.repeat(5001) }, 'Message must be at most 5000 characters'],
  [{ copy: 'perhaps' }, 'Copy is yes or no'],
  [{ website: '' }, undefined],
  [{ website: 'x'.repeat(1000) }, undefined],
] as const)('validates a message: %j', ([values, expected]) => {
  expect(ContactMessage.safeParse({ ...message, ...values }).error?.issues[0]?.message).toBe(expected)
  expect(ContactMessage.parse({ name: 'Jo', email: 'jo@shop.com', message: 'Hello' }).copy).toBe(false)
})

test('stores a message, and emails it to the shop and optionally to its sender', async ({ shop }) => {
  await send(shop)
  const [stored] = await shop.deps.db.select().from(contactMessages)
  expect(stored).toEqual({ ...message, id: stored!.id, copy: 0, doneAt: null, createdAt: noon })
  expect(await shop.deps.db.select().from(emails)).toMatchObject([
    { recipient: shop.deps.shopEmail, subject: 'Message from Jo' },
  ])
  await send(shop, { copy: true, name: 'Bo' })
  expect((await shop.deps.db.select().from(contactMessages)).map(({ copy }) => copy)).toContain(1)
  const rows = await shop.deps.db.select({ recipient: emails.recipient, subject: emails.subject }).from(emails)
  expect(rows).toHaveLength(3)
  expect(rows).toContainEqual({ recipient: 'jo@shop.com', subject: 'Your message to Cadenza' })
})

test('sets reply-to to the sender for the shop’s email only', async ({ shop }) => {
  await send(shop, { email: 'jo@my-shop.com', copy: true })
  const sent: Email[] = []
  const email = { send: (email: Email) => Promise.resolve(void sent.push(email)) }
  await deliverPendingEmails({ ...shop.deps, now: () => noon, email })
  expect(sent.map(({ recipient, replyTo }) => [recipient, replyTo]).sort()).toEqual([
    ['jo@my-shop.com', null],
    [shop.deps.shopEmail, 'jo@my-shop.com'],
  ])
})

test('silently drops a message that fills in the honeypot', async ({ shop }) => {
  await send(shop, { website: 'https://spam.example' })
  for (const table of [contactMessages, emails, rateLimits]) expect(await shop.deps.db.select().from(table)).toEqual([])
  await send(shop, { website: '' })
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(1)
})

test('limits messages to 10 per IP address and 3 copies per email in a quarter of an hour', async ({ shop }) => {
  for (let nth = 0; nth < 10; nth++) await send(shop, { copy: nth < 3 })
  await expect(send(shop)).rejects.toMatchObject({ code: 'too-many' })
  await expect(send(shop, { copy: true }, 'elsewhere')).rejects.toMatchObject({ code: 'too-many' })
  await send(shop, { copy: true, email: 'bo@shop.com' }, 'elsewhere')
  await send(shop, {}, 'elsewhere')
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(12)
})

test('stores a repeated message once; another text or sender is another message', async ({ shop }) => {
  const submissionId = 'one-form-of-many'
  for (let nth = 0; nth < 4; nth++) await send(shop, { submissionId, copy: true })
  await Promise.all([1, 2].map(() => send(shop, { submissionId, message: 'Twice at once' }, 'elsewhere')))
  await send(shop, { submissionId, email: 'bo@shop.com' }, 'elsewhere')
  await send(shop, { submissionId, name: 'Bo' }, 'elsewhere')
  await send(shop, { submissionId: 'another-form' }, 'elsewhere')
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(5)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(6)
  expect(ContactMessage.safeParse({ ...message, submissionId: 'short' }).success).toBe(false)
})
