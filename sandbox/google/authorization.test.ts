import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ada, callback, openGoogle } from '../testing/google'

const alerts = (document: string) => [...document.matchAll(/role="alert">\s*([^<]*?)\s*</g)].map(([, words]) => words)

test('shows three accounts and a form on a page without scripts that says it is not Google', async () => {
  const { pageUrl } = await openGoogle()
  const response = await fetch(pageUrl())
  const document = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  for (const text of [
    '<title>Sign in with Google (sandbox)</title>',
    'not Google',
    'ada@example.com',
    'grace@example.com',
    'mallory@example.com',
    'Email not verified',
    'Email is verified by Google',
    'Continue</button',
    'Cancel</button',
  ]) {
    expect(document).toContain(text)
  }
  expect(document).toMatch(/name="verified" checked/)
  expect(document).not.toContain('<script')
})

test('allows only its own style and forms to the shop in the content security policy', async () => {
  const { pageUrl } = await openGoogle()
  const response = await fetch(pageUrl())
  const style = /<style>([^]*)<\/style>/.exec(await response.text())![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = response.headers.get('content-security-policy')!.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${hash}'`)
  expect(policy).toContain("form-action 'self' http://127.0.0.1:8788")
})

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

test('returns the state unchanged', async () => {
  const { cameBack } = await openGoogle()
  const state = 'a b+c&code=stolen#"<é>%20/=🎻'
  const redirect = await cameBack(ada, { state })
  expect(redirect.searchParams.get('state')).toBe(state)
  expect(redirect.searchParams.getAll('code')).not.toContain('stolen')
  expect((await cameBack({ choice: 'cancel' }, { state })).searchParams.get('state')).toBe(state)
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

test('rejects a repeated parameter', async () => {
  const { pageUrl } = await openGoogle()
  const response = await fetch(`${pageUrl()}&state=another`)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('can only have a single value: state')
})

test("accepts the extra parameters of the shop's library", async () => {
  const { pageUrl } = await openGoogle()
  const scope = 'openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email'
  const parameters = { scope, access_type: 'online', include_granted_scopes: 'false', prompt: 'select_account' }
  const response = await fetch(pageUrl({ ...parameters, login_hint: 'joan@example.com' }))
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('value="joan@example.com"')
})

test.each([
  [{ email: '', name: 'Joan' }, ['Enter an email, like you@example.com.']],
  [{ email: 'joan', name: 'Joan' }, ['Enter an email, like you@example.com.']],
  [{ email: 'joan@example.com', name: ' ' }, ['Enter a name.']],
  [{}, ['Enter an email, like you@example.com.', 'Enter a name.']],
])('answers a form with %j by %j', async (form, messages) => {
  const { choose } = await openGoogle()
  const response = await choose({ choice: 'typed', ...form })
  expect(response.status).toBe(422)
  expect(alerts(await response.text())).toEqual(messages)
})

test('keeps the form input, escaped, and the unchecked box', async () => {
  const { choose } = await openGoogle()
  const document = await (await choose({ choice: 'typed', name: '"><script>alert(1)</script>' })).text()
  expect(document).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(document).not.toContain('<script')
  expect(document).not.toMatch(/name="verified" checked/)
})

test('escapes input in error pages', async () => {
  const { pageUrl } = await openGoogle()
  const document = await (await fetch(pageUrl({ redirect_uri: '<script>alert(1)</script>' }))).text()
  expect(document).toContain('&lt;script&gt;')
  expect(document).not.toContain('<script')
})
