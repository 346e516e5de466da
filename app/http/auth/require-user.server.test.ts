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

test('clears an expired session on the admin lists, and tells a customer why', async () => {
  const expired = (await requireAdminOrHome(request('/'), contextOf('expired')).catch(
    (thrown: unknown) => thrown,
  )) as Response
  expect(expired.headers.get('set-cookie')).toContain('signed-out=')
  const rejected = (await requireAdmin(request('/'), contextOf(customer)).catch(
    (thrown: unknown) => thrown,
  )) as Response
  const toast = decodeURIComponent(rejected.headers.get('set-cookie')!.split(';')[0]!.slice('toast='.length))
  expect(atob(toast.split('.')[0]!)).toContain('That page is for admins only.')
  expect(atob(toast.split('.')[0]!)).toContain('"error"')
})

test('redirects a signed-in user away from /login', async () => {
  await requireAnonymous(contextOf('anonymous'), '/x')
  await requireAnonymous(contextOf('expired'), '/x')
  const response = (await requireAnonymous(contextOf(customer), '/x').catch((thrown: unknown) => thrown)) as Response
  expect([response.status, response.headers.get('location')]).toEqual([303, '/x'])
})
