import { eq } from 'drizzle-orm'
import { generateKeyPairSync } from 'node:crypto'
import { expect, vi } from 'vitest'
import { Authenticator, type Lies, type NewLies } from '../../../../tests/support/authenticator'
import { test, type Customer, type Store } from '../../../../tests/support/store'
import { auditLog, emails, passkeys, sessions } from '../../../db/schema'
import { closeAccount } from '../../privacy/close-account.server'
import { newSecret } from '../../shared/ids.server'
import { maxPasskeys } from '../../shared/limits'
import {
  addPasskey,
  beginPasskey,
  selectPasskeys,
  NewPasskey,
  removePasskey,
  signInWithPasskey,
} from './passkeys.server'
import { requestPasswordReset, resetPassword } from '../password-reset.server'
import { useCode } from '../second-factor/second-factor.server'
import { findSessionUser } from '../sign-in.server'

vi.mock('../passwords.server', () => import('../../../../tests/support/quick-passwords'))

const from = { ip: '203.0.113.9', userAgent: 'Firefox' }
const userOf = (customer: Customer) => ({ ...customer, role: 'customer' as const })

async function add(shop: Store, customer: Customer, key: Authenticator, lies: NewLies = {}) {
  const { userHandle } = await beginPasskey(shop.deps, userOf(customer))
  const expected = { challenge: newSecret(), origin: shop.deps.origin, userHandle }
  const credential = key.create({ challenge: expected.challenge, user: { id: userHandle } }, lies)
  const input = NewPasskey.safeParse({ name: 'Phone', credential })
  if (!input.success) throw new Error('not a credential')
  await addPasskey(shop.deps, userOf(customer), input.data, expected)
}

const challengeOf = (shop: Store) => ({ challenge: newSecret(), origin: shop.deps.origin })

function signIn(shop: Store, key: Authenticator, lies?: Lies, expected = challengeOf(shop)) {
  return signInWithPasskey(shop.deps, key.get(expected, lies), expected, from)
}

const refusal = {
  code: 'wrong-credentials',
  message: 'This passkey did not work here. Log in another way, or try again.',
}

test('adds a passkey with a name, tells its owner, and starts sessions without password and code', async ({ shop }) => {
  const ada = await shop.customer()
  const key = new Authenticator(shop.deps.origin)
  await add(shop, ada, key)
  const [row] = await shop.deps.db.select().from(passkeys)
  expect(row).toMatchObject({ id: key.id, name: 'Phone', userId: ada.id, signCount: 0 })
  expect(Buffer.from(row!.userHandle, 'base64url')).toHaveLength(32)
  expect(row!.userHandle).not.toContain(ada.id)
  const second = new Authenticator(shop.deps.origin)
  await add(shop, ada, second)
  expect(second.userHandle).toBe(key.userHandle)

  const { userId, session } = await signIn(shop, key)
  expect(userId).toBe(ada.id)
  expect(await findSessionUser(shop.deps, session.secret)).toMatchObject({ id: ada.id })
  expect((await selectPasskeys(shop.deps, ada))[0]!.usedAt).not.toBeNull()
  await signIn(shop, key, { userHandle: null })
  // Nor does it wait while somebody guesses codes.
  for (let nth = 0; nth < 10; nth++)
    await expect(useCode(shop.deps, ada, '000000')).rejects.toMatchObject({ code: 'wrong-code' })
  await expect(useCode(shop.deps, ada, '000000')).rejects.toMatchObject({ code: 'too-many' })
  await signIn(shop, key)

  expect(await removePasskey(shop.deps, userOf(ada), second.id)).toBe(true)
  expect(await removePasskey(shop.deps, userOf(ada), second.id)).toBe(false)
  const log = await shop.deps.db.select({ event: auditLog.event }).from(auditLog).where(eq(auditLog.userId, ada.id))
  expect(log.map(({ event }) => event)).toEqual(['passkey added', 'passkey added', 'passkey removed'])
  const sent = await shop.deps.db.select().from(emails).where(eq(emails.recipient, ada.email))
  expect(sent.map(({ subject }) => subject)).toEqual([
    'A passkey was added',
    'A passkey was added',
    'Wrong codes for your account',
    'A passkey was removed',
  ])
  await expect(signIn(shop, second)).rejects.toMatchObject(refusal)
})

test('takes so many passkeys of one account, whatever others have', async ({ shop }) => {
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const fill = (user: Customer, count: number) =>
    shop.deps.db.insert(passkeys).values(
      Array.from({ length: count }, (_, nth) => ({
        ...{ id: `${user.id}:${nth}`, userId: user.id, userHandle: 'h', publicKey: 'k', signCount: 0, name: 'x' },
        createdAt: 1,
      })),
    )
  await fill(bea, maxPasskeys)
  await fill(ada, maxPasskeys - 1)
  await add(shop, ada, new Authenticator(shop.deps.origin))
  for (const full of [ada, bea])
    await expect(add(shop, full, new Authenticator(shop.deps.origin))).rejects.toMatchObject({ code: 'conflict' })
})

test('refuses a new passkey for another shop or challenge, without a verified user, or with a wrong key', async ({
  shop,
}) => {
  const ada = await shop.customer()
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const curves = ['secp256k1', 'P-384'].map((namedCurve) => generateKeyPairSync('ec', { namedCurve }).publicKey)
  const lies: NewLies[] = [
    { origin: 'https://evil.example' },
    { origin: `${shop.deps.origin}.evil.example` },
    { rpId: 'evil.example' },
    { type: 'webauthn.get' },
    { challenge: newSecret() },
    { crossOrigin: true },
    { flags: 0x41 },
    { flags: 0x44 },
    { flags: 0x05 },
    { id: 'AAAA' },
    { publicKey: Buffer.from('0000', 'hex') },
    ...curves.map((publicKey) => ({ publicKey })),
    { publicKey: weak },
  ]
  for (const lie of lies)
    await expect(add(shop, ada, new Authenticator(shop.deps.origin), lie)).rejects.toMatchObject({ code: 'invalid' })
  const rsa = new Authenticator(shop.deps.origin, -257)
  await expect(add(shop, ada, rsa, { publicKey: weak })).rejects.toMatchObject({ code: 'invalid' })
  expect(await shop.deps.db.$count(passkeys)).toBe(0)

  const unverified = await shop.customer({ verified: false })
  await expect(add(shop, unverified, new Authenticator(shop.deps.origin))).rejects.toMatchObject({ code: 'conflict' })
  const key = new Authenticator(shop.deps.origin)
  await add(shop, ada, key)
  await expect(add(shop, await shop.customer(), key)).rejects.toMatchObject({
    message: 'This passkey is here already.',
  })
  for (let nth = 1; nth < 20; nth++) await add(shop, ada, new Authenticator(shop.deps.origin))
  await expect(add(shop, ada, new Authenticator(shop.deps.origin))).rejects.toMatchObject({ code: 'conflict' })
  expect(await shop.deps.db.$count(emails)).toBe(20)
})

test('refuses every answer but that of the passkey to this challenge at this shop, in the same words', async ({
  shop,
}) => {
  const [ada, eve] = [await shop.customer(), await shop.customer()]
  const [key, other] = [new Authenticator(shop.deps.origin), new Authenticator(shop.deps.origin)]
  await add(shop, ada, key)
  await add(shop, eve, other)
  await signIn(shop, key)
  const lies: Lies[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { challenge: newSecret() },
    { crossOrigin: true },
    { flags: 0x01 },
    { flags: 0x04 },
    { signCount: 1 },
    { signCount: 0 },
    { userHandle: 'AAAA' },
    { userHandle: other.userHandle },
    { id: other.id },
    { id: other.id, userHandle: other.userHandle },
    { id: 'AAAA' },
    { signature: (signature) => Buffer.concat([signature.subarray(0, -1), Buffer.from([signature.at(-1)! ^ 1])]) },
    { signature: () => Buffer.from('30060201000201', 'hex') },
    { signature: () => Buffer.from('3006020100020100', 'hex') },
  ]
  for (const lie of lies) await expect(signIn(shop, key, lie)).rejects.toMatchObject(refusal)
  for (const nonsense of ['', '{}', 'null', '[]', '{"id":"AAAA","type":"public-key","response":{}}'])
    await expect(signInWithPasskey(shop.deps, nonsense, challengeOf(shop), from)).rejects.toMatchObject(refusal)
  expect(shop.reported).toEqual([`passkey counter: ${ada.id}`, `passkey counter: ${ada.id}`])
  expect(await shop.deps.db.$count(sessions)).toBe(1)

  const expected = challengeOf(shop)
  const answer = key.get(expected)
  const twice = await Promise.allSettled([1, 2].map(() => signInWithPasskey(shop.deps, answer, expected, from)))
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  // The counter of the lies is above that of the row, so only the challenge refuses this.
  await expect(signIn(shop, key, {}, expected)).rejects.toMatchObject({ code: 'conflict' })
})

test('limits wrong answers from one address to 50, and forgets right ones', async ({ shop }) => {
  const key = new Authenticator(shop.deps.origin)
  await add(shop, await shop.customer(), key)
  const noon = Date.UTC(2026, 10, 24, 12)
  const at = { ...shop.deps, now: () => noon }
  const answer = () => {
    const expected = challengeOf(shop)
    return signInWithPasskey(at, key.get(expected), expected, from)
  }
  await answer()
  for (let nth = 0; nth < 50; nth++)
    await expect(signInWithPasskey(at, '{}', challengeOf(shop), from)).rejects.toMatchObject(refusal)
  await expect(answer()).rejects.toMatchObject({ code: 'too-many' })
})

test('a new password by email, and closing the account, end all passkeys', async ({ shop }) => {
  const ada = await shop.customer({ password: 'correct horse' })
  const key = new Authenticator(shop.deps.origin)
  await add(shop, ada, key)
  await requestPasswordReset(shop.deps, ada.email)
  const rows = await shop.deps.db.select().from(emails)
  const token = rows.map(({ text }) => /token=(\S+)/.exec(text)?.[1]).find(Boolean)!
  await resetPassword(shop.deps, { token, password: 'another horse' })
  await expect(signIn(shop, key)).rejects.toMatchObject(refusal)

  const again = new Authenticator(shop.deps.origin)
  await add(shop, ada, again)
  await closeAccount(shop.deps, ada)
  expect(await shop.deps.db.$count(passkeys)).toBe(0)
  await expect(signIn(shop, again)).rejects.toMatchObject(refusal)
  await expect(add(shop, ada, new Authenticator(shop.deps.origin))).rejects.toThrow()
})
