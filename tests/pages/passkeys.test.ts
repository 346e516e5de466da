import { passkeys, sessions } from '../../app/db/schema'
import { Authenticator, type Lies } from '../support/authenticator'
import { expect, test, type Shop } from '../support/shop'
import type { PageResponse, TestBrowser } from '../support/test-browser'
import { appCode } from '../support/totp'

const list = '/dashboard/myProfile/sessions'
const path = '/dashboard/myProfile/passkey'

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string; name: string }
  attestation: string
  authenticatorSelection: object
  excludeCredentials: { id: string }[]
  pubKeyCredParams: { alg: number }[]
}

/** What `passkey.ts` does in a browser. */
const optionsOn = ({ page }: PageResponse) =>
  JSON.parse(page.querySelector('form[data-passkey]')!.getAttribute('data-passkey')!) as CreationOptions

async function add(browser: TestBrowser, key: Authenticator, name = 'Phone') {
  const page = await browser.get(path)
  const options = optionsOn(page)
  const credential = key.create(options)
  return { options, credential, done: await browser.post(path, { name, credential }) }
}

async function challenge(browser: TestBrowser): Promise<{ challenge: string }> {
  const headers = { origin: browser.origin }
  const response = await browser.fetch('/login/passkey', { method: 'POST', headers, body: new URLSearchParams() })
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return response.json()
}

async function signIn(browser: TestBrowser, key: Authenticator, lies?: Lies, redirectTo = '/reviews') {
  const credential = key.get(await challenge(browser), lies)
  return { credential, page: await browser.post('/login/passkey', { credential, redirectTo }) }
}

const keyFor = (shop: Shop) => new Authenticator(shop.deps.origin)

test('adds a passkey after the password, signs in with it in place of password and code, and removes it', async ({
  shop,
}) => {
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  const begun = await browser.press(await browser.get('/dashboard/myProfile/secondFactor'), 'Set up', {
    password: admin.password,
  })
  const secret = begun.page.querySelector('main code')!.text
  await browser.press(begun, 'Switch on', { code: appCode(secret) })
  const key = keyFor(shop)
  const { options, credential, done } = await add(browser, key)
  expect(options).toMatchObject({
    rp: { id: '127.0.0.1' },
    user: { name: admin.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  })
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257])
  expect([done.path, done.text]).toEqual([list, expect.stringContaining('From now on you can sign in')])
  expect(done.page.querySelector('[id=passkeys]')!.closest('section')!.text).toContain('Phone')
  expect((await shop.emailsTo(admin.email)).map(({ subject }) => subject)).toContain('A passkey was added')
  expect(optionsOn(await browser.get(path)).excludeCredentials).toMatchObject([{ id: key.id }])
  const again = await browser.post(path, { name: 'Phone', credential })
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('could not be added')])
  const unnamed = await browser.post(path, { name: ' ', credential })
  expect([unnamed.status, unnamed.text]).toEqual([422, expect.stringContaining('Name is Required')])

  const visitor = shop.visitor()
  const login = await visitor.get('/login')
  expect(login.page.querySelector('form[data-passkey]')!.hasAttribute('hidden')).toBe(true)
  const before = visitor.cookie('session')
  const { page, credential: answer } = await signIn(visitor, key)
  expect([before, page.path, page.status]).toEqual([undefined, '/reviews', 200])
  expect((await visitor.get('/dashboard/makeAdmin')).status).toBe(200)
  const replay = await visitor.post('/login/passkey', { credential: answer })
  expect(replay.text).toContain('That took too long. Please try again.')
  const elsewhere = shop.visitor()
  await elsewhere.post('/login/passkey', { credential: answer, redirectTo: '//evil.example' })
  expect(elsewhere.cookie('session')).toBeUndefined()

  await shop.deps.db.update(sessions).set({ createdAt: Date.now() - 15 * 60_000 })
  expect((await visitor.get(path)).path).toBe(`/login/confirm?redirectTo=${encodeURIComponent(path)}`)
  expect((await visitor.post(path, { name: 'x', credential })).path).toMatch(/^\/login\/confirm/)
  const stale = await visitor.get(list)
  for (const button of ['Remove', 'Sign out there', 'Sign out everywhere else'])
    expect((await visitor.press(stale, button)).path).toBe(`/login/confirm?redirectTo=${encodeURIComponent(list)}`)
  expect([await shop.deps.db.$count(passkeys), await shop.deps.db.$count(sessions)]).toEqual([1, 2])
  const confirmed = await signIn(visitor, key, {}, path)
  expect(confirmed.page.path).toBe(path)

  const removed = await visitor.press(await visitor.get(list), 'Remove')
  expect(removed.text).toContain('This passkey no longer signs in.')
  expect((await shop.emailsTo(admin.email)).map(({ subject }) => subject)).toContain('A passkey was removed')
  const gone = await signIn(elsewhere, key)
  expect([gone.page.path, gone.page.text]).toEqual([
    '/login?redirectTo=%2Freviews',
    expect.stringContaining('This passkey did not work here.'),
  ])
})
