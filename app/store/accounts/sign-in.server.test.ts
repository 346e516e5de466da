import { eq, like } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { compared } from '../../../tests/support/quick-passwords'
import { test, type Store, noon, hour, day, at } from '../../../tests/support/store'
import { emails, passwords, sessions, rateLimits, users } from '../../db/schema'
import {
  checkPassword,
  endSession,
  findSessionUser,
  isRecentSignIn,
  findSignInLink,
  passwordMark,
  SignIn,
  startSession,
} from './sign-in.server'

vi.mock('./passwords.server', () => import('../../../tests/support/quick-passwords'))

const password = 'correct horse'
const here = { ip: '203.0.113.9', device: null }

/** A browser that has signed in to the account before. */
async function laptopOf(shop: Store, user: { id: string }) {
  const [row] = await shop.deps.db.select().from(passwords).where(eq(passwords.userId, user.id))
  return { id: 'laptop', passwordMark: await passwordMark(row!.hash) }
}

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
] as const)('validates the password (%#)', ([password, message]) => {
  const result = SignIn.safeParse({ email: 'jo@shop.com', password })
  expect(result.error?.issues[0]?.message).toBe(message)
})

test('accepts the right password, and refuses every other case with the same message and work', async ({ shop }) => {
  const ada = await shop.customer({ role: 'admin', password })
  const bea = await shop.customer()
  const [stored] = await shop.deps.db.select().from(passwords)
  expect(await checkPassword(shop.deps, { ...ada, password }, here)).toEqual({
    id: ada.id,
    email: ada.email,
    hasSecondFactor: false,
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
      message: 'Wrong email or password.',
    })
  }
  // The same work each time (R7).
  expect(compared.slice(-3)).toEqual([
    ['wrong horse', stored!.hash],
    [password, null],
    [password, null],
  ])
})

test.for([
  { limit: 'sign-in:both:%:203.0.113.9', max: 10 },
  { limit: 'sign-in:ip:%', max: 50 },
  { limit: 'sign-in:account:%', max: 100 },
  { limit: 'sign-in:all:%', max: 600 },
  { limit: 'sign-in:known:%', max: 20, known: true },
  { limit: 'sign-in:both:%:2001:db8:7', max: 20, ip: '2001:db8:7:1' },
  { limit: 'sign-in:network:%', max: 200, ip: '2001:db8:7:1' },
])('refuses attempt $max + 1 in $limit, even with the right password', async ({ limit, max, known, ip }, { shop }) => {
  const ada = await shop.customer({ password })
  const from = { ip: ip ?? here.ip, device: known ? await laptopOf(shop, ada) : null }
  const deps = at(shop, noon)
  expect(await outcome(checkPassword(deps, { ...ada, password: 'a guess' }, from))).toBe('wrong-credentials')
  await shop.deps.db
    .update(rateLimits)
    .set({ count: max - 1 })
    .where(like(rateLimits.key, limit))
  // One attempt is left for two parallel requests.
  const guesses = [1, 2].map(() => outcome(checkPassword(deps, { ...ada, password: 'a guess' }, from)))
  expect((await Promise.all(guesses)).sort()).toEqual(['too-many', 'wrong-credentials'])
  expect(await outcome(checkPassword(deps, { ...ada, password }, from))).toBe('too-many')
  expect(await outcome(checkPassword(at(shop, noon + hour / 4), { ...ada, password }, from))).toBe('signed in')
})

test('limits only the attacker’s address and account, and never a known device', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ password }), await shop.customer({ password })]
  await outcome(checkPassword(at(shop, noon), { ...ada, password: 'a guess' }, here))
  await shop.deps.db.update(rateLimits).set({ count: 10 }).where(like(rateLimits.key, 'sign-in:both:%'))
  const signsIn = (who: typeof ada, from: Parameters<typeof checkPassword>[2]) =>
    outcome(checkPassword(at(shop, noon), { ...who, password }, from))
  expect(await signsIn(ada, here)).toBe('too-many')
  // The link that lets one more browser try is for a locked account alone.
  expect(await shop.deps.db.$count(emails)).toBe(0)
  expect(await signsIn(ada, { ...here, ip: '203.0.113.10' })).toBe('signed in')
  expect(await signsIn(bea, here)).toBe('signed in')
  expect(await signsIn(ada, { ...here, device: await laptopOf(shop, ada) })).toBe('signed in')
})

test('does not count a successful sign-in', async ({ shop }) => {
  const ada = await shop.customer({ password })
  for (const device of [null, await laptopOf(shop, ada)])
    await checkPassword(shop.deps, { ...ada, password }, { ...here, device })
  const rows = await shop.deps.db.select().from(rateLimits)
  expect(rows.map(({ key, count }) => [key.split(':')[1], count]).sort()).toEqual([
    ['account', 0],
    ['all', 2],
    ['both', 0],
    ['ip', 0],
    ['known', 0],
  ])
})

test('starts a new session each time, and none after the password has changed', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const first = await startSession(at(shop, noon), proven, 'x'.repeat(301))
  const secret = expect.stringMatching(/^[\w-]{43}$/) as string
  expect(first).toEqual({ secret, expiresAt: noon + 30 * day, userId: ada.id })
  expect((await startSession(at(shop, noon), proven, '')).secret).not.toBe(first.secret)
  const rows = await shop.deps.db.select().from(sessions)
  expect(rows.map(({ userAgent }) => userAgent.length).sort()).toEqual([0, 300])
  expect(rows[0]).toMatchObject({ userId: ada.id, createdAt: noon, seenAt: noon, expiresAt: noon + 30 * day })
  expect(JSON.stringify(rows)).not.toContain(first.secret)

  await shop.deps.db.update(passwords).set({ hash: 'another' })
  await expect(startSession(shop.deps, proven, 'browser')).rejects.toMatchObject({
    code: 'wrong-credentials',
    message: 'Wrong email or password.',
  })
  expect(await shop.deps.db.select().from(sessions)).toHaveLength(2)
})

test('ends a session after 7 idle days or 30 days, and updates seenAt hourly', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const { secret } = await startSession(at(shop, noon), proven, 'laptop')
  const [other, idle] = [await startSession(at(shop, noon), proven, ''), await startSession(at(shop, noon), proven, '')]
  const ofAda = { id: ada.id, email: ada.email, name: 'Ada', role: 'customer' }
  const find = (now: number, whose = secret) => findSessionUser(at(shop, now), whose)
  const seenAt = async () =>
    (await shop.deps.db.select().from(sessions).where(eq(sessions.userAgent, 'laptop')))[0]!.seenAt

  expect(await find(noon)).toEqual({ ...ofAda, signedInAt: noon })
  await find(noon + hour)
  expect(await seenAt()).toBe(noon)
  await find(noon + hour + 1)
  expect(await seenAt()).toBe(noon + hour + 1)
  expect(await find(noon + 7 * day - 1, other.secret)).not.toBeNull()
  expect(await find(noon + 7 * day, idle.secret)).toBeNull()
  for (const days of [6, 12, 18, 24]) await find(noon + days * day)
  expect(await find(noon + 30 * day - 1)).not.toBeNull()
  expect(await find(noon + 30 * day)).toBeNull()
})

test('counts a sign-in as recent for 15 minutes, however often the session is used', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const { secret } = await startSession(at(shop, noon), await checkPassword(shop.deps, { ...ada, password }, here), '')
  const isRecent = async (now: number) =>
    isRecentSignIn({ now: () => now }, (await findSessionUser(at(shop, now), secret))!)
  expect(await isRecent(noon + hour / 4 - 1)).toBe(true)
  expect(await isRecent(noon + hour / 4)).toBe(false)
  await findSessionUser(at(shop, noon + 2 * hour), secret)
  expect(await isRecent(noon + 2 * hour)).toBe(false)
})

test('signs out of one session only', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  const [laptop, phone] = [await startSession(shop.deps, proven, ''), await startSession(shop.deps, proven, '')]
  await endSession(shop.deps, laptop.secret)
  expect(await findSessionUser(shop.deps, laptop.secret)).toBeNull()
  expect(await findSessionUser(shop.deps, phone.secret)).toMatchObject({ id: ada.id })
  await shop.deps.db.update(users).set({ role: 'admin' })
  expect(await findSessionUser(shop.deps, phone.secret)).toMatchObject({ role: 'admin' })
})

test('mails the owner of a locked account a link that lets one more browser try', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const guess = { ...ada, password: 'a guess' }
  await outcome(checkPassword(at(shop, noon), guess, here))
  await shop.deps.db.update(rateLimits).set({ count: 100 }).where(like(rateLimits.key, 'sign-in:account:%'))
  const elsewhere = (index: number) => ({ ip: `198.51.100.${index}`, device: null })
  for (let index = 0; index < 5; index++) {
    await expect(checkPassword(at(shop, noon), guess, elsewhere(index))).rejects.toMatchObject({
      code: 'too-many',
      message: expect.stringContaining('open the link in the email that we sent you') as string,
    })
  }
  // An unknown email reads the same, and gets no email.
  const nobody = { email: 'nobody@example.com', password }
  await outcome(checkPassword(at(shop, noon), nobody, here))
  await shop.deps.db.update(rateLimits).set({ count: 100 }).where(like(rateLimits.key, 'sign-in:account:%'))
  await expect(checkPassword(at(shop, noon), nobody, elsewhere(9))).rejects.toMatchObject({ code: 'too-many' })
  const [mail, ...more] = await shop.deps.db.select().from(emails)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ recipient: ada.email, subject: 'Log in from a new browser' })

  const secret = /device=(\S+)/.exec(mail!.text)![1]!
  expect(await findSignInLink(at(shop, noon + hour / 2), secret)).toBeNull()
  const found = await findSignInLink(at(shop, noon + hour / 2 - 1), secret)
  expect(found!.email).toBe(ada.email)
  const device = { id: 'new browser', passwordMark: await passwordMark(found!.passwordHash) }
  expect(await outcome(checkPassword(at(shop, noon), { ...ada, password }, { ...here, device }))).toBe('signed in')
  await shop.deps.db.update(passwords).set({ hash: 'another' })
  expect(await outcome(checkPassword(at(shop, noon), { ...ada, password }, { ...here, device }))).toBe('too-many')
})

test('counts the role of an admin once the email is verified', async ({ shop }) => {
  const ada = await shop.customer({ password, role: 'admin', verified: false })
  const proven = await checkPassword(shop.deps, { ...ada, password }, here)
  expect(proven.role).toBe('customer')
  const { secret } = await startSession(shop.deps, proven, '')
  const customer = await findSessionUser(shop.deps, secret)
  expect([customer!.role, customer!.waiting]).toEqual(['customer', undefined])
  await shop.deps.db.update(users).set({ emailVerifiedAt: noon })
  const waiting = { messages: 0, quotes: 0, problems: 0 }
  expect(await findSessionUser(shop.deps, secret)).toMatchObject({ role: 'admin', waiting })
})

test('has at most 20 sessions of a user: a further sign-in ends the one used least recently', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ password }), await shop.customer({ password })]
  const [proven, other] = [
    await checkPassword(shop.deps, { ...ada, password }, here),
    await checkPassword(shop.deps, { ...bea, password }, here),
  ]
  const beas = await startSession(at(shop, 0), other, '')
  const all = []
  for (let nth = 0; nth < 20; nth++) all.push(await startSession(at(shop, noon + nth), proven, ''))
  await findSessionUser(at(shop, noon + 2 * hour), all[0]!.secret)
  await startSession(at(shop, noon + 2 * hour), proven, '')
  const alive = await Promise.all(all.map(({ secret }) => findSessionUser(at(shop, noon + 2 * hour), secret)))
  expect(alive.map((user) => user !== null)).toEqual([true, false, ...Array<boolean>(18).fill(true)])
  expect(await findSessionUser(at(shop, hour), beas.secret)).not.toBeNull()
})
