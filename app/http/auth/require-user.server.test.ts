import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import {
  requireAdmin,
  requireAdminOrHome,
  requireAnonymous,
  requireUser,
  requireUserOrHome,
} from './require-user.server'

const config = { SHOP_ORIGIN: 'http://127.0.0.1:8788', SESSION_SECRET: 'a secret' }
const admin = { id: '1', email: 'ada@example.com', name: 'Ada', role: 'admin' }
const customer = { ...admin, role: 'customer' }

type Caller = typeof admin | 'expired' | 'anonymous'

function contextOf(caller: Caller) {
  return {
    config,
    origin: config.SHOP_ORIGIN,
    requestId: 'r1',
    ip: '203.0.113.9',
    sessionSecret: caller === 'anonymous' ? null : 'a secret',
    db: { $count: () => Promise.resolve(0) },
    user: () => Promise.resolve(typeof caller === 'string' ? null : caller),
  } as unknown as AppLoadContext
}

const request = (path: string) => new Request(config.SHOP_ORIGIN + path)
const login = '/login?redirectTo=%2Fdashboard%2Fx%3Fa%3Db'

async function outcome(guard: typeof requireUser, caller: Caller, path = '/dashboard/x?a=b') {
  const result: unknown = await guard(request(path), contextOf(caller)).catch((thrown: unknown) => thrown)
  if (!(result instanceof Response)) return result
  expect(result.status).toBe(303)
  return result.headers.get('location')
}

test.each([
  ['requireUser', requireUser, { customer, admin, expired: login, anonymous: login }],
  ['requireUserOrHome', requireUserOrHome, { customer, admin, expired: '/', anonymous: login }],
  ['requireAdmin', requireAdmin, { customer: '/login', admin, expired: login, anonymous: login }],
  ['requireAdminOrHome', requireAdminOrHome, { customer: '/login', admin, expired: '/', anonymous: login }],
])('%s returns the user or redirects', async (_, guard, expected) => {
  expect({
    customer: await outcome(guard, customer),
    admin: await outcome(guard, admin),
    expired: await outcome(guard, 'expired'),
    anonymous: await outcome(guard, 'anonymous'),
  }).toEqual(expected)
})

test('a data request redirects back to its page', async () => {
  const path = '/dashboard/a.data.b.data?a=.data'
  const location = `/login?redirectTo=${encodeURIComponent('/dashboard/a.data.b?a=.data')}`
  expect(await outcome(requireUser, 'anonymous', path)).toBe(location)
})

const thrownBy = (guard: Promise<unknown>) => guard.catch((thrown: unknown) => thrown) as Promise<Response>

function toastOf({ headers }: Response): string {
  const toast = headers.getSetCookie().find((line) => line.startsWith('toast='))!
  return atob(decodeURIComponent(toast.split(';')[0]!.slice('toast='.length)).split('.')[0]!)
}

test('clears an expired session on the admin lists, and says so there and on My Orders', async () => {
  const expired = await thrownBy(requireAdminOrHome(request('/'), contextOf('expired')))
  expect(expired.headers.get('set-cookie')).toContain('signed-out=')
  const atMyOrders = await thrownBy(requireUserOrHome(request('/'), contextOf('expired')))
  expect(atMyOrders.headers.get('set-cookie')).not.toContain('signed-out=')
  for (const each of [expired, atMyOrders])
    expect(toastOf(each)).toMatch(/You were logged out\. Log in to continue\..*"info"/)
})

test('tells a customer that a page is for admins, and a former admin that the role is gone', async () => {
  expect(toastOf(await thrownBy(requireAdmin(request('/'), contextOf(customer))))).toMatch(
    /That page is for admins only\..*"error"/,
  )
  const former = { ...contextOf(customer), db: { $count: () => Promise.resolve(1) } } as unknown as AppLoadContext
  expect(toastOf(await thrownBy(requireAdmin(request('/'), former)))).toContain('You are no longer an admin.')
})

test('redirects a signed-in user away from /login', async () => {
  await requireAnonymous(contextOf('anonymous'), '/x')
  await requireAnonymous(contextOf('expired'), '/x')
  const response = (await requireAnonymous(contextOf(customer), '/x').catch((thrown: unknown) => thrown)) as Response
  expect([response.status, response.headers.get('location')]).toEqual([303, '/x'])
})
