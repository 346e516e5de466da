import { eq } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { sessions } from '../../app/db/schema'
import { chooseAtGoogle } from '../support/google-page'
import { test, type Customer, type Shop } from '../support/shop'
import { appCode } from '../support/totp'
import type { PageResponse, TestBrowser } from '../support/test-browser'

const path = '/dashboard/myProfile/secondFactor'

const secretOn = ({ page }: PageResponse) => page.querySelector('main code')!.text
const codesOn = ({ page }: PageResponse) => page.querySelectorAll('main li code').map(({ text }) => text)

async function setUp(browser: TestBrowser, { password }: Customer) {
  const begun = await browser.press(await browser.get(path), 'Set up', { password })
  const secret = secretOn(begun)
  // Each code works once, so what comes after needs the next one.
  const on = await browser.press(begun, 'Switch on', { code: appCode(secret) })
  return { secret, codes: codesOn(on) }
}

async function enterPassword(shop: Shop, { email, password }: Customer, redirectTo: string) {
  const browser = shop.visitor()
  const login = await browser.get(`/login?redirectTo=${encodeURIComponent(redirectTo)}`)
  return { browser, page: await browser.press(login, 'Login', { email, password }) }
}

test('sets up a second factor without scripts, and recommends it to admins', async ({ shop }) => {
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  expect((await browser.get('/dashboard')).text).toContain('set up a second factor')
  const refused = await browser.press(await browser.get(path), 'Set up', { password: 'not the password' })
  expect([refused.status, refused.page.querySelector('svg[role=img]')]).toEqual([401, null])

  const begun = await browser.press(refused, 'Set up', { password: admin.password })
  const secret = secretOn(begun)
  expect(begun.page.querySelector('svg[role=img] path')!.getAttribute('d')!.length).toBeGreaterThan(1000)
  expect(begun.page.querySelector('a[href^=otpauth]')!.getAttribute('href')).toContain(secret.replaceAll(' ', ''))
  const wrong = await browser.press(begun, 'Switch on', { code: '000000' })
  expect([wrong.status, secretOn(wrong)]).toEqual([401, secret])
  const on = await browser.press(wrong, 'Switch on', { code: appCode(secret) })
  expect(codesOn(on)).toHaveLength(8)
  expect(on.headers.get('cache-control')).toContain('no-store')

  const after = await browser.get(path)
  expect(after.text).toContain('You have 8 recovery codes left.')
  for (const text of [secret, ...codesOn(on)]) expect(after.html).not.toContain(text)
  expect((await browser.get('/dashboard')).text).not.toContain('set up a second factor')
  expect(await shop.emailsTo(admin.email)).toMatchObject([{ subject: 'Your second factor is on' }])

  const renew = { password: admin.password, code: codesOn(on)[0]! }
  const renewed = codesOn(await browser.press(after, 'New recovery codes', renew))
  expect(renewed).toHaveLength(8)
  const off = { password: admin.password, code: codesOn(on)[1]! }
  expect((await browser.press(await browser.get(path), 'Switch off', off)).status).toBe(401)
  const done = await browser.press(await browser.get(path), 'Switch off', { ...off, code: renewed[0]! })
  expect(done.text).toContain('Your second factor is off.')
  expect((await shop.emailsTo(admin.email)).map(({ subject }) => subject)).toContain('Your second factor is off')
  await shop.visitor().signIn(admin)
})

test('asks for a code after the password, gives no session before it, and goes on to the page', async ({ shop }) => {
  const admin = await shop.admin()
  const { secret, codes } = await setUp(await shop.visitor().signIn(admin), admin)
  await shop.deps.db.delete(sessions)

  const { browser, page } = await enterPassword(shop, admin, '/dashboard/manageOrders')
  expect(page.path).toBe('/login/code?redirectTo=%2Fdashboard%2FmanageOrders')
  expect(browser.cookie('session')).toBeUndefined()
  const headers = { origin: shop.deps.origin, 'content-type': 'application/json' }
  const exchange = { method: 'PUT', headers, body: '{}' }
  expect((await browser.fetch(`/user/${admin.email}`, exchange)).status).toBe(401)
  expect((await browser.get('/dashboard')).path).toBe('/login?redirectTo=%2Fdashboard')
  const wrong = await browser.press(page, 'Continue', { code: '000000' })
  expect([wrong.status, wrong.html.includes('000000')]).toEqual([401, false])
  expect(await shop.deps.db.$count(sessions)).toBe(0)

  const code = appCode(secret, { steps: 1 })
  const others = await Promise.all([1, 2, 3, 4].map(() => enterPassword(shop, admin, '//evil.example')))
  const results = await Promise.all(others.map(({ browser, page }) => browser.press(page, 'Continue', { code })))
  const [inside] = results.filter(({ path }) => path === '/dashboard')
  expect(results.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  expect(inside!.text).toContain('Welcome to your Dashboard')
  const byRecovery = await browser.press(wrong, 'Continue', { code: codes[0]! })
  expect(byRecovery.path).toBe('/dashboard/manageOrders')
  expect(await shop.deps.db.$count(sessions)).toBe(2)
  expect((await browser.fetch(`/user/${admin.email}`, exchange)).status).toBe(200)
  expect(browser.cookie('second-factor')).toBeUndefined()
  expect((await shop.emailsTo(admin.email)).map(({ subject }) => subject)).toContain('A recovery code was used')
})

test('asks for a code after Google too, and where Make Admin asks for the password again', async ({ shop }) => {
  const admin = await shop.admin()
  const signedIn = await shop.visitor().signIn(admin)
  const { secret, codes } = await setUp(signedIn, admin)
  const browser = shop.visitor()
  const start = await browser.press(await browser.get('/login?redirectTo=%2Freviews'), 'Continue with Google')
  const back = await chooseAtGoogle(start.location!, { email: admin.email })
  const page = await browser.get(back.pathname + back.search)
  expect([page.path, browser.cookie('session')]).toEqual(['/login/code?redirectTo=%2Freviews', undefined])
  expect((await browser.press(page, 'Continue', { code: appCode(secret, { steps: 1 }) })).path).toBe('/reviews')

  await shop.deps.db.update(sessions).set({ createdAt: Date.now() - 15 * 60_000 })
  const question = `/dashboard/makeAdmin?revoke=${admin.id}`
  const confirm = await signedIn.get(question)
  const asked = await signedIn.press(confirm, 'Continue', { password: admin.password })
  expect(asked.path).toBe(`/login/code?redirectTo=${encodeURIComponent(question)}`)
  expect((await signedIn.press(asked, 'Continue', { code: codes[0]! })).path).toBe(question)
})

test('a half login works in its own browser only, and until the password changes', async ({ shop }) => {
  const admin = await shop.admin()
  const { codes } = await setUp(await shop.visitor().signIn(admin), admin)
  const { browser, page } = await enterPassword(shop, admin, '/reviews')
  const elsewhere = shop.visitor()
  expect((await elsewhere.get(page.path)).path).toBe('/login?redirectTo=%2Freviews')
  const forged = `${browser.cookie('second-factor')!.slice(0, -3)}xyz`
  elsewhere.setCookie('second-factor', forged)
  expect((await elsewhere.post(page.path, { code: codes[0]! })).text).toContain('That took too long.')

  const link = await elsewhere.press(await elsewhere.get('/forgot-password'), 'Send the link', { email: admin.email })
  expect(link.status).toBe(200)
  const mail = await vi.waitFor(async () => {
    const mails = await shop.emailsTo(admin.email)
    return mails.find(({ subject }) => subject === 'Choose a new password') ?? Promise.reject(new Error('no email'))
  })
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail.text)![0])
  await elsewhere.press(await elsewhere.get(pathname + search), 'Change my password', { password: 'another horse' })
  const refused = await browser.press(page, 'Continue', { code: codes[0]! })
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('Please log in again.')])
  const again = await enterPassword(shop, { ...admin, password: 'another horse' }, '/reviews')
  expect((await again.browser.press(again.page, 'Continue', { code: codes[0]! })).path).toBe('/reviews')
  expect(await shop.deps.db.$count(sessions, eq(sessions.userId, admin.id))).toBe(1)
})
