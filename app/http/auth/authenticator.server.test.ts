import { createCookieSessionStorage, type AppLoadContext } from '@remix-run/cloudflare'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { test } from '../../../tests/support/store'
import type { VerifiedIdentity } from '../../store/deps'
import { Refusal } from '../../store/shared/refusal'
import { keyFor } from '../keys.server'
import { checkPassword, SignIn } from '../../store/accounts/sign-in.server'
import { authenticateForm, beginGoogle, finishGoogle } from './authenticator.server'

vi.mock('../../store/accounts/passwords.server', () => import('../../../tests/support/quick-passwords'))

const origin = 'https://shop.example'

const contextOf = (more: { GOOGLE_URL?: string; SHOP_ORIGIN?: string } = {}) =>
  ({
    config: {
      SHOP_ORIGIN: origin,
      SESSION_SECRET: 'a secret',
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'client secret',
      ...more,
    },
    origin,
    requestId: 'r1',
  }) as unknown as AppLoadContext
const context = contextOf()
const verify = (identity: VerifiedIdentity) => Promise.resolve(identity)

const profile = { sub: '1', email: 'grace@example.com', email_verified: true, name: 'Grace' }

const google = {
  requests: [] as { url: string; body: string | null; authorization: string | null; init: RequestInit }[],
  token: () => Promise.resolve(Response.json({ access_token: 'for userinfo' })),
  userinfo: (): Response => Response.json(profile),
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  Object.assign(google, {
    requests: [],
    token: () => Promise.resolve(Response.json({ access_token: 'for userinfo' })),
    userinfo: () => Response.json(profile),
  })
})
afterEach(() => vi.unstubAllGlobals())
afterEach(() => vi.restoreAllMocks())

function stubGoogle() {
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const authorization = new Headers(init?.headers).get('authorization')
    const body = init?.body as URLSearchParams | undefined
    google.requests.push({ url, body: body ? body.toString() : null, authorization, init: init ?? {} })
    return url.includes('token') ? google.token() : Promise.resolve(google.userinfo())
  })
}

async function roundTrip(from = context, change: (back: URL) => void = () => undefined) {
  stubGoogle()
  const start = await beginGoogle(new Request(`${origin}/auth/google`, { method: 'POST' }), from, {
    page: 'login',
    redirectTo: '/allInstruments',
  })
  const location = new URL(start.headers.get('location')!)
  const line = start.headers.get('set-cookie')!
  const back = new URL(`${origin}/auth/google/callback?code=c`)
  back.searchParams.set('state', location.searchParams.get('state')!)
  change(back)
  const request = new Request(back, { headers: { cookie: line.split(';')[0]! } })
  return { start, location, line, request, finish: () => finishGoogle(request, from, verify) }
}

test('redirects to Google with state and challenge, and returns the identity', async () => {
  const { start, location, line, finish } = await roundTrip()
  expect(start.status).toBe(303)
  expect(location.origin + location.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
  const params = Object.fromEntries(location.searchParams)
  expect(params).toMatchObject({
    client_id: 'client',
    redirect_uri: `${origin}/auth/google/callback`,
    response_type: 'code',
    code_challenge_method: 'S256',
    prompt: 'select_account',
    scope: expect.stringContaining('userinfo.email') as string,
  })
  for (const attribute of ['handshake=', 'Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure', 'Max-Age=600']) {
    expect(line).toContain(attribute)
  }

  const { user, redirectTo, clearCookie } = await finish()
  expect(user).toEqual({
    issuer: 'https://accounts.google.com',
    subject: '1',
    email: 'grace@example.com',
    emailVerified: true,
    isHosted: false,
    name: 'Grace',
  })
  expect(redirectTo).toBe('/allInstruments')
  expect(clearCookie).toMatch(/^__Host-handshake=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
  const [token, userinfo] = google.requests
  expect(token!.url).toBe('https://oauth2.googleapis.com/token')
  const sent = Object.fromEntries(new URLSearchParams(token!.body!))
  expect(sent).toMatchObject({
    ...{ code: 'c', grant_type: 'authorization_code', redirect_uri: params.redirect_uri },
    ...{ client_id: 'client', client_secret: 'client secret' },
  })
  const challenge = createHash('sha256').update(sent.code_verifier!).digest('base64url')
  expect(params.code_challenge).toBe(challenge)
  expect(userinfo).toMatchObject({
    url: 'https://www.googleapis.com/oauth2/v3/userinfo',
    authorization: 'Bearer for userinfo',
  })
})

test('takes nobody from the handshake cookie itself, whoever signed it', async () => {
  const context = contextOf()
  const { getSession, commitSession } = createCookieSessionStorage({
    cookie: { name: '__Host-handshake', secrets: [keyFor(context, 'handshake')] },
  })
  const forged = await getSession()
  for (const name of ['user', 'verifier']) forged.set(name, { issuer: 'x', subject: 'admin' })
  forged.set('verifier', 'v')
  forged.set('redirectTo', '/dashboard')
  const cookie = (await commitSession(forged)).split(';')[0]!
  const request = new Request(`${origin}/auth/google/callback?code=c&state=s`, { headers: { cookie } })
  expect(await finishGoogle(request, context, verify)).toMatchObject({ user: null })
})

test('uses the Google URL of the configuration', async () => {
  const { location, line, finish } = await roundTrip(
    contextOf({ GOOGLE_URL: 'http://127.0.0.1:8789', SHOP_ORIGIN: 'http://127.0.0.1:8788' }),
  )
  expect(location.href).toMatch(/^http:\/\/127\.0\.0\.1:8789\/o\/oauth2\/v2\/auth\?/)
  expect(line).not.toContain('Secure')
  expect((await finish()).user).toMatchObject({ subject: '1' })
  expect(google.requests.map(({ url }) => url)).toEqual([
    'http://127.0.0.1:8789/token',
    'http://127.0.0.1:8789/oauth2/v3/userinfo',
  ])
})

test('each handshake has its own verifier, and a state of 256 random bits', async () => {
  const [one, other] = [await roundTrip(), await roundTrip()].map(({ location }) => location.searchParams)
  expect(one!.get('code_challenge')).not.toBe(other!.get('code_challenge'))
  // 256 bits in base64url.
  for (const { state } of [one, other].map((params) => Object.fromEntries(params!))) {
    expect(state).toMatch(/^[\w-]{43}$/)
  }
})

test.for([
  ['another state', (back: URL) => back.searchParams.set('state', 'x')],
  ['no state', (back: URL) => back.searchParams.delete('state')],
  ['no code', (back: URL) => back.searchParams.delete('code')],
] as const)('rejects a callback with %s', async ([, change]) => {
  const { finish } = await roundTrip(context, change)
  expect(await finish()).toMatchObject({ user: null, redirectTo: '/allInstruments' })
  expect(google.requests).toEqual([])
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('"event":"Google sign-in failed"'))
})

test.for([
  ['no subject', () => Response.json({ ...profile, sub: '' }), 'Google returned no account'],
  ['a number as subject', () => Response.json({ ...profile, sub: 1 }), 'Google returned no account'],
  ['the text "false"', () => Response.json({ ...profile, email_verified: 'false' }), 'Google returned no account'],
  ['an object as name', () => Response.json({ ...profile, name: {} }), 'Google returned no account'],
  ['no email', () => Response.json({ ...profile, email: undefined }), 'Google returned no account'],
  ['an error', () => Response.json(profile, { status: 403 }), 'Google returned 403'],
  ['no JSON', () => new Response('<html>'), 'Google does not answer', true],
  ['an error of Google itself', () => new Response(null, { status: 500 }), 'Google returned 500', true],
  ['too many requests', () => new Response(null, { status: 429 }), 'Google returned 429', true],
] as const)('rejects a userinfo response with %s', async ([, userinfo, reason, isOutage = false]) => {
  const { finish } = await roundTrip()
  google.userinfo = userinfo
  expect(await finish()).toMatchObject({ user: null, isOutage })
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(reason))
})

test('rejects a missing, forged or malformed handshake cookie', async () => {
  const { request } = await roundTrip()
  const forged = await roundTrip({ ...context, config: { ...context.config, SESSION_SECRET: 'another' } })
  const junk = new Request(request.url, { headers: { cookie: 'handshake=x.%' } })
  for (const each of [new Request(request.url), forged.request, junk]) {
    expect(await finishGoogle(each, context, verify)).toMatchObject({ user: null, redirectTo: null })
  }
  expect(google.requests).toEqual([])
})

test('a missing name is empty, and an unverified email stays unverified', async () => {
  google.userinfo = () => Response.json({ ...profile, name: undefined, email_verified: false })
  const { finish } = await roundTrip()
  expect((await finish()).user).toMatchObject({ name: '', emailVerified: false })
})

test.each([
  [{ email: 'grace@gmail.com' }, true],
  [{ hd: 'example.com' }, true],
  [{ hd: '' }, false],
  [{ email: 'grace@gmail.com.evil.example' }, false],
])('Google hosts the address of %j: %s', async (more, isHosted) => {
  google.userinfo = () => Response.json({ ...profile, ...more })
  expect((await (await roundTrip()).finish()).user).toMatchObject({ isHosted })
})

test('gives up when Google does not answer within 10 seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  await (await roundTrip()).finish()
  expect(timeout.mock.calls).toEqual([[10_000], [10_000]])
  const signals = timeout.mock.results.map(({ value }) => value as AbortSignal)
  expect(google.requests.map(({ init }) => init.signal)).toEqual(signals)
})

test('passes on what verify refuses, and throws its other errors', async () => {
  const { request } = await roundTrip()
  const refusal = new Refusal('forbidden', 'No.')
  const refused = await finishGoogle(request, context, () => Promise.reject(refusal))
  expect(refused).toMatchObject({ user: null, refusal, redirectTo: '/allInstruments' })
  const outage = new Error('The database is away')
  const { request: again } = await roundTrip()
  await expect(finishGoogle(again, context, () => Promise.reject(outage))).rejects.toBe(outage)
})

test('authenticates by password, and passes a refusal on', async ({ shop }) => {
  const password = 'correct horse'
  const ada = { ...(await shop.customer({ password })), password }
  const request = new Request(`${origin}/login`, { method: 'POST', body: 'read already' })
  const from = { ip: 'here', device: null }
  const here = { ...contextOf(), ...shop.deps } as AppLoadContext
  const check = (input: object) => checkPassword(here, SignIn.parse(input), from)
  expect(await authenticateForm(request, here, ada, check)).toMatchObject({ id: ada.id, email: ada.email })
  const wrong = authenticateForm(request, here, { ...ada, password: 'wrong horse' }, check)
  await expect(wrong).rejects.toMatchObject({ name: 'Refusal', code: 'wrong-credentials' })
})
