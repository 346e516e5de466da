import { at, day, expect, test, type Store, noon } from '../../../tests/support/store'
import { auditLog, contactMessages, emails, rateLimits, shopSettings } from '../../db/schema'
import { ContactMessage, deleteOldMessages, listMessages, markMessages, sendMessage } from './contact.server'
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

test('stores a repeated message once; another sender is another message, another text is refused', async ({ shop }) => {
  const submissionId = 'one-form-of-many'
  for (let nth = 0; nth < 4; nth++) await send(shop, { submissionId, copy: true })
  const bo = { submissionId, email: 'bo@shop.com' }
  await Promise.all([1, 2].map(() => send(shop, { ...bo, message: 'Twice at once' }, 'elsewhere')))
  for (const other of [{ message: 'Another' }, { name: 'Bo' }, { copy: false }])
    await expect(send(shop, { submissionId, copy: true, ...other }, 'elsewhere')).rejects.toMatchObject({
      ...{ code: 'conflict', isUsed: true },
    })
  await send(shop, { submissionId: 'another-form' }, 'elsewhere')
  expect(await shop.deps.db.select().from(contactMessages)).toHaveLength(3)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(4)
  expect(ContactMessage.safeParse({ ...message, submissionId: 'short' }).success).toBe(false)
})

test('emails the shop nothing about messages when it wants none', async ({ shop }) => {
  await shop.deps.db.update(shopSettings).set({ messageEmails: 'none' })
  await send(shop, { copy: true })
  expect(await shop.deps.db.select().from(emails)).toMatchObject([{ recipient: 'jo@shop.com' }])
})

/** Messages `a`, `b` and so on, two of each moment. */
async function store({ deps: { db } }: Store, count: number) {
  const ids = Array.from({ length: count }, (_, nth) => String.fromCharCode(97 + nth))
  const { copy: _, ...row } = message
  const rows = ids.map((id, nth) => ({ ...row, id, name: id, copy: 0, createdAt: noon + Math.floor(nth / 2) }))
  await db.insert(contactMessages).values(rows)
}

const idsOf = async (shop: Store, isDone: boolean) =>
  (await listMessages(shop.deps, { limit: 9, isDone })).messages.map(({ id }) => id).join('')

test('lists messages that are open or done, the newest first, by pages', async ({ shop }) => {
  await store(shop, 5)
  const open = { limit: 2, isDone: false }
  const first = await listMessages(shop.deps, open)
  expect(first).toEqual({
    messages: [
      { id: 'e', name: 'e', email: 'jo@shop.com', message: 'Hello\nthere', createdAt: noon + 2, doneAt: null },
      expect.objectContaining({ id: 'd' }),
    ],
    next: 'd',
  })
  const second = await listMessages(shop.deps, { ...open, before: first.next! })
  expect([second.messages.map(({ id }) => id), second.next]).toEqual([['c', 'b'], 'b'])
  const last = await listMessages(shop.deps, { ...open, before: 'b' })
  expect([last.messages.map(({ id }) => id), last.next]).toEqual([['a'], null])
  await markMessages(at(shop, noon + 9), { id: 'me' }, ['b', 'd'], true)
  expect([await idsOf(shop, false), await idsOf(shop, true)]).toEqual(['eca', 'db'])
})

test('marks messages as done and open again, once, and records who did it', async ({ shop }) => {
  await store(shop, 3)
  const mark = (now: number, ids: string[], isDone: boolean) => markMessages(at(shop, now), { id: 'me' }, ids, isDone)
  expect(await mark(5, ['a', 'b'], true)).toEqual(['a', 'b'])
  expect(await mark(6, ['a', 'c', 'gone'], true)).toEqual(['c'])
  expect(await mark(7, ['a', 'b'], true)).toEqual([])
  expect((await listMessages(shop.deps, { limit: 9, isDone: true })).messages.map(({ doneAt }) => doneAt)).toEqual([
    6, 5, 5,
  ])
  expect(await mark(8, ['a'], false)).toEqual(['a'])
  expect([await idsOf(shop, false), await idsOf(shop, true)]).toEqual(['a', 'cb'])
  await expect(mark(9, ['gone'], true)).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no such message.',
  })
  expect(
    (await shop.deps.db.select().from(auditLog)).map(({ at, event, actor, note }) => [at, event, actor, note]),
  ).toEqual([
    [5, 'message done', 'me', 'a'],
    [5, 'message done', 'me', 'b'],
    [6, 'message done', 'me', 'c'],
    [8, 'message open again', 'me', 'a'],
  ])
})

test('deletes a message when it is more than a year old', async ({ shop }) => {
  await store(shop, 1)
  await deleteOldMessages(at(shop, noon + 365 * day))
  expect(await idsOf(shop, false)).toBe('a')
  await deleteOldMessages(at(shop, noon + 365 * day + 1))
  expect(await idsOf(shop, false)).toBe('')
})
