import { eq, gt } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { test, type Customer, type Store, noon, minute, at, orderInput } from '../../../tests/support/store'
import { emails, emailTokens, passwords, sessions, users } from '../../db/schema'
import { cancelOrdersBefore } from '../ordering/cancel-order.server'
import { placeOrder } from '../ordering/place-order.server'
import { resendVerification } from './users.server'
import {
  isResetLinkValid,
  limitResetRequests,
  ForgottenPassword,
  NewPassword,
  requestPasswordReset,
  resetPassword,
} from './password-reset.server'
import { checkPassword, prepareSession } from './sign-in.server'

vi.mock('./passwords.server', () => import('../../../tests/support/quick-passwords'))

const invalidLink = {
  code: 'conflict',
  message: 'This link has expired or was already used. Ask for a new one.',
}

async function requestToken(shop: Store, { email }: Customer, now = noon): Promise<string> {
  await shop.deps.db.delete(emails)
  await requestPasswordReset(at(shop, now), email)
  const [mail] = await shop.deps.db.select().from(emails)
  return /token=(\S+)/.exec(mail!.text)![1]!
}

async function rowOf(shop: Store, { id }: Customer) {
  const [row] = await shop.deps.db.select().from(users).where(eq(users.id, id))
  return row!
}

const details = { image: '/x', address: '1 Thief Lane', phone: '07700900999' }

test.for(['', 'jo@shop', 5])('refuses the email %j with the specified message', (email) => {
  const { error } = ForgottenPassword.safeParse({ email })
  expect(error!.issues.map(({ message }) => message)).toEqual(['Enter valid email address'])
  expect(ForgottenPassword.parse({ email: ' JO@shop.com ' })).toEqual({ email: 'jo@shop.com' })
})

test.for([
  [undefined, 'This link is incomplete.'],
  ['x'.repeat(201), 'This link is incomplete.'],
  ['x'.repeat(200), undefined],
] as const)('validates the token of a link (%#)', ([token, message]) => {
  const { error } = NewPassword.safeParse({ token, password: 'a new password' })
  expect(error?.issues[0]?.message).toBe(message)
})

test('sends a link that sets a new password once, within 10 minutes', async ({ shop }) => {
  const ada = await shop.customer({ password: 'the old one' })
  const token = await requestToken(shop, ada)
  const [mail] = await shop.deps.db.select().from(emails)
  expect(mail).toMatchObject({ recipient: ada.email, subject: 'Choose a new password', createdAt: noon })
  expect(mail!.text).toContain('Hello Ada,')
  expect(mail!.text).toContain(`${shop.deps.origin}/reset-password?token=${token}\n`)
  // The text of a sent email is deleted.
  const rows = [{ ...mail, text: '', html: '' }, await shop.deps.db.select().from(emailTokens)]
  expect(JSON.stringify(rows)).not.toContain(token)

  const isValid = (now: number, token: string) => isResetLinkValid(at(shop, now), token)
  expect([await isValid(noon + 10 * minute, token), await isValid(noon, 'made-up')]).toEqual([false, false])
  expect(await isValid(noon + 10 * minute - 1, token)).toBe(true)
  const reset = (now: number, password: string) => resetPassword(at(shop, now), { token, password })
  await expect(reset(noon + 10 * minute, 'too late now')).rejects.toMatchObject(invalidLink)
  expect(await reset(noon + 10 * minute - 1, 'a new password')).toMatchObject({ email: ada.email, tookOver: null })
  await expect(reset(noon + 10 * minute - 1, 'yet another one')).rejects.toMatchObject(invalidLink)
  await checkPassword(shop.deps, { ...ada, password: 'a new password' }, { ip: 'x', device: null })
  expect(await shop.deps.db.select().from(passwords)).toMatchObject([{ changedAt: noon + 10 * minute - 1 }])
  expect(await isValid(noon, token)).toBe(false)
})

test('refuses an unknown token, and a token for email verification', async ({ shop }) => {
  const ada = await shop.customer()
  const input = { token: 'made-up', password: 'a new password' }
  await expect(resetPassword(shop.deps, input)).rejects.toMatchObject(invalidLink)
  await resendVerification(at(shop, noon), ada)
  const [mail] = await shop.deps.db.select().from(emails)
  const token = /token=(\S+)/.exec(mail!.text)![1]!
  await expect(resetPassword(at(shop, noon), { ...input, token })).rejects.toMatchObject(invalidLink)
})

test('sends no email to an unknown address', async ({ shop }) => {
  await shop.customer()
  await requestPasswordReset(shop.deps, 'nobody@example.com')
  expect(await shop.deps.db.select().from(emails)).toEqual([])
  expect(await shop.deps.db.select().from(emailTokens)).toEqual([])
})

test('ends the sessions and links of that user only', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  for (const user of [ada, bea]) await (await prepareSession(shop.deps, user, '')).insert
  const others = await requestToken(shop, bea)
  const earlier = await requestToken(shop, ada)
  await resendVerification(at(shop, noon), ada)
  const token = await requestToken(shop, ada)
  await resetPassword(at(shop, noon + 5), { token, password: 'a new password' })
  expect(await shop.deps.db.select().from(sessions)).toMatchObject([{ userId: bea.id }])
  const unused = await shop.deps.db.select().from(emailTokens)
  expect(unused.filter(({ usedAt }) => usedAt === null)).toMatchObject([{ userId: bea.id }])
  expect(unused.filter(({ usedAt }) => usedAt === noon + 5)).toHaveLength(3)
  const again = { token: earlier, password: 'yet another one' }
  await expect(resetPassword(at(shop, noon + 6), again)).rejects.toMatchObject(invalidLink)
  await resetPassword(at(shop, noon + 6), { token: others, password: 'a new password' })
})

test('clears the details of an unverified account', async ({ shop }) => {
  const [ada, bea, eve] = [
    await shop.customer({ verified: false }),
    await shop.customer({ verified: false }),
    await shop.customer({ verified: false }),
  ]
  await shop.deps.db.update(users).set(details)
  await shop.deps.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, bea.id))
  for (const user of [ada, bea]) {
    await resetPassword(at(shop, noon), { token: await requestToken(shop, user), password: 'a new password' })
  }
  const none = { image: null, address: null, phone: null }
  expect(await rowOf(shop, ada)).toMatchObject({ ...none, name: ada.email.split('@')[0], emailVerifiedAt: noon })
  expect(await rowOf(shop, bea)).toMatchObject({ ...details, emailVerifiedAt: 1 })
  expect(await rowOf(shop, eve)).toMatchObject({ ...details, emailVerifiedAt: null })
})

test('sets the first password of a Google account', async ({ shop }) => {
  const ada = await shop.customer()
  await resetPassword(at(shop, noon), { token: await requestToken(shop, ada), password: 'a new password' })
  await checkPassword(shop.deps, { ...ada, password: 'a new password' }, { ip: 'x', device: null })
})

test('limits reset requests by sender: 20 from an IP address and 60 from a network in a quarter of an hour', async ({
  shop,
}) => {
  const count = (ip: string, now = noon) =>
    limitResetRequests(at(shop, now), ip).then(
      () => 'counted',
      (error: unknown) => (error as { code: string }).code,
    )
  for (let each = 0; each < 20; each++) expect(await count('203.0.113.9')).toBe('counted')
  expect(await count('203.0.113.9')).toBe('too-many')
  expect(await count('203.0.113.10')).toBe('counted')
  expect(await count('203.0.113.9', noon + 15 * minute)).toBe('counted')
  for (let each = 0; each < 60; each++) expect(await count(`2001:db8:7:${each % 6}`)).toBe('counted')
  expect(await count('2001:db8:7:9')).toBe('too-many')
  expect(await count('2001:db8:8:9')).toBe('counted')
})

test('sends no further link while three of an account work, whoever asked for them', async ({ shop }) => {
  const ada = await shop.customer()
  const asked = (now: number) => requestPasswordReset(at(shop, now), ada.email)
  for (let each = 0; each < 3; each++) await asked(noon)
  await asked(noon + 10 * minute - 1)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(3)
  await asked(noon + 10 * minute)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(4)
  // One that was used works no more.
  for (let each = 0; each < 4; each++) await asked(noon + 11 * minute)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(6)
  const [link] = await shop.deps.db
    .select()
    .from(emailTokens)
    .where(gt(emailTokens.expiresAt, noon + 11 * minute))
  await shop.deps.db.update(emailTokens).set({ usedAt: noon }).where(eq(emailTokens.tokenHash, link!.tokenHash))
  for (let each = 0; each < 2; each++) await asked(noon + 11 * minute)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(7)
})

test('cancels the unpaid orders of an unverified account, and mails nobody about them', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10 })
  const ada = await shop.customer({ verified: false, name: 'Your parcel is held' })
  const order = await placeOrder(at(shop, noon - minute), ada, orderInput(violin))
  const input = { token: await requestToken(shop, ada), password: 'a new password' }
  expect(await resetPassword(at(shop, noon), input)).toMatchObject({ tookOver: ada.id })
  expect(await shop.ordersOf(ada)).toMatchObject([{ id: order.id, state: 'cancelled', movedBy: 'account recovery' }])
  expect(await shop.stockOf(violin)).toBe(10)
  const mails = await shop.deps.db.select().from(emails)
  expect(mails.map(({ subject }) => subject).sort()).toEqual(['Choose a new password', 'Your password has changed'])
  expect(JSON.stringify(mails)).not.toContain('parcel')
})

test('mails nobody about an order that is cancelled after the take-over, because a payment had begun', async ({
  shop,
}) => {
  const violin = await shop.sells({ stock: 10 })
  const ada = await shop.customer({ verified: false })
  await placeOrder(at(shop, noon), ada, orderInput(violin))
  await shop.deps.db.update(users).set({ emailVerifiedAt: noon + 1 })
  await cancelOrdersBefore(at(shop, noon + 2), ada, noon)
  expect(await shop.ordersOf(ada)).toMatchObject([{ state: 'unpaid' }])
  await cancelOrdersBefore(at(shop, noon + 2), ada, noon + 1)
  expect(await shop.ordersOf(ada)).toMatchObject([{ state: 'cancelled', movedBy: 'account recovery' }])
  const ids = (await shop.deps.db.select().from(emails)).map(({ id }) => id.split(':')[0])
  expect(ids).not.toContain('order cancelled')
})

test('a link sets one password when it is used twice at once', async ({ shop }) => {
  const ada = await shop.customer()
  const token = await requestToken(shop, ada)
  const tried = ['a new password', 'another password']
  const results = await Promise.allSettled(
    tried.map((password) => resetPassword(at(shop, noon + 5), { token, password })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const password = tried[results.findIndex(({ status }) => status === 'fulfilled')]!
  await checkPassword(shop.deps, { ...ada, password }, { ip: 'x', device: null })
})

test('refuses the own email as a password', async ({ shop }) => {
  const ada = await shop.customer()
  const token = await requestToken(shop, ada)
  await expect(resetPassword(at(shop, noon), { token, password: ada.email })).rejects.toMatchObject({
    fields: { password: ['This password is too common.'] },
  })
})
