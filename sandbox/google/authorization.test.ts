import { expect, test } from 'vitest'
import { ada, callback, openGoogle } from '../testing/google'

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
