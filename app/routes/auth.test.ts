import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, vi } from 'vitest'
import { anOrder, later } from '../../tests/support/payments'
import { test, type Store } from '../../tests/support/store'
import { signInOrigin } from '../http/auth/device-cookie.server'
import { readSessionCookie } from '../http/auth/session.server'
import { resendVerification, selectVerified } from '../store/accounts/users.server'
import { deliverPendingEmails } from '../store/operations/deliver-email.server'
import { requestPasswordReset } from '../store/accounts/password-reset.server'
import { findSessionUser, prepareSession } from '../store/accounts/sign-in.server'
import * as myOrders from './account/my-orders'
import * as payment from './account/payment'
import * as receipt from './account/receipt'
import * as makeAdmin from './admin/make-admin'
import * as manageOrders from './admin/manage-orders'
import * as google from './auth/google'
import * as login from './auth/login'
import * as register from './auth/register'
import * as reset from './auth/reset-password'
import * as signOut from './auth/sign-out'
import * as verify from './auth/verify-email'

vi.mock('../store/accounts/passwords.server', () => import('../../tests/support/quick-passwords'))

type Act = (args: { request: Request; context: AppLoadContext; params: Record<string, string> }) => unknown

const password = 'correct horse'

async function post(shop: Store, act: Act, path: string, fields: Record<string, string>, sessionSecret?: string) {
  const { origin } = shop.deps
  const config = { SHOP_ORIGIN: origin, SESSION_SECRET: 'a secret', GOOGLE_CLIENT_ID: 'c', GOOGLE_CLIENT_SECRET: 'c' }
  const context = {
    ...shop.deps,
    config,
    requestId: 'r1',
    sessionSecret: sessionSecret ?? null,
    user: () => (sessionSecret ? findSessionUser(shop.deps, sessionSecret) : Promise.resolve(null)),
    later: () => undefined,
  } as unknown as AppLoadContext
  const request = new Request(origin + path, { method: 'POST', body: new URLSearchParams(fields) })
  const answer = await Promise.resolve(act({ request, context, params: {} })).catch((thrown: unknown) => thrown)
  if (!(answer instanceof Response)) throw new Error(`no redirect: ${JSON.stringify(answer)}`)
  const cookies = answer.headers.getSetCookie()
  const carrying = (name: string) => {
    const line = cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
    return new Request(origin, { headers: { cookie: line.split(';')[0]! } })
  }
  return { location: answer.headers.get('location'), cookies, carrying, context }
}

async function session(shop: Store, user: { id: string }) {
  const { session, insert } = await prepareSession(shop.deps, user, '')
  await insert
  return session.secret
}

async function mailedToken(shop: Store, { email }: { email: string }): Promise<string> {
  await deliverPendingEmails(shop.deps)
  const [mail] = await shop.emailsTo(email)
  return /token=(\S+)/.exec(mail!.text)![1]!
}

const destinations = [
  ['/allInstruments?x=1', '/allInstruments?x=1'],
  ['//evil.example', '/dashboard'],
  ['', '/dashboard'],
] as const

test.for(destinations)(
  'signing in, registering and Google with redirectTo %j redirect to %s',
  async ([redirectTo, destination], { shop }) => {
    const ada = await shop.customer({ password })
    const query = `?redirectTo=${encodeURIComponent(redirectTo)}`
    expect((await post(shop, login.action as Act, `/login${query}`, { email: ada.email, password })).location).toBe(
      destination,
    )
    const zoe = { name: 'Zoë', email: 'zoe@example.com', password }
    expect((await post(shop, register.action as Act, `/register${query}`, zoe)).location).toBe(destination)
    const { carrying } = await post(shop, google.action, '/auth/google', { redirectTo })
    const handshake = decodeURIComponent(carrying('handshake').headers.get('cookie')!.split('=')[1]!)
    expect(JSON.parse(atob(handshake.split('.')[0]!))).toMatchObject({ redirectTo: destination })
  },
)

test('signing in replaces the session and remembers the browser', async ({ shop }) => {
  const ada = await shop.customer({ password })
  const before = await session(shop, ada)
  const { carrying, context } = await post(shop, login.action, '/login', { email: ada.email, password }, before)
  const secret = await readSessionCookie(carrying('session'), shop.deps.origin)
  expect(await findSessionUser(shop.deps, secret!)).toMatchObject({ id: ada.id })
  expect(await findSessionUser(shop.deps, before)).toBeNull()
  expect((await signInOrigin(carrying('known'), context, ada.email)).device).not.toBeNull()
})

test('registering replaces the session by one of the new user', async ({ shop }) => {
  const before = await session(shop, await shop.customer())
  const zoe = { name: 'Zoë', email: 'zoe@example.com', password }
  const { carrying } = await post(shop, register.action, '/register', zoe, before)
  const secret = await readSessionCookie(carrying('session'), shop.deps.origin)
  expect(await findSessionUser(shop.deps, secret!)).toMatchObject({ email: zoe.email })
  expect(await findSessionUser(shop.deps, before)).toBeNull()
})

test('signing out ends the session as well as the cookie', async ({ shop }) => {
  const secret = await session(shop, await shop.customer())
  const { location, cookies } = await post(shop, signOut.action, '/sign-out', {}, secret)
  expect([location, cookies.join()]).toEqual(['/', expect.stringMatching(/^session=.*Max-Age=0/)])
  expect(await findSessionUser(shop.deps, secret)).toBeNull()
})

test('a password reset signs this browser out and remembers it', async ({ shop }) => {
  const ada = await shop.customer()
  await requestPasswordReset(shop.deps, ada.email)
  const fields = { token: await mailedToken(shop, ada), password: 'a new password' }
  const { location, cookies, carrying, context } = await post(shop, reset.action, '/reset-password', fields)
  expect([location, cookies.find((cookie) => cookie.startsWith('session='))]).toEqual([
    '/login',
    expect.stringContaining('Max-Age=0'),
  ])
  expect((await signInOrigin(carrying('known'), context, ada.email)).device).not.toBeNull()
})

test('only the user of the account can verify its email', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ verified: false }), await shop.customer({ verified: false })]
  await resendVerification(shop.deps, ada)
  const token = await mailedToken(shop, ada)
  const proves = (secret?: string) => post(shop, verify.action, '/verify-email', { token }, secret)
  expect((await proves()).location).toMatch(/^\/login\?redirectTo=/)
  await expect(proves(await session(shop, bea))).rejects.toThrow('sent to another address')
  expect(await selectVerified(shop.deps, ada)).toEqual([{ at: null }])
  expect((await proves(await session(shop, ada))).location).toBe('/dashboard')
  expect(await selectVerified(shop.deps, ada)).toEqual([{ at: expect.any(Number) as number }])
})

test('Make Admin asks for the password when the login is more than 15 minutes old', async ({ shop }) => {
  const [admin, ada] = [await shop.admin(), await shop.customer()]
  const grant = async (minutes: number) => {
    const { session, insert } = await prepareSession(later(shop, -minutes), admin, '')
    await insert
    return post(shop, makeAdmin.action, '/dashboard/makeAdmin', { email: ada.email, act: 'make-admin' }, session.secret)
  }
  expect((await grant(16)).location).toBe('/login/confirm?redirectTo=%2Fdashboard%2FmakeAdmin')
  expect((await grant(14)).location).toBe('/dashboard/makeAdmin')

  const question = `/dashboard/makeAdmin?revoke=${ada.id}`
  const { session, insert } = await prepareSession(later(shop, -16), admin, '')
  await insert
  const asked = await post(shop, makeAdmin.loader, question, {}, session.secret)
  expect(asked.location).toBe(`/login/confirm?redirectTo=${encodeURIComponent(question)}`)
})

test('logs which user an admin page or another customer’s order was refused', async ({ shop }) => {
  const { id } = await anOrder(shop)
  const mallory = await shop.customer()
  const user = () => Promise.resolve({ ...mallory, role: 'customer' })
  const config = { SHOP_ORIGIN: shop.deps.origin, SESSION_SECRET: 'a secret' }
  const context = { ...shop.deps, config, requestId: 'r1', sessionSecret: 's', user } as unknown as AppLoadContext
  const lines: string[] = []
  vi.spyOn(console, 'info').mockImplementation((line: string) => void lines.push(line))
  const refused = async (act: unknown, fields?: Record<string, string>) => {
    const init = fields && { method: 'POST', body: new URLSearchParams(fields) }
    const request = new Request(`${shop.deps.origin}/dashboard/x`, init)
    lines.splice(0)
    await Promise.resolve((act as Act)({ request, context, params: { id } })).catch(() => null)
    return lines.map((line) => JSON.parse(line) as object)
  }
  const line = (event: string) => [
    { level: 'info', type: 'security', event, requestId: 'r1', network: '192.0', user: mallory.id },
  ]
  expect(await refused(manageOrders.loader)).toEqual(line('not allowed'))
  expect(await refused(makeAdmin.action, { email: mallory.email, act: 'make-admin' })).toEqual(line('not allowed'))
  expect(await refused(payment.loader)).toEqual(line('not found'))
  expect(await refused(receipt.loader)).toEqual(line('not found'))
  expect(await refused(payment.action, {})).toEqual(line('not found'))
  expect(await refused(myOrders.action, { orderId: id })).toEqual(line('not found'))
  vi.restoreAllMocks()
})

test('logs each login and sign-out, failed or not, and what changes an account', async ({ shop }) => {
  const lines: { event: string; user?: string }[] = []
  vi.spyOn(console, 'info').mockImplementation((line: string) => {
    const { event, user } = JSON.parse(line) as { event: string; user?: string }
    lines.push({ event, ...(user && { user }) })
  })
  const ada = await shop.customer({ password, verified: false })
  const { email, id: user } = ada
  await post(shop, login.action, '/login', { email, password: 'wrong horse' }).catch(() => null)
  await post(shop, login.action, '/login', { email, password })
  await post(shop, signOut.action, '/sign-out', {}, await session(shop, ada))
  await post(shop, verify.action, '/verify-email', { token: 'x' }, await session(shop, ada)).catch(() => null)
  await resendVerification(shop.deps, ada)
  await post(shop, verify.action, '/verify-email', { token: await mailedToken(shop, ada) }, await session(shop, ada))
  await post(shop, register.action, '/register', { name: 'Zoë', email: 'zoe@example.com', password })
  await post(shop, login.loader, '/login?device=x', {})
  expect(lines).toEqual([
    { event: 'wrong password' },
    { event: 'signed in', user },
    { event: 'signed out', user },
    { event: 'link refused', user },
    { event: 'email verified', user },
    { event: 'registered', user: expect.not.stringMatching(user) as string },
    { event: 'link refused' },
  ])
  vi.restoreAllMocks()
})
