import { eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { test, type Customer, type Store } from '../../../tests/support/store'
import { emails, emailTokens, passwords, sessions, users } from '../../db/schema'
import { resendVerification } from './users.server'
import {
  limitResetRequests,
  ForgottenPassword,
  NewPassword,
  requestPasswordReset,
  resetPassword,
} from './password-reset.server'
import { checkPassword, prepareSession } from './sign-in.server'

vi.mock('./passwords.server', () => import('../../../tests/support/plain-passwords'))

const noon = Date.UTC(2026, 10, 24, 12)
const minute = 60 * 1000
const at = (shop: Store, now: number) => ({ ...shop.deps, now: () => now })
const dead = {
  code: 'conflict',
  message: 'This link has been used already, or its time is up. Ask for a new one.',
}

/** The token of the newest link that was mailed to them. */
async function asks(shop: Store, { email }: Customer, now = noon): Promise<string> {
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

test.for(['', 'jo@shop', 5])('asking for a link refuses %j in the specified words', (email) => {
  const { error } = ForgottenPassword.safeParse({ email })
  expect(error!.issues.map(({ message }) => message)).toEqual(['Enter valid email address'])
  expect(ForgottenPassword.parse({ email: ' JO@shop.com ' })).toEqual({ email: 'jo@shop.com' })
})

test.for([
  [undefined, 'This link is not complete.'],
  ['x'.repeat(201), 'This link is not complete.'],
  ['x'.repeat(200), undefined],
] as const)('the rule for the token of a link (%#)', ([token, message]) => {
  const { error } = NewPassword.safeParse({ token, password: 'a new password' })
  expect(error?.issues[0]?.message).toBe(message)
})

test('mails a link that sets a new password once, within 10 minutes', async ({ shop }) => {
  const ada = await shop.customer({ password: 'the old one' })
  const token = await asks(shop, ada)
  const [mail] = await shop.deps.db.select().from(emails)
  expect(mail).toMatchObject({ recipient: ada.email, subject: 'Choose a new password', createdAt: noon })
  expect(mail!.text).toContain('Hello Ada,')
  expect(mail!.text).toContain(`${shop.deps.origin}/reset-password?token=${token}\n`)
  expect(JSON.stringify(await shop.deps.db.select().from(emailTokens))).not.toContain(token)

  const reset = (now: number, password: string) => resetPassword(at(shop, now), { token, password })
  await expect(reset(noon + 10 * minute, 'too late now')).rejects.toMatchObject(dead)
  expect(await reset(noon + 10 * minute - 1, 'a new password')).toEqual({ email: ada.email })
  await expect(reset(noon + 10 * minute - 1, 'yet another one')).rejects.toMatchObject(dead)
  await checkPassword(shop.deps, { ...ada, password: 'a new password' }, { address: 'x', device: null })
  expect(await shop.deps.db.select().from(passwords)).toMatchObject([{ changedAt: noon + 10 * minute - 1 }])
})

test('refuses a link that nobody mailed, and one that was mailed to verify an email', async ({ shop }) => {
  const ada = await shop.customer()
  const made = { token: 'made-up', password: 'a new password' }
  await expect(resetPassword(shop.deps, made)).rejects.toMatchObject(dead)
  await resendVerification(at(shop, noon), ada)
  const [mail] = await shop.deps.db.select().from(emails)
  const token = /token=(\S+)/.exec(mail!.text)![1]!
  await expect(resetPassword(at(shop, noon), { ...made, token })).rejects.toMatchObject(dead)
})

test('mails nothing to an unknown email', async ({ shop }) => {
  await shop.customer()
  await requestPasswordReset(shop.deps, 'nobody@example.com')
  expect(await shop.deps.db.select().from(emails)).toEqual([])
  expect(await shop.deps.db.select().from(emailTokens)).toEqual([])
})

test('a new password ends the owner’s sessions and links, and nobody else’s', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  for (const user of [ada, bea]) await (await prepareSession(shop.deps, user, '')).insert
  const others = await asks(shop, bea)
  const earlier = await asks(shop, ada)
  await resendVerification(at(shop, noon), ada)
  const token = await asks(shop, ada)
  await resetPassword(at(shop, noon + 5), { token, password: 'a new password' })
  expect(await shop.deps.db.select().from(sessions)).toMatchObject([{ userId: bea.id }])
  const unused = await shop.deps.db.select().from(emailTokens)
  expect(unused.filter(({ usedAt }) => usedAt === null)).toMatchObject([{ userId: bea.id }])
  expect(unused.filter(({ usedAt }) => usedAt === noon + 5)).toHaveLength(3)
  const again = { token: earlier, password: 'yet another one' }
  await expect(resetPassword(at(shop, noon + 6), again)).rejects.toMatchObject(dead)
  await resetPassword(at(shop, noon + 6), { token: others, password: 'a new password' })
})

test('the owner of an address that was not verified does not get the details that somebody left', async ({ shop }) => {
  const [ada, bea, eve] = [await shop.customer(), await shop.customer(), await shop.customer()]
  await shop.deps.db.update(users).set(details)
  await shop.deps.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, bea.id))
  for (const user of [ada, bea]) {
    await resetPassword(at(shop, noon), { token: await asks(shop, user), password: 'a new password' })
  }
  const none = { image: null, address: null, phone: null }
  expect(await rowOf(shop, ada)).toMatchObject({ ...none, emailVerifiedAt: noon })
  expect(await rowOf(shop, bea)).toMatchObject({ ...details, emailVerifiedAt: 1 })
  expect(await rowOf(shop, eve)).toMatchObject({ ...details, emailVerifiedAt: null })
})

test('an account that came with Google gets its first password by mail', async ({ shop }) => {
  const ada = await shop.customer()
  await resetPassword(at(shop, noon), { token: await asks(shop, ada), password: 'a new password' })
  await checkPassword(shop.deps, { ...ada, password: 'a new password' }, { address: 'x', device: null })
})

test('at most 3 links to one email and 20 from one address are asked for in a quarter of an hour', async ({ shop }) => {
  const count = (email: string, address: string) =>
    limitResetRequests(at(shop, noon), email, address).then(
      () => 'counted',
      (error: unknown) => (error as { code: string }).code,
    )
  for (let each = 0; each < 3; each++) expect(await count('ada@example.com', `here ${each}`)).toBe('counted')
  expect(await count('ada@example.com', 'here')).toBe('too-many')
  for (let each = 0; each < 20; each++) expect(await count(`bea${each}@example.com`, 'here')).toBe('counted')
  expect(await count('eve@example.com', 'here')).toBe('too-many')
  expect(await count('eve@example.com', 'elsewhere')).toBe('counted')
  await limitResetRequests(at(shop, noon + 15 * minute), 'ada@example.com', 'here')
})
