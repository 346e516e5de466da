import { eq } from 'drizzle-orm'
import { expect, test, type Customer, type Store, noon, at } from '../../../tests/support/store'
import { emails, identities, emailTokens, passwords, sessions, users } from '../../db/schema'
import type { VerifiedIdentity } from '../deps'
import { resendVerification } from './users.server'
import { joinIdentity, signInWithGoogle } from './google-sign-in.server'
import { findSessionUser, prepareSession } from './sign-in.server'

const grace = {
  issuer: 'https://accounts.google.com',
  subject: '1',
  email: 'Grace@example.com',
  emailVerified: true,
  isHosted: true,
  name: 'Grace',
}

const signIn = async (shop: Store, identity: Partial<typeof grace> = {}) => {
  const { session } = await signInWithGoogle(at(shop, noon), { ...grace, ...identity }, 'laptop')
  return (await findSessionUser(at(shop, noon), session!.secret))!
}

const details = { image: '/x', address: '1 Thief Lane', phone: '07700900999' }

/** A customer with a password, a session, an email token and details. */
async function existingCustomer(shop: Store, email: string, emailVerifiedAt: number | null): Promise<Customer> {
  const customer = await shop.customer({ name: 'Not Grace', email, password: 'correct horse' })
  await (
    await prepareSession(at(shop, noon), customer, '')
  ).insert
  await resendVerification(at(shop, noon), customer)
  await shop.deps.db
    .update(users)
    .set({ ...details, emailVerifiedAt })
    .where(eq(users.id, customer.id))
  return customer
}

const everythingOf = ({ deps: { db } }: Store) =>
  Promise.all([users, passwords, sessions, emailTokens, emails, identities].map((table) => db.select().from(table)))

test('creates one user with a verified email for a new identity', async ({ shop }) => {
  const first = await signIn(shop)
  expect(first).toMatchObject({ email: 'grace@example.com', name: 'Grace', role: 'customer' })
  expect(await signIn(shop, { email: 'elsewhere@example.com', name: 'Married' })).toEqual(first)
  expect(await shop.deps.db.select().from(users)).toMatchObject([{ createdAt: noon, emailVerifiedAt: noon }])
  expect(await shop.deps.db.select().from(sessions)).toMatchObject([{ userAgent: 'laptop' }, {}])
  expect(await shop.deps.db.select().from(identities)).toMatchObject([{ createdAt: noon }])
  expect((await signIn(shop, { subject: '2', email: 'other@example.com' })).id).not.toBe(first.id)
  expect((await signIn(shop, { issuer: 'https://other.example', email: 'third@example.com' })).id).not.toBe(first.id)
})

test('accepts an email that sign-up would refuse', async ({ shop }) => {
  expect(await signIn(shop, { email: 'Grace@my-shop.com' })).toMatchObject({ email: 'grace@my-shop.com' })
})

test.for([
  [{ emailVerified: false }, 'forbidden', 'Google has not verified this email, so you cannot log in with it here.'],
  [{ email: 'grace at example' }, 'invalid', 'We cannot send email to the address of this Google account.'],
] as const)('refuses an unverified or invalid email: %j', async ([identity, code, message], { shop }) => {
  await expect(signIn(shop, identity)).rejects.toMatchObject({ code, message })
  expect(await shop.deps.db.select().from(users)).toEqual([])
})

test('deletes password, sessions, tokens and details of an unverified account', async ({ shop }) => {
  const hijacker = await existingCustomer(shop, 'grace@example.com', null)
  const bea = await existingCustomer(shop, 'bea@example.com', null)
  expect((await signIn(shop)).id).toBe(hijacker.id)
  for (const table of [passwords, emailTokens]) {
    expect(await shop.deps.db.select().from(table)).toMatchObject([{ userId: bea.id }])
  }
  const rest = await shop.deps.db.select().from(sessions)
  expect(rest.map(({ userId, userAgent }) => [userId, userAgent])).toEqual([
    [bea.id, ''],
    [hijacker.id, 'laptop'],
  ])
  const rows = await shop.deps.db.select().from(users)
  expect(rows.find(({ id }) => id === hijacker.id)).toMatchObject({
    name: 'Grace',
    image: null,
    address: null,
    phone: null,
    emailVerifiedAt: noon,
  })
  expect(rows.find(({ id }) => id === bea.id)).toMatchObject({ ...details, emailVerifiedAt: null })
})

test('links a verified account without changing it', async ({ shop }) => {
  const ada = await existingCustomer(shop, 'grace@example.com', 1)
  expect(await signIn(shop)).toMatchObject({ id: ada.id, name: 'Not Grace' })
  expect(await shop.deps.db.select().from(passwords)).toHaveLength(1)
  expect(await shop.deps.db.select().from(sessions)).toHaveLength(2)
  expect(await shop.deps.db.select().from(emailTokens)).toHaveLength(1)
  expect(await shop.deps.db.select().from(users)).toMatchObject([{ ...details, emailVerifiedAt: 1 }])
})

test('creates one user for two parallel sign-ins', async ({ shop }) => {
  const [first, second] = await Promise.all([signIn(shop), signIn(shop)])
  expect(first).toEqual(second)
  expect(await shop.deps.db.select().from(users)).toHaveLength(1)
})

test.for([
  ['  Grace\u0000\tHopper\u007f ', 'Grace  Hopper'],
  ['\ud83c', '\ufffd'],
  ['🎻'.repeat(51), '🎻'.repeat(50)],
  ['Kathleen\u00a0Byrne-\u2060Cadenza', 'Kathleen Byrne-Cadenza'],
  [' \n ', 'grace'],
] as const)('stores the name %j as %j', async ([name, stored], { shop }) => {
  expect((await signIn(shop, { name })).name).toBe(stored)
})

test('mails the owner of a verified account when a Google account joins it, once', async ({ shop }) => {
  const owner = await existingCustomer(shop, 'grace@example.com', 1)
  await shop.deps.db.delete(emails)
  expect((await signIn(shop)).id).toBe(owner.id)
  await signIn(shop)
  const subjects = async () =>
    (await shop.deps.db.select().from(emails)).map(({ recipient, subject }) => [recipient, subject])
  const notice = ['grace@example.com', 'A Google account can log in']
  expect(await subjects()).toEqual([notice])
  await joinIdentity(shop.deps, owner, { ...grace, subject: '2', email: owner.email })
  expect(await subjects()).toEqual([notice, notice])
  await signIn(shop, { subject: '3', email: 'new@example.com' })
  expect(await subjects()).toHaveLength(2)
})

const conflict = { code: 'conflict', message: 'This email already has an account.' }

test.for([
  ['a verified', 1],
  ['an unverified', null],
] as const)(
  'does not link %s account to a Google account whose address Google does not host',
  async ([, at], { shop }) => {
    const owner = await existingCustomer(shop, 'grace@example.com', at)
    const before = await everythingOf(shop)
    await expect(signIn(shop, { isHosted: false })).rejects.toMatchObject(conflict)
    expect(await everythingOf(shop)).toEqual(before)
    await joinIdentity(shop.deps, owner, { ...grace, email: owner.email, isHosted: false })
    if (at === null) await expect(signIn(shop, { isHosted: false })).rejects.toMatchObject(conflict)
    else expect((await signIn(shop, { isHosted: false })).id).toBe(owner.id)
  },
)

test('creates a user for a new address that Google has verified but does not host', async ({ shop }) => {
  const first = await signIn(shop, { isHosted: false })
  expect(await signIn(shop, { isHosted: false })).toEqual(first)
})

test('does not link a second Google account with the same address, not even in parallel', async ({ shop }) => {
  const results = await Promise.allSettled(['1', '2', '3'].map((subject) => signIn(shop, { subject })))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await shop.deps.db.select().from(identities)).toHaveLength(1)
})

test('takes no invisible characters from Google, and no name of the shop, but says so', async ({ shop }) => {
  const other = { subject: '2', email: 'ada@example.com', name: '\u202eAda\u200b' }
  expect(await signIn(shop, other)).toMatchObject({ name: 'Ada' })
  const renamed = async (identity: Partial<VerifiedIdentity>) =>
    (await signInWithGoogle(shop.deps, { ...grace, ...identity }, '')).renamed
  expect(await renamed({ name: 'Cadenza Fan' })).toBeNull()
  const named = { subject: '3', email: 'viola@example.com', name: 'C\u00e1denza\u200b' }
  expect([await renamed(named), await renamed(named)]).toEqual(['viola', null])
  expect(await renamed({ ...named, subject: '4', email: 'cadenza@example.com' })).toBe('Customer')
  const known = await existingCustomer(shop, 'bea@example.com', 1)
  expect(await renamed({ ...named, subject: '5', email: known.email })).toBeNull()
  const unproven = await existingCustomer(shop, 'cleo@example.com', null)
  expect(await renamed({ ...named, subject: '6', email: unproven.email })).toBe('cleo')
})
