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

type Caller = typeof admin | 'ended' | 'nobody'

function contextOf(caller: Caller) {
  return {
    config,
    origin: config.SHOP_ORIGIN,
    sessionSecret: caller === 'nobody' ? null : 'a secret',
    visitor: () => Promise.resolve(typeof caller === 'string' ? null : caller),
  } as unknown as AppLoadContext
}

const request = (path: string) => new Request(config.SHOP_ORIGIN + path)
const login = '/login?redirectTo=%2Fdashboard%2Fx%3Fa%3Db'

/** Who is let in, or where the visitor is led to. */
async function outcome(guard: typeof requireUser, caller: Caller, path = '/dashboard/x?a=b') {
  const answer: unknown = await guard(request(path), contextOf(caller)).catch((thrown: unknown) => thrown)
  if (!(answer instanceof Response)) return answer
  expect(answer.status).toBe(303)
  return answer.headers.get('location')
}

test.each([
  ['requireVisitor', requireUser, { customer, admin, ended: login, nobody: login }],
  ['requireVisitorOrHome', requireUserOrHome, { customer, admin, ended: '/', nobody: login }],
  ['requireAdmin', requireAdmin, { customer: '/login', admin, ended: login, nobody: login }],
  ['requireAdminOrHome', requireAdminOrHome, { customer: '/login', admin, ended: '/', nobody: login }],
])('%s lets in and leads away', async (_, guard, expected) => {
  expect({
    customer: await outcome(guard, customer),
    admin: await outcome(guard, admin),
    ended: await outcome(guard, 'ended'),
    nobody: await outcome(guard, 'nobody'),
  }).toEqual(expected)
})

test('the data of a page leads back to the page', async () => {
  const path = '/dashboard/a.data.b.data?a=.data'
  const led = `/login?redirectTo=${encodeURIComponent('/dashboard/a.data.b?a=.data')}`
  expect(await outcome(requireUser, 'nobody', path)).toBe(led)
})

test('an ended session is cleared away from the shopkeeper’s lists, and a customer hears why', async () => {
  const ended = (await requireAdminOrHome(request('/'), contextOf('ended')).catch(
    (thrown: unknown) => thrown,
  )) as Response
  expect(ended.headers.get('clear-site-data')).toBe('"storage"')
  const turned = (await requireAdmin(request('/'), contextOf(customer)).catch((thrown: unknown) => thrown)) as Response
  const toast = decodeURIComponent(turned.headers.get('set-cookie')!.split(';')[0]!.slice('toast='.length))
  expect(atob(toast.split('.')[0]!)).toContain('That page is for the shopkeeper.')
  expect(atob(toast.split('.')[0]!)).toContain('"error"')
})

test('the signed-in are led on from /login', async () => {
  await requireAnonymous(contextOf('nobody'), '/x')
  await requireAnonymous(contextOf('ended'), '/x')
  const led = (await requireAnonymous(contextOf(customer), '/x').catch((thrown: unknown) => thrown)) as Response
  expect([led.status, led.headers.get('location')]).toEqual([303, '/x'])
})
