import { eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { test, type Customer, type Store, noon, minute, at } from '../../../../tests/support/store'
import { appCode } from '../../../../tests/support/totp'
import { auditLog, emails, recoveryCodes, secondFactors, sessions } from '../../../db/schema'
import { signInWithGoogle } from '../google-sign-in.server'
import { requestPasswordReset, resetPassword } from '../password-reset.server'
import {
  beginSecondFactor,
  confirmSecondFactor,
  finishSignIn,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  useCode,
} from './second-factor.server'
import { checkPassword, findSessionUser, passwordMark, prepareSession, startSession } from '../sign-in.server'
import { register } from '../users.server'

vi.mock('../passwords.server', () => import('../../../../tests/support/quick-passwords'))

const password = 'correct horse'
const from = { ip: '203.0.113.9', device: null }
const anywhere = { userAgent: '', device: null }
const wrong = { code: 'wrong-code' }

async function begin(shop: Store, user: Customer, now = noon): Promise<string> {
  await beginSecondFactor(at(shop, now), { user, password, from })
  const { factor } = await readSecondFactor(at(shop, now), user)
  return factor.state === 'pending' ? factor.secret : factor.state
}

async function switchOn(shop: Store, user: Customer) {
  const secret = await begin(shop, user)
  const code = appCode(secret, { at: noon })
  const codes = await confirmSecondFactor(at(shop, noon), user, { code, sessionSecret: 'this' })
  return { secret, code, codes, codeAt: (now: number) => appCode(secret, { at: now }) }
}

test('switches on with the first code, ends other sessions, records it and sends an email', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const wrongPassword = beginSecondFactor(shop.deps, { user: ada, password: 'a guess', from })
  await expect(wrongPassword).rejects.toMatchObject({ code: 'wrong-credentials' })
  const [here, elsewhere] = [await prepareSession(shop.deps, ada, ''), await prepareSession(shop.deps, ada, '')]
  for (const { insert } of [here, elsewhere]) await insert
  const first = await begin(shop, ada)
  const secret = await begin(shop, ada)
  const confirm = (code: string, now = noon) =>
    confirmSecondFactor(at(shop, now), ada, { code, sessionSecret: here.session.secret })
  for (const code of [appCode(first, { at: noon }), '', '12345', 'ABCDEF'])
    await expect(confirm(code)).rejects.toMatchObject(wrong)
  expect((await readSecondFactor(at(shop, noon + 15 * minute), ada)).factor).toEqual({ state: 'off' })
  const late = confirm(appCode(secret, { at: noon + 15 * minute }), noon + 15 * minute)
  await expect(late).rejects.toMatchObject({ code: 'conflict' })

  const code = appCode(secret, { at: noon })
  const results = await Promise.allSettled([confirm(code), confirm(code)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const codes = results.find((result) => result.status === 'fulfilled')!.value
  expect(new Set(codes).size).toBe(8)
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
  expect((await readSecondFactor(at(shop, noon), ada)).factor).toEqual({ state: 'on', since: noon, recoveryCodes: 8 })
  await expect(begin(shop, ada)).rejects.toMatchObject({ code: 'conflict' })
  expect(await findSessionUser(shop.deps, here.session.secret)).not.toBeNull()
  expect(await shop.deps.db.$count(sessions)).toBe(1)
  const event = { at: noon, event: 'second factor on', actor: ada.id, userId: ada.id }
  expect(await shop.deps.db.select().from(auditLog)).toMatchObject([event])
  const notice = { recipient: ada.email, subject: 'Your second factor is on' }
  expect(await shop.deps.db.select().from(emails)).toMatchObject([notice])
  const stored = JSON.stringify([
    await shop.deps.db.select().from(secondFactors),
    await shop.deps.db.select().from(recoveryCodes),
  ])
  for (const text of [secret, ...codes]) expect(stored).not.toContain(text.replaceAll('-', ''))
})

test('refuses a second factor for an email that nobody has verified', async ({ shop }) => {
  const ada = await shop.customer({ password, verified: false })
  await expect(begin(shop, ada)).rejects.toMatchObject({ code: 'conflict' })
  expect(await readSecondFactor(shop.deps, ada)).toMatchObject({ isVerified: false, hasPassword: true })
})

test('takes each code once, also when it is sent twice at the same time, and no older one', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const { code, codeAt, codes } = await switchOn(shop, ada)
  const use = (text: string, now = noon + 10 * minute) => useCode(at(shop, now), ada, text)
  await expect(use(code, noon)).rejects.toMatchObject(wrong)
  const next = codeAt(noon + 10 * minute)
  const twice = await Promise.allSettled([use(` ${next.slice(0, 3)} ${next.slice(3)} `), use(next)])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(use(codeAt(noon + 10 * minute - 30_000))).rejects.toMatchObject(wrong)

  const [first, second] = codes
  expect(await use(first!.toLowerCase().replaceAll('-', ' '))).toBe('recovery')
  await expect(use(first!)).rejects.toMatchObject(wrong)
  const both = await Promise.allSettled([use(second!), use(second!)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await readSecondFactor(shop.deps, ada)).factor).toMatchObject({ recoveryCodes: 6 })
  expect(await shop.deps.db.$count(auditLog, eq(auditLog.event, 'recovery code used'))).toBe(2)
  expect(await shop.deps.db.$count(emails, eq(emails.subject, 'A recovery code was used'))).toBe(2)
  const bea = await shop.customer({ password })
  await switchOn(shop, bea)
  await expect(useCode(shop.deps, bea, codes[2]!)).rejects.toMatchObject(wrong)
})

/** Six digits that are no code of the app at this time. */
function wrongCode(codeAt: (now: number) => string, now: number): string {
  const right = [-30_000, 0, 30_000].map((ms) => codeAt(now + ms))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code))!
}

const limited = { code: 'too-many' }

async function guessing(shop: Store) {
  const ada = await shop.customer({ password })
  const { codeAt, codes } = await switchOn(shop, ada)
  const use = (ip: string, code: string, now = noon, device?: string) =>
    useCode({ ...at(shop, now), ip }, ada, code, device)
  /** 10 wrong ones each. */
  const guess = async (now: number, ...ips: string[]) => {
    for (const ip of ips)
      for (let nth = 0; nth < 10; nth++) await expect(use(ip, wrongCode(codeAt, now), now)).rejects.toMatchObject(wrong)
  }
  const warnings = () => shop.deps.db.$count(emails, eq(emails.subject, 'Wrong codes for your account'))
  return { ada, codeAt, codes, use, guess, warnings }
}

test('refuses a right code after 10 wrong ones from an IP address, or 30 from anywhere', async ({ shop }) => {
  const { codeAt, codes, use, guess } = await guessing(shop)
  const right = codeAt(noon + minute)
  await guess(noon, '203.0.113.1')
  const message = 'Too many wrong codes. A recovery code still works. Please wait 15 minutes and try again.'
  await expect(use('203.0.113.1', right)).rejects.toMatchObject({ ...limited, message })
  expect(await use('203.0.113.1', codes[0]!)).toBe('recovery')
  await guess(noon, '203.0.113.2', '203.0.113.3')
  await expect(use('203.0.113.4', codeAt(noon))).rejects.toMatchObject(limited)
  expect(await use('203.0.113.4', codes[1]!)).toBe('recovery')
  for (let nth = 0; nth < 10; nth++) await expect(use('203.0.113.4', 'A')).rejects.toMatchObject(wrong)
  await expect(use('203.0.113.4', codes[2]!)).rejects.toMatchObject({
    ...limited,
    message: expect.not.stringMatching('recovery') as string,
  })
  expect(await use('203.0.113.4', codes[2]!, noon, 'laptop')).toBe('recovery')
  expect(await use('203.0.113.4', codeAt(noon + 15 * minute), noon + 15 * minute)).toBe('app')
})

test('refuses a right code after 50 wrong ones in a day, but not from a browser that has signed in before', async ({
  shop,
}) => {
  const { codeAt, use, guess } = await guessing(shop)
  const later = noon + 15 * minute
  await guess(noon, '203.0.113.1', '203.0.113.2', '203.0.113.3')
  await guess(later, '203.0.113.1', '203.0.113.2')
  const evening = noon + 6 * 60 * minute
  const message = 'Too many wrong codes. A recovery code still works. Please wait 6 hours and try again.'
  await expect(use('203.0.113.9', codeAt(evening), evening)).rejects.toMatchObject({ ...limited, message })
  expect(await use('203.0.113.9', codeAt(evening), evening, 'laptop')).toBe('app')
  const tomorrow = noon + 12 * 60 * minute
  expect(await use('203.0.113.9', codeAt(tomorrow), tomorrow)).toBe('app')
})

test('bounds the wrong codes of all browsers that have signed in before: the mailed link makes more of them', async ({
  shop,
}) => {
  const { codeAt, use } = await guessing(shop)
  for (let nth = 0; nth < 30; nth++)
    await expect(use('203.0.113.1', wrongCode(codeAt, noon), noon, `browser ${nth}`)).rejects.toMatchObject(wrong)
  await expect(use('203.0.113.1', codeAt(noon + minute), noon, 'browser 31')).rejects.toMatchObject(limited)
})

test('tells the owner at the tenth wrong code of a day, once, whatever the kind and the way to send them', async ({
  shop,
}) => {
  const { ada, codeAt, use, warnings } = await guessing(shop)
  const guess = async (now: number, times: number) => {
    for (let nth = 0; nth < times; nth++) {
      const code = nth % 3 === 0 ? 'A' : wrongCode(codeAt, now)
      await expect(use(`203.0.113.${nth}`, code, now, nth % 3 === 1 ? 'laptop' : undefined)).rejects.toMatchObject(
        wrong,
      )
    }
  }
  await guess(noon, 9)
  expect(await warnings()).toBe(0)
  await guess(noon + 60 * minute, 1)
  expect(await warnings()).toBe(1)
  await guess(noon + 120 * minute, 9)
  const tomorrow = noon + 24 * 60 * minute
  await guess(tomorrow, 9)
  expect(await warnings()).toBe(1)
  await guess(tomorrow + 60 * minute, 1)
  expect(await warnings()).toBe(2)
  const [mail] = await shop.deps.db.select().from(emails).where(eq(emails.subject, 'Wrong codes for your account'))
  expect([mail!.recipient, mail!.text]).toEqual([ada.email, expect.stringContaining('/forgot-password')])
})

test('counts a browser apart only while it is known by the present password', async ({ shop }) => {
  const { ada, codeAt, codes, guess } = await guessing(shop)
  await guess(noon, '203.0.113.1', '203.0.113.2', '203.0.113.3')
  const { passwordHash } = await checkPassword(shop.deps, { ...ada, password }, from)
  const mark = await passwordMark(passwordHash)
  const finish = (device: { id: string; passwordMark: string } | null, code: string, byPassword = true) =>
    finishSignIn(
      { ...at(shop, noon), ip: '203.0.113.1' },
      { userId: ada.id, passwordMark: byPassword ? mark : null },
      code,
      { userAgent: '', device },
    )
  for (const device of [null, { id: 'laptop', passwordMark: 'of another password' }])
    await expect(finish(device, codeAt(noon + minute))).rejects.toMatchObject(limited)
  expect(await finish({ id: 'laptop', passwordMark: mark }, codeAt(noon + minute / 2))).toMatchObject({ by: 'app' })
  expect(await finish({ id: 'laptop', passwordMark: mark }, codes[0]!, false)).toMatchObject({
    by: 'recovery',
    passwordHash: null,
  })
})

test('starts no session without a code, by password, Google or a repeated registration', async ({ shop }) => {
  const zoe = { name: 'Zoë', email: 'zoe@example.com', password, submissionId: 'the-form-1' }
  await register(shop.deps, zoe, { ip: from.ip, userAgent: '' })
  const google = { issuer: 'https://accounts.google.com', subject: '1', emailVerified: true, isHosted: true }
  const { userId } = await signInWithGoogle(shop.deps, { ...google, email: zoe.email, name: 'Zoë' }, '')
  await requestPasswordReset(shop.deps, zoe.email)
  const [mail] = await shop.deps.db.select().from(emails).where(eq(emails.subject, 'Choose a new password'))
  const token = /token=(\S+)/.exec(mail!.text)![1]!
  await resetPassword(shop.deps, { token, password })
  const user = { id: userId, name: zoe.name, email: zoe.email }
  const { codes } = await switchOn(shop, user)
  await shop.deps.db.delete(sessions)

  const checked = await checkPassword(shop.deps, zoe, from)
  expect(checked.hasSecondFactor).toBe(true)
  await expect(startSession(shop.deps, checked, '')).rejects.toMatchObject({ code: 'wrong-credentials' })
  const again = await signInWithGoogle(shop.deps, { ...google, email: zoe.email, name: 'Zoë' }, '')
  expect(again).toMatchObject({ userId, session: null })
  const repeated = register(shop.deps, zoe, { ip: from.ip, userAgent: '' })
  await expect(repeated).rejects.toMatchObject({ code: 'conflict' })
  expect(await shop.deps.db.$count(sessions)).toBe(0)

  const byPassword = { userId, passwordMark: await passwordMark(checked.passwordHash) }
  await expect(finishSignIn(shop.deps, byPassword, 'A', anywhere)).rejects.toMatchObject(wrong)
  const stale = { userId, passwordMark: await passwordMark('an earlier hash') }
  for (const pending of [stale, { ...byPassword, userId: 'nobody' }])
    await expect(finishSignIn(shop.deps, pending, codes[0]!, anywhere)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  for (const pending of [byPassword, { userId, passwordMark: null }]) {
    const { session } = await finishSignIn(shop.deps, pending, codes.pop()!, anywhere)
    expect(await findSessionUser(shop.deps, session.secret)).toMatchObject({ id: userId })
  }
})

test('stays on after a password reset; goes with password and code, or by the operator', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const { codes, codeAt } = await switchOn(shop, ada)
  await requestPasswordReset(shop.deps, ada.email)
  const [mail] = await shop.deps.db.select().from(emails).where(eq(emails.subject, 'Choose a new password'))
  const reset = { token: /token=(\S+)/.exec(mail!.text)![1]!, password: 'another horse' }
  await resetPassword(shop.deps, reset)
  expect((await checkPassword(shop.deps, { ...ada, password: reset.password }, from)).hasSecondFactor).toBe(true)

  const proof = { user: ada, password: reset.password, from }
  const renewed = await renewRecoveryCodes(shop.deps, { ...proof, code: codes[0]! })
  expect(renewed).toHaveLength(8)
  const remove = (code: string, password = proof.password) =>
    removeSecondFactor(at(shop, noon), { ...proof, password, code, sessionSecret: 'this' })
  await expect(remove(codes[1]!)).rejects.toMatchObject(wrong)
  await expect(remove(renewed[0]!, 'a guess')).rejects.toMatchObject({ code: 'wrong-credentials' })
  await remove(renewed[0]!)
  expect((await readSecondFactor(shop.deps, ada)).factor).toEqual({ state: 'off' })
  expect(await shop.deps.db.$count(recoveryCodes)).toBe(0)

  const bea = await shop.customer({ password })
  await switchOn(shop, bea)
  expect(await resetSecondFactor(at(shop, noon), 'the owner', bea.email)).toBe(true)
  expect(await resetSecondFactor(at(shop, noon), 'the owner', bea.email)).toBe(false)
  expect(await resetSecondFactor(at(shop, noon), 'the owner', 'nobody@example.com')).toBeNull()
  await expect(useCode(at(shop, noon), bea, codeAt(noon))).rejects.toMatchObject(wrong)
  const off = await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'second factor off'))
  expect(off).toMatchObject([
    { actor: ada.id, userId: ada.id },
    { actor: 'the owner', userId: bea.id },
  ])
  expect(await shop.deps.db.$count(emails, eq(emails.subject, 'Your second factor is off'))).toBe(2)
})

test('after a change of the session secret only recovery codes work', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const { codeAt, codes } = await switchOn(shop, ada)
  const changed = { ...at(shop, noon + minute), encryptionKey: 'B'.repeat(43) }
  await expect(useCode(changed, ada, codeAt(noon + minute))).rejects.toMatchObject(wrong)
  expect(await useCode(changed, ada, codes[0]!)).toBe('recovery')
})
