import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from '../../../tests/support/store'
import { findSessionUser, prepareSession } from '../../store/accounts/sign-in.server'
import { issueSubmissionIds } from '../request/submission.server'
import { toastTo } from '../response/toast.server'
import { setDeviceCookie } from './device-cookie.server'
import { setJoinCookie } from './google-join.server'
import {
  clearSessionCookie,
  readSessionCookie,
  renewSession,
  setSessionCookie,
  signedOut,
  takeSignedOut,
} from './session.server'

const https = 'https://shop.example'
const http = 'http://127.0.0.1:8788'
const session = { secret: 'a secret', expiresAt: Date.UTC(2026, 10, 24, 12), userId: 'ada' }

const carrying = (line: string) => new Request(http, { headers: { cookie: line.split(';')[0]! } })

test.for([
  [https, '__Host-session', true],
  [http, 'session', false],
] as const)('at %s the session cookie is %s', async ([origin, name, secure]) => {
  const line = await setSessionCookie(origin, session)
  expect(line.startsWith(`${name}=`)).toBe(true)
  const attributes = line.split('; ').slice(1)
  expect(attributes.sort()).toEqual([
    'Expires=Tue, 24 Nov 2026 12:00:00 GMT',
    'HttpOnly',
    'Path=/',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ])
  expect(await readSessionCookie(carrying(line), origin)).toBe('a secret')
  expect(await readSessionCookie(carrying(line), origin === http ? https : http)).toBeNull()
  const cleared = await clearSessionCookie(origin)
  expect(cleared).toContain('Max-Age=0')
  expect(await readSessionCookie(carrying(cleared), origin)).toBeNull()
})

test('over https no other host can set one of the cookies', async ({ shop }) => {
  const context = {
    ...shop.deps,
    origin: https,
    sessionSecret: null,
    config: { SHOP_ORIGIN: https, SESSION_SECRET: 'a secret' },
  } as unknown as AppLoadContext
  const identity = { issuer: 'x', subject: '1', email: 'a@b.cd', emailVerified: true, isHosted: true, name: 'A' }
  const lines = [
    ...(await renewSession(context, session)).getSetCookie(),
    ...((await signedOut(context)) as Response).headers.getSetCookie(),
    ...((await toastTo(context, '/', 'Hello')) as Response).headers.getSetCookie(),
    await setJoinCookie(context, identity),
    await setDeviceCookie(context, { email: 'a@b.cd', passwordHash: 'hash' }),
    (await issueSubmissionIds(new Request(https), context, '/dashboard/addReview')).headers['set-cookie'],
  ]
  expect(lines.map((line) => line.split('=')[0])).toEqual([
    '__Host-session',
    '__Host-first-page',
    '__Host-session-user',
    '__Host-session',
    '__Host-signed-out',
    '__Host-toast',
    '__Host-google-join',
    // `__Host-` needs Path=/, and these belong to one page.
    '__Secure-known',
    '__Secure-submissions',
  ])
  // None: it ends with the browser, or on the date of its session.
  const lifetimes = [undefined, '600', '2678400', '0', '600', '60', '600', '15552000', undefined]
  expect(lines.map((line) => /; Max-Age=(\d+)/.exec(line)?.[1])).toEqual(lifetimes)
  for (const line of lines) {
    for (const attribute of ['; Secure', '; HttpOnly', '; SameSite=Lax']) expect(line).toContain(attribute)
    expect(line).not.toContain('Domain')
    if (line.startsWith('__Host-')) expect(line).toMatch(/; Path=\/(;|$)/)
  }
})

test.for(['', 'session=', 'session=junk', `session=${encodeURIComponent(btoa('{"a":1}'))}`])(
  'ignores the session cookie %j',
  async (cookie) => {
    expect(await readSessionCookie(new Request(http, { headers: { cookie } }), http)).toBeNull()
  },
)

test('signing in ends the session that the browser came with', async ({ shop }) => {
  const ada = await shop.customer()
  const [before, after] = await Promise.all([
    prepareSession(shop.deps, ada, 'before'),
    prepareSession(shop.deps, ada, 'after'),
  ])
  await Promise.all([before.insert, after.insert])
  const config = { SHOP_ORIGIN: shop.deps.origin, SESSION_SECRET: 'a secret' }
  const context = { ...shop.deps, config, sessionSecret: before.session.secret } as unknown as AppLoadContext
  const [line] = (await renewSession(context, after.session)).getSetCookie()
  expect(await readSessionCookie(carrying(line!), shop.deps.origin)).toBe(after.session.secret)
  expect(await findSessionUser(shop.deps, before.session.secret)).toBeNull()
  expect(await findSessionUser(shop.deps, after.session.secret)).not.toBeNull()
})

test('signing out redirects home and clears the cookie', async () => {
  const response = (await signedOut({ origin: http } as AppLoadContext)) as Response
  expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
  const [session, mark] = response.headers.getSetCookie()
  expect(session).toBe(await clearSessionCookie(http))
  const { hasSignedOut, clearCookie } = await takeSignedOut(carrying(mark!), http)
  expect([hasSignedOut, (await takeSignedOut(carrying(clearCookie!), http)).hasSignedOut]).toEqual([true, false])
  // It would drop the service worker and its copies.
  expect(response.headers.has('clear-site-data')).toBe(false)
  expect(response.headers.get('x-remix-reload-document')).toBe('true')
})
