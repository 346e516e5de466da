import { eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { test, type Store, noon, day, at } from '../../../tests/support/store'
import { indexAll } from '../../../tests/support/search'
import { auditLog, emails, emailTokens, sessions, rateLimits, users } from '../../db/schema'
import {
  findRole,
  deleteExpiredEmailTokens,
  grantAdmin,
  revokeAdmin,
  listUsers,
  searchUsers,
  setStaffRole,
  register,
  resendVerification,
  selectVerified,
  SignUp,
  verifyEmail,
} from './users.server'
import { hashSecret } from '../shared/ids.server'
import { requestPasswordReset } from './password-reset.server'
import type { StaffRole } from './sign-in'
import { checkPassword, effectiveRole, findSessionUser } from './sign-in.server'
import { closeAccount } from '../privacy/close-account.server'

vi.mock('./passwords.server', () => import('../../../tests/support/quick-passwords'))

const from = { ip: '203.0.113.9', userAgent: 'laptop' }
const zoe = { name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' }

/** Oldest first. */
async function tokensOf(shop: Store): Promise<string[]> {
  const rows = await shop.deps.db.select().from(emails).orderBy(emails.createdAt)
  return rows.map(({ text }) => /token=(\S+)/.exec(text)![1]!)
}

test('signs in a new user and sends a verification link', async ({ shop }) => {
  const session = await register(at(shop, noon), zoe, from)
  const user = await findSessionUser(at(shop, noon), session.secret)
  expect(user).toMatchObject({ email: zoe.email, name: 'Zoë', role: 'customer' })
  expect(await checkPassword(shop.deps, zoe, { ...from, device: null })).toMatchObject({ id: user!.id })
  expect(await shop.deps.db.select().from(users)).toMatchObject([{ createdAt: noon, emailVerifiedAt: null }])
  expect(await shop.deps.db.select().from(sessions)).toMatchObject([{ userAgent: 'laptop' }])
  const [email] = await shop.deps.db.select().from(emails)
  expect(email).toMatchObject({ recipient: zoe.email, subject: 'Please verify your email', createdAt: noon })
  const [token] = await tokensOf(shop)
  expect(email!.text).toContain('Hello,')
  expect(email!.text).toContain(`${shop.deps.origin}/verify-email?token=${token}\n`)
  const [link] = await shop.deps.db.select().from(emailTokens)
  expect(link).toMatchObject({ tokenHash: await hashSecret(token!), createdAt: noon, expiresAt: noon + day })
})

test('refuses a second account for an email, and throws other database errors', async ({ shop }) => {
  await register(shop.deps, zoe, from)
  await expect(register(shop.deps, { ...zoe, name: 'Eve' }, from)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This email already has an account. Log in instead.',
  })
  const broken = register(shop.deps, { ...zoe, email: 'eve@example.com', name: 'x'.repeat(101) }, from)
  await expect(broken).rejects.not.toMatchObject({ code: 'conflict' })
  expect(await shop.deps.db.select().from(users)).toHaveLength(1)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(1)
  expect(SignUp.safeParse({ ...zoe, name: ' ' }).error?.issues[0]?.message).toBe('Name is Required')
  expect(SignUp.safeParse({ ...zoe, name: 'x'.repeat(101) }).error?.issues[0]?.message).toBe(
    'Name must be at most 100 characters',
  )
})

test('signs in when the same form is sent again with the same name and password', async ({ shop }) => {
  const form = { ...zoe, submissionId: 'the-form-1' }
  const sessions = [await register(shop.deps, form, from), await register(shop.deps, form, from)]
  const sessionUsers = await Promise.all(sessions.map(({ secret }) => findSessionUser(shop.deps, secret)))
  expect(sessionUsers[0]).toMatchObject({ email: zoe.email })
  expect(sessionUsers[1]?.id).toBe(sessionUsers[0]?.id)
  const refusal = { code: 'conflict', message: 'This email already has an account. Log in instead.' }
  const others = [
    { password: 'another one' },
    { name: 'Another' },
    { submissionId: 'another-form' },
    { submissionId: undefined },
  ]
  for (const other of others)
    await expect(register(shop.deps, { ...form, ...other }, from)).rejects.toMatchObject(refusal)
  expect(await register(shop.deps, { ...form, email: 'bea@example.com' }, from)).toBeTruthy()
  expect(await shop.deps.db.select().from(users)).toHaveLength(2)
  expect(await shop.deps.db.select().from(emails)).toHaveLength(2)
  await shop.deps.db.update(users).set({ email: 'moved@example.com' }).where(eq(users.email, 'bea@example.com'))
  await expect(register(shop.deps, { ...form, email: 'bea@example.com' }, from)).rejects.toMatchObject({ isUsed: true })
  const guess = () => register(shop.deps, { ...form, password: 'a guess' }, { ...from, ip: '203.0.113.77' })
  for (let nth = 0; nth < 10; nth++) await expect(guess()).rejects.toMatchObject(refusal)
  await expect(guess()).rejects.toMatchObject({ code: 'too-many' })
})

test('limits registrations to 300 per IP address and hour', async ({ shop }) => {
  await register(at(shop, noon), zoe, from)
  await shop.deps.db.update(rateLimits).set({ count: 299 })
  await register(at(shop, noon + day / 24 - 1), { ...zoe, email: 'eve@example.com' }, from)
  const again = (now: number, ip = from.ip) =>
    register(at(shop, now), { ...zoe, email: 'bea@example.com' }, { ...from, ip })
  await expect(again(noon)).rejects.toMatchObject({ code: 'too-many' })
  await again(noon, '203.0.113.10')
  await expect(again(noon + day / 24)).rejects.toMatchObject({ code: 'conflict' })
})

test('verifies the email of the right user, once, within a day', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ verified: false }), await shop.customer({ verified: false })]
  await resendVerification(at(shop, noon), ada)
  const [token = ''] = await tokensOf(shop)
  const verifiedAt = async () => (await selectVerified(shop.deps, ada))[0]!.at
  expect(await verifyEmail(at(shop, noon), ada, 'made-up')).toBe(false)
  expect(await verifyEmail(at(shop, noon), bea, token)).toBe(false)
  expect(await verifyEmail(at(shop, noon + day), ada, token)).toBe(false)
  expect(await verifiedAt()).toBeNull()
  expect((await selectVerified(shop.deps, bea))[0]!.at).toBeNull()
  expect(await verifyEmail(at(shop, noon + day - 1), ada, token)).toBe(true)
  expect(await verifyEmail(at(shop, noon + day - 1), ada, token)).toBe(false)
  expect(await verifiedAt()).toBe(noon + day - 1)
  expect(await shop.deps.db.select().from(emailTokens)).toMatchObject([{ usedAt: noon + day - 1 }])

  await shop.deps.db.delete(emails)
  await requestPasswordReset(at(shop, noon), ada.email)
  expect(await verifyEmail(at(shop, noon), ada, (await tokensOf(shop))[0]!)).toBe(false)
})

test('keeps earlier links valid, and the time of the first verification', async ({ shop }) => {
  const ada = await shop.customer({ verified: false })
  for (let nth = 0; nth < 3; nth++) await resendVerification(at(shop, noon + nth), ada)
  await expect(resendVerification(at(shop, noon + 3), ada)).rejects.toMatchObject({ code: 'too-many' })
  await resendVerification(at(shop, noon), await shop.customer())
  const links = await shop.deps.db
    .select()
    .from(emails)
    .where(eq(emails.recipient, ada.email))
    .orderBy(emails.createdAt)
  for (const [nth, { text }] of links.entries()) {
    expect(await verifyEmail(at(shop, noon + nth), ada, /token=(\S+)/.exec(text)![1]!)).toBe(true)
  }
  expect(await selectVerified(shop.deps, ada)).toEqual([{ at: noon }])
  await resendVerification(at(shop, noon + 15 * 60 * 1000), ada)
})

test('lists users page by page, oldest first', async ({ shop }) => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    email: `${id}@example.com`,
    name: id.toUpperCase(),
    createdAt: id === 'd' ? noon - 1 : noon,
    emailVerifiedAt: id === 'b' ? noon : null,
  }))
  await shop.deps.db.insert(users).values(rows)
  const page = (after?: string, limit = 2) => listUsers(shop.deps, { after, limit })
  const first = await page()
  expect(first).toEqual({
    users: [
      {
        id: 'd',
        email: 'd@example.com',
        name: 'D',
        role: 'customer',
        staffRole: null,
        isVerified: false,
        isClosed: false,
      },
      {
        id: 'a',
        email: 'a@example.com',
        name: 'A',
        role: 'customer',
        staffRole: null,
        isVerified: false,
        isClosed: false,
      },
    ],
    next: 'a',
  })
  const second = await page('a')
  expect(second.users.map(({ id, isVerified }) => [id, isVerified])).toEqual([
    ['b', true],
    ['c', false],
  ])
  expect([second.next, (await page(undefined, 4)).next, (await page(undefined, 3)).next]).toEqual([null, null, 'b'])
})

test('finds users by a part of name or email, page by page, oldest first', async ({ shop }) => {
  const person = (id: string, name: string, email: string) => ({ id, name, email, createdAt: noon })
  const people = [
    person('a', 'Zoë Li', 'zoe@example.com'),
    person('b', 'Ada Lovelace', 'ada@shop.com'),
    person('c', 'Bea Li', 'bea_x@example.com'),
  ]
  for (const each of people) await shop.deps.db.insert(users).values(each)
  await shop.deps.db.update(users).set({ name: 'Bea Linden' }).where(eq(users.id, 'c'))
  await shop.deps.db.update(users).set({ name: 'Adela' }).where(eq(users.id, 'b'))
  await indexAll(shop.deps)
  const search = async (q: string, after?: string, limit = 2) => {
    const { users, next } = await searchUsers(shop.deps, { q, after, limit })
    return [users.map(({ id }) => id).join(''), next]
  }
  const found = [
    ['', 'ab', 'b'],
    ['EXAMPLE.com', 'ac', null],
    ['zoe', 'a', null],
    ['lovelace', '', null],
    ['adela shop', 'b', null],
    ['example li', 'ac', null],
    ['linden zoe', '', null],
    ['example _x', 'c', null],
    ['b', 'c', null],
    ['be', 'c', null],
    ['%', '', null],
    ['"', 'ab', 'b'],
    ['com" OR "x', '', null],
  ] as const
  for (const [q, ids, next] of found) expect([q, ...(await search(q))]).toEqual([q, ids, next])
  expect([await search('com', undefined, 1), await search('com', 'a', 1), await search('com', 'c', 1)]).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['', null],
  ])
  expect([await search('b', 'c'), await search('zo', 'c'), await search('zo', 'b')]).toEqual([
    ['', null],
    ['a', null],
    ['a', null],
  ])
  expect((await searchUsers(shop.deps, { q: 'zoe', limit: 1, choose: 'c' })).chosen).toMatchObject({ id: 'c' })
})

test('finds users however their names are spelled', async ({ shop }) => {
  const names = [
    'Anna Strauß',
    'Jürgen Müller',
    'Rene\u0301e Muñoz',
    'Søren Łuczak',
    'Nguyễn Ánh',
    'Maeve O’Brien',
    'Иван Жук',
  ]
  for (const n of names.keys())
    await shop.deps.db
      .insert(users)
      .values({ id: `u${n}`, name: 'Nobody', email: `${n}@mail.example`, createdAt: noon })
  for (const [n, name] of names.entries())
    await shop.deps.db
      .update(users)
      .set({ name })
      .where(eq(users.id, `u${n}`))
  await shop.deps.db.insert(users).values({ id: 'new', name: 'GROẞ Ærø', email: 'new@mail.example', createdAt: noon })
  await indexAll(shop.deps)
  const found = async (q: string) =>
    (await searchUsers(shop.deps, { q, limit: 9 })).users.map(({ name }) => name).join(', ')
  for (const [q, name] of [
    ['strauss anna', 'Anna Strauß'],
    ['STRAUß', 'Anna Strauß'],
    ['muller', 'Jürgen Müller'],
    ['MÜLLER JÜRGEN', 'Jürgen Müller'],
    ['Mu\u0308ller', 'Jürgen Müller'],
    ['renée munoz', 'Rene\u0301e Muñoz'],
    ['soren luczak', 'Søren Łuczak'],
    ['Nguyen anh', 'Nguyễn Ánh'],
    ["O'Brien", 'Maeve O’Brien'],
    ['o’brien ma', 'Maeve O’Brien'],
    ['иван', 'Иван Жук'],
    ['ｇｒｏｓｓ aero', 'GROẞ Ærø'],
    ['gross ß', 'GROẞ Ærø'],
  ] as const)
    expect([q, await found(q)]).toEqual([q, name])
})

test('makes a user an admin once, and records by whom', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  expect(await grantAdmin(at(shop, noon), 'the owner', ada.email)).toBe(true)
  expect(await grantAdmin(at(shop, noon), 'the owner', ada.email)).toBe(false)
  expect(await grantAdmin(at(shop, noon), 'the owner', 'nobody@example.com')).toBeNull()
  expect(await shop.deps.db.select().from(auditLog)).toMatchObject([
    { at: noon, event: 'admin granted', actor: 'the owner', userId: ada.id },
  ])
  const roles = [ada.email, bea.email, 'nobody@example.com'].map((email) => findRole(shop.deps, email))
  expect(await Promise.all(roles)).toEqual(['admin', 'customer', null])
})

test('revokes an admin once, records by whom, and never the last one', async ({ shop }) => {
  const [root, ada, bea] = [await shop.admin(), await shop.admin(), await shop.admin()]
  const unverified = await shop.customer({ role: 'admin', verified: false })
  const revoke = (actor: { id: string }, email: string) => revokeAdmin(at(shop, noon), actor, email)
  expect(await revoke(root, ada.email)).toBe(true)
  expect(await revoke(root, ada.email)).toBe(false)
  expect(await revoke(root, 'nobody@example.com')).toBeNull()
  const refusal = { code: 'conflict', message: 'The shop needs an admin: make somebody else one first.' }
  for (const actor of [ada, unverified]) await expect(revoke(actor, bea.email)).rejects.toMatchObject(refusal)
  expect(await revoke(bea, bea.email)).toBe(true)
  await expect(revoke(root, root.email)).rejects.toMatchObject(refusal)
  expect(await revoke(root, unverified.email)).toBe(true)
  const event = { at: noon, event: 'admin revoked', actor: root.id }
  expect(await shop.deps.db.select().from(auditLog)).toMatchObject([
    { ...event, userId: ada.id },
    { ...event, userId: bea.id, actor: bea.id },
    { ...event, userId: unverified.id },
  ])
  const roles = [root.email, ada.email].map((email) => findRole(shop.deps, email))
  expect(await Promise.all(roles)).toEqual(['admin', 'customer'])
})

test('gives a customer one role beside admin, takes it away, and records both', async ({ shop }) => {
  const [root, ada, bea] = [await shop.admin(), await shop.customer(), await shop.admin()]
  const set = (role: StaffRole | null, { actor = root, id = ada.id } = {}) =>
    setStaffRole(at(shop, noon), actor, id, role)
  const roleOf = async () =>
    (await shop.deps.db.select({ role: effectiveRole }).from(users).where(eq(users.id, ada.id)))[0]
  for (const role of ['packer', 'packer', 'bookkeeper', null, null] as const) {
    await set(role)
    expect(await roleOf()).toEqual({ role: role ?? 'customer' })
  }
  const event = { at: noon, actor: root.id, userId: ada.id }
  expect(await shop.deps.db.select().from(auditLog)).toMatchObject([
    { ...event, event: 'staff role granted', note: 'packer' },
    { ...event, event: 'staff role granted', note: 'bookkeeper' },
    { ...event, event: 'staff role revoked', note: 'bookkeeper' },
  ])
  await expect(set('packer', { id: bea.id })).rejects.toMatchObject({ code: 'conflict' })
  await expect(set('packer', { id: 'nobody' })).rejects.toMatchObject({ code: 'not-found' })
  await revokeAdmin(shop.deps, root, bea.email)
  await expect(set('packer', { actor: bea })).rejects.toMatchObject({
    ...{ code: 'forbidden', message: 'You are no longer an admin. Nothing was changed.' },
  })
  expect(await roleOf()).toEqual({ role: 'customer' })
})

test('ends the role beside admin with the account, and when its holder becomes an admin', async ({ shop }) => {
  const [root, ada, bea] = [await shop.admin(), await shop.customer(), await shop.customer()]
  const unverified = await shop.customer({ verified: false })
  for (const { id } of [ada, bea, unverified]) await setStaffRole(shop.deps, root, id, 'packer')
  await grantAdmin(shop.deps, 'the owner', ada.email)
  await revokeAdmin(shop.deps, root, ada.email)
  await closeAccount(shop.deps, bea)
  await expect(setStaffRole(shop.deps, root, bea.id, 'packer')).rejects.toMatchObject({
    ...{ code: 'conflict', message: 'This account is closed.' },
  })
  const rows = await shop.deps.db.select({ id: users.id, stored: users.staffRole, role: effectiveRole }).from(users)
  expect(rows.filter(({ id }) => id !== root.id)).toEqual(
    expect.arrayContaining([
      { id: ada.id, stored: null, role: 'customer' },
      { id: bea.id, stored: null, role: 'customer' },
      { id: unverified.id, stored: 'packer', role: 'customer' },
    ]),
  )
})

test('deletes email tokens a day after they expired', async ({ shop }) => {
  await resendVerification(at(shop, noon), await shop.customer())
  await deleteExpiredEmailTokens(at(shop, noon + 2 * day))
  expect(await shop.deps.db.select().from(emailTokens)).toHaveLength(1)
  await deleteExpiredEmailTokens(at(shop, noon + 2 * day + 1))
  expect(await shop.deps.db.select().from(emailTokens)).toEqual([])
})
