import { eq, like } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { compared } from '../../../tests/support/plain-passwords'
import { test, type Store } from '../../../tests/support/store'
import { passwords, sessions, rateLimits, users } from '../../db/schema'
import { checkPassword, endSession, findSessionUser, SignIn, startSession } from './sign-in.server'

vi.mock('./passwords.server', () => import('../../../tests/support/plain-passwords'))

const noon = Date.UTC(2026, 10, 24, 12)
const hour = 60 * 60 * 1000
const day = 24 * hour
const at = (shop: Store, now: number) => ({ ...shop.deps, now: () => now })
const password = 'correct horse'
const here = { address: '203.0.113.9', device: null }

const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'signed in',
    (error: unknown) => (error as { code?: string }).code,
  )

test.for([
  ['12345', 'Must be 6 characters or longer'],
  ['123456', undefined],
  ['x'.repeat(1000), undefined],
  ['x'.repeat(1001), 'Must be at most 1000 characters'],
  [undefined, 'Password is Required'],
] as const)('the rule for a password (%#)', ([password, message]) => {
  const result = SignIn.safeParse({ email: 'jo@shop.com', password })
  expect(result.error?.issues[0]?.message).toBe(message)
})

test('the right password proves who it is; a wrong one, an unknown email and an account without a password are refused alike', async ({
  shop,
}) => {
  const ada = await shop.customer({ role: 'admin', password })
  const bea = await shop.customer()
  const [stored] = await shop.deps.db.select().from(passwords)
  expect(await checkPassword(shop.deps, { ...ada, password }, here)).toEqual({
    id: ada.id,
    email: ada.email,
    name: ada.name,
    role: 'admin',
    passwordHash: stored!.hash,
  })
  for (const wrong of [
    { ...ada, password: 'wrong horse' },
    { email: 'nobody@example.com', password },
    { ...bea, password },
  ]) {
    await expect(checkPassword(shop.deps, wrong, here)).rejects.toMatchObject({
      code: 'wrong-credentials',
      message: 'This email and password do not belong together.',
    })
  }
  // The same work each time (R7): how long the answer takes tells nothing.
  expect(compared.slice(-3)).toEqual([
    ['wrong horse', stored!.hash],
    [password, null],
    [password, null],
  ])
})

test.for([
  { limit: 'sign-in:both:%', max: 10, device: null },
  { limit: 'sign-in:address:%', max: 50, device: null },
  { limit: 'sign-in:account:%', max: 100, device: null },
  { limit: 'sign-in:known:%', max: 20, device: 'laptop' },
])('refuses try $max + 1 in $limit, though the password be right', async ({ limit, max, device }, { shop }) => {
  const ada = await shop.customer({ password })
  const from = { ...here, device }
  const deps = at(shop, noon)
  expect(await outcome(checkPassword(deps, { ...ada, password: 'a guess' }, from))).toBe('wrong-credentials')
  await shop.deps.db
    .update(rateLimits)
    .set({ count: max - 1 })
    .where(like(rateLimits.key, limit))
  // One more is heard: of two at once, one.
  const guesses = [1, 2].map(() => outcome(checkPassword(deps, { ...ada, password: 'a guess' }, from)))
  expect((await Promise.all(guesses)).sort()).toEqual(['too-many', 'wrong-credentials'])
  expect(await outcome(checkPassword(deps, { ...ada, password }, from))).toBe('too-many')
  expect(await outcome(checkPassword(at(shop, noon + hour / 4), { ...ada, password }, from))).toBe('signed in')
})

test('a flood of guesses from elsewhere leaves other addresses, other accounts and the known browser alone', async ({
  shop,
}) => {
  const [ada, bea] = [await shop.customer({ password }), await shop.customer({ password })]
  await outcome(checkPassword(at(shop, noon), { ...ada, password: 'a guess' }, here))
  await shop.deps.db.update(rateLimits).set({ count: 10 }).where(like(rateLimits.key, 'sign-in:both:%'))
  const signsIn = (who: typeof ada, from: Parameters<typeof checkPassword>[2]) =>
    outcome(checkPassword(at(shop, noon), { ...who, password }, from))
  expect(await signsIn(ada, here)).toBe('too-many')
  expect(await signsIn(ada, { ...here, address: '203.0.113.10' })).toBe('signed in')
  expect(await signsIn(bea, here)).toBe('signed in')
  expect(await signsIn(ada, { ...here, device: 'laptop' })).toBe('signed in')
})

test('a sign-in that succeeds uses up no tries', async ({ shop }) => {
  const ada = await shop.customer({ password })
  for (const device of [null, 'laptop']) await checkPassword(shop.deps, { ...ada, password }, { ...here, device })
  const rows = await shop.deps.db.select().from(rateLimits)
  expect(rows.map(({ key, count }) => [key.split(':')[1], count]).sort()).toEqual([
    ['account', 0],
    ['address', 0],
    ['both', 0],
    ['known', 0],
  ])
})

test('a session is new at each sign-in, and none starts with a password that was changed meanwhile', async ({
  shop,
}) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const first = await startSession(at(shop, noon), proven, 'x'.repeat(301))
  expect(first).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/) as string, expiresAt: noon + 30 * day })
  expect((await startSession(at(shop, noon), proven, '')).secret).not.toBe(first.secret)
  const rows = await shop.deps.db.select().from(sessions)
  expect(rows.map(({ userAgent }) => userAgent.length).sort()).toEqual([0, 300])
  expect(rows[0]).toMatchObject({ userId: ada.id, createdAt: noon, seenAt: noon, expiresAt: noon + 30 * day })
  expect(JSON.stringify(rows)).not.toContain(first.secret)

  await shop.deps.db.update(passwords).set({ hash: 'another' })
  await expect(startSession(shop.deps, proven, 'browser')).rejects.toMatchObject({
    code: 'wrong-credentials',
    message: 'This email and password do not belong together.',
  })
  expect(await shop.deps.db.select().from(sessions)).toHaveLength(2)
})

test('a session ends after 7 days without use and 30 days in all, and says when it was seen to the hour', async ({
  shop,
}) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const { secret } = await startSession(at(shop, noon), proven, 'laptop')
  const [other, idle] = [await startSession(at(shop, noon), proven, ''), await startSession(at(shop, noon), proven, '')]
  const find = (now: number, whose = secret) => findSessionUser(at(shop, now), whose)
  const seenAt = async () =>
    (await shop.deps.db.select().from(sessions).where(eq(sessions.userAgent, 'laptop')))[0]!.seenAt

  expect(await find(noon)).toEqual({ id: ada.id, email: ada.email, name: 'Ada', role: 'customer' })
  await find(noon + hour)
  expect(await seenAt()).toBe(noon)
  await find(noon + hour + 1)
  expect(await seenAt()).toBe(noon + hour + 1)
  // Only the session that is used is seen: the others have been idle since noon.
  expect(await find(noon + 7 * day - 1, other.secret)).not.toBeNull()
  expect(await find(noon + 7 * day, idle.secret)).toBeNull()
  for (const days of [6, 12, 18, 24]) await find(noon + days * day)
  expect(await find(noon + 30 * day - 1)).not.toBeNull()
  expect(await find(noon + 30 * day)).toBeNull()
})

test('signing out ends that session and no other', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const [laptop, phone] = [await startSession(shop.deps, proven, ''), await startSession(shop.deps, proven, '')]
  await endSession(shop.deps, laptop.secret)
  expect(await findSessionUser(shop.deps, laptop.secret)).toBeNull()
  expect(await findSessionUser(shop.deps, phone.secret)).toMatchObject({ id: ada.id })
  await shop.deps.db.update(users).set({ role: 'admin' })
  expect(await findSessionUser(shop.deps, phone.secret)).toMatchObject({ role: 'admin' })
})
