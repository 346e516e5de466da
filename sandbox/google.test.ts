import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { googleClientId, googleClientSecret } from './keys'
import { openSandbox } from './testing/fixture'

const callback = 'http://127.0.0.1:8788/auth/google/callback'
const verifier = 'a-verifier-that-only-the-shop-knows.0123456789'

type Changes = Record<string, string | null>

const authorization = {
  response_type: 'code',
  client_id: googleClientId,
  redirect_uri: callback,
  scope: 'openid email profile',
  state: 'state-1',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

const ada = { choice: 'ada@example.com' }

async function openGoogle() {
  const sandbox = await openSandbox()
  const { url } = sandbox
  const pageUrl = (changes: Changes = {}) =>
    `${url}/o/oauth2/v2/auth?${applyChanges(authorization, changes).toString()}`

  const choose = async (choice: Record<string, string>, changes?: Changes) =>
    await fetch(pageUrl(changes), { method: 'POST', body: new URLSearchParams(choice), redirect: 'manual' })

  const redirectTo = async (choice: Record<string, string>, changes?: Changes) =>
    new URL((await choose(choice, changes)).headers.get('location')!)

  const getCode = async (choice: Record<string, string> = ada, changes?: Changes) =>
    (await redirectTo(choice, changes)).searchParams.get('code')!

  const exchange = (code: string, changes: Changes = {}, headers: Record<string, string> = {}) => {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: googleClientId,
      client_secret: googleClientSecret,
      code_verifier: verifier,
    }
    return fetch(`${url}/token`, { method: 'POST', headers, body: applyChanges(form, changes) })
  }

  const userinfo = (token: string) =>
    fetch(`${url}/oauth2/v3/userinfo`, { headers: { authorization: `Bearer ${token}` } })

  const getProfile = async (choice: Record<string, string>, changes?: Changes) => {
    const { access_token: token } = await (await exchange(await getCode(choice, changes))).json<Tokens>()
    return await (await userinfo(token)).json<Record<string, unknown>>()
  }

  return { ...sandbox, pageUrl, choose, cameBack: redirectTo, codeOf: getCode, exchange, userinfo, profile: getProfile }
}

interface Tokens {
  access_token: string
  expires_in: number
  scope: string
  token_type: string
}

interface OAuthErrorBody {
  error: string
  error_description: string
}

function applyChanges(parameters: Record<string, string>, changes: Changes): URLSearchParams {
  const all: Changes = { ...parameters, ...changes }
  return new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
}

test.each([
  'http://127.0.0.1:8788/auth/google/callback',
  'http://localhost:3000/auth/google/callback',
  'https://[::1]:8788/shop/auth/google/callback',
])('redirects to %s with a code', async (redirect_uri) => {
  const { choose } = await openGoogle()
  const response = await choose(ada, { redirect_uri })
  const location = new URL(response.headers.get('location')!)
  expect(response.status).toBe(303)
  expect(location.origin + location.pathname).toBe(redirect_uri)
  expect([...location.searchParams.keys()]).toEqual(['state', 'code', 'scope', 'authuser'])
  expect(location.searchParams.get('code')).toMatch(/^4\/0A[\w-]{64}$/)
})

test('redirects with access_denied and no code on Cancel', async () => {
  const { choose } = await openGoogle()
  const response = await choose({ choice: 'cancel' })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`${callback}?error=access_denied&state=state-1`)
})

test.each([
  'http://evil.example/auth/google/callback',
  'http://127.0.0.1.evil.example/auth/google/callback',
  'http://127.0.0.1@evil.example/auth/google/callback',
  'http://user:password@127.0.0.1:8788/auth/google/callback',
  'http://127.0.0.1:8788/auth/google/callback/..',
  'http://127.0.0.1:8788/auth/google',
  'http://127.0.0.1:8788/?/auth/google/callback',
  'http://127.0.0.1:8788/#/auth/google/callback',
  'http://127.0.0.1:8788/auth/google/callback?next=1',
  'javascript://127.0.0.1/auth/google/callback',
  '/auth/google/callback',
])('rejects the redirect_uri %s on a page and never redirects to it', async (redirect_uri) => {
  const { pageUrl, choose } = await openGoogle()
  for (const response of [await fetch(pageUrl({ redirect_uri })), await choose(ada, { redirect_uri })]) {
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(await response.text()).toContain('Error 400: redirect_uri_mismatch')
  }
})

test.each([
  [{ client_id: 'somebody-else' }, 'Error 401: invalid_client'],
  [{ client_id: null }, 'Missing required parameter: client_id'],
  [{ redirect_uri: null }, 'Missing required parameter: redirect_uri'],
  [{ response_type: null }, 'Missing required parameter: response_type'],
  [{ response_type: 'token' }, 'response_type=token, only code'],
  [{ state: null }, 'Missing required parameter: state'],
  [{ state: '' }, 'Missing required parameter: state'],
  [{ scope: null }, 'Missing required parameter: scope'],
  [{ scope: 'email profile' }, 'Missing required scope: openid'],
  [{ scope: 'openid profile' }, 'Missing required scope: https://www.googleapis.com/auth/userinfo.email'],
  [{ scope: 'openid email drive' }, 'Error 400: invalid_scope'],
  [{ code_challenge: null }, 'Missing required parameter: code_challenge'],
  [{ code_challenge: 'short' }, 'Error 400: invalid_request'],
  [{ code_challenge_method: null }, 'Missing required parameter: code_challenge_method'],
  [{ code_challenge_method: 'plain' }, 'Error 400: invalid_request'],
  [{ access_type: 'offline' }, 'access_type=offline, only online'],
  [{ prompt: 'none' }, 'prompt=none, only'],
  [{ hd: 'example.com' }, 'Error 501: sandbox_unsupported'],
])('rejects an authorization request with %j on a page: "%s"', async (changes, message) => {
  const { pageUrl, choose } = await openGoogle()
  for (const response of [await fetch(pageUrl(changes)), await choose(ada, changes)]) {
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).toContain(message)
  }
})

afterEach(() => vi.useRealTimers())

function advanceClock(minutes: number) {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + minutes * 60_000)
}

test('exchanges a code for a token, and the token for the profile', async () => {
  const { codeOf, exchange, userinfo } = await openGoogle()
  const response = await exchange(await codeOf())
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const tokens = await response.json<Tokens>()
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3599 })
  expect(tokens.scope.split(' ')).toContain('openid')

  const profile = await (await userinfo(tokens.access_token)).json<Record<string, unknown>>()
  expect(profile).toEqual({
    sub: expect.stringMatching(/^1\d{20}$/) as string,
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada',
    given_name: 'Ada',
    hd: 'example.com',
  })
})

test('signs in an entered account, verified only if the box is checked, with one sub per email', async () => {
  const { profile } = await openGoogle()
  const form = { choice: 'typed', email: ' joan@example.com ', name: 'Joan of <b>Arc</b>' }
  const verified = await profile({ ...form, verified: 'on' })
  expect(verified).toMatchObject({
    email: 'joan@example.com',
    name: 'Joan of <b>Arc</b>',
    given_name: 'Joan',
    family_name: 'of <b>Arc</b>',
    email_verified: true,
  })
  expect(await profile({ ...form, email: 'Joan@Example.com' })).toMatchObject({
    sub: verified.sub,
    email_verified: false,
  })
  expect((await profile(ada)).sub).not.toBe(verified.sub)
})

test.each([
  [{ code_verifier: 'another-verifier-than-the-shop-began-with-0123' }, 400, 'invalid_grant'],
  [{ code_verifier: null }, 400, 'invalid_grant'],
  [{ code_verifier: '' }, 400, 'invalid_grant'],
  [{ code: '4/0Anever-given' }, 400, 'invalid_grant'],
  [{ code: null }, 400, 'invalid_request'],
  [{ redirect_uri: 'http://localhost:8788/auth/google/callback' }, 400, 'redirect_uri_mismatch'],
  [{ redirect_uri: null }, 400, 'invalid_request'],
  [{ client_id: 'somebody-else' }, 401, 'invalid_client'],
  [{ client_id: null }, 400, 'invalid_request'],
  [{ client_secret: 'wrong' }, 401, 'invalid_client'],
  [{ client_secret: null }, 400, 'invalid_request'],
  [{ grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
  [{ grant_type: null }, 400, 'invalid_request'],
  [{ assertion: 'x' }, 501, 'sandbox_unsupported'],
])('rejects an exchange with %j by %i %s and keeps the code valid', async (changes, status, error) => {
  const { codeOf, exchange } = await openGoogle()
  const code = await codeOf()
  const response = await exchange(code, changes)
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error, error_description: expect.stringMatching(/./) as string })
  expect((await exchange(code)).status).toBe(200)
})

test('exchanges a code once, and revokes its token on a second try', async () => {
  const { codeOf, exchange, userinfo } = await openGoogle()
  const code = await codeOf()
  const { access_token: token } = await (await exchange(code)).json<Tokens>()
  expect((await userinfo(token)).status).toBe(200)
  const again = await exchange(code)
  expect([again.status, (await again.json<OAuthErrorBody>()).error]).toEqual([400, 'invalid_grant'])
  expect((await userinfo(token)).status).toBe(401)
})

test('expires codes after ten minutes and tokens after an hour', async () => {
  const { codeOf, exchange, userinfo } = await openGoogle()
  const [early, late] = [await codeOf(), await codeOf()]
  advanceClock(9)
  const { access_token: token } = await (await exchange(early)).json<Tokens>()
  advanceClock(2)
  expect((await (await exchange(late)).json<OAuthErrorBody>()).error).toBe('invalid_grant')
  expect((await userinfo(token)).status).toBe(200)
  advanceClock(60)
  expect((await userinfo(token)).status).toBe(401)
})
