import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ada, callback, openGoogle } from '../testing/google'

const alerts = (document: string) => [...document.matchAll(/role="alert">\s*([^<]*?)\s*</g)].map(([, words]) => words)

test('the page says that it is a stand-in, offers three accounts and a form, and brings no script', async () => {
  const { pageUrl } = await openGoogle()
  const answer = await fetch(pageUrl())
  const document = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
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

test('the policy lets the style through and the forms lead to the shop that asks, and nothing else', async () => {
  const { pageUrl } = await openGoogle()
  const answer = await fetch(pageUrl())
  const style = /<style>([^]*)<\/style>/.exec(await answer.text())![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = answer.headers.get('content-security-policy')!.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${hash}'`)
  expect(policy).toContain("form-action 'self' http://127.0.0.1:8788")
})

test.each([
  'http://127.0.0.1:8788/auth/google/callback',
  'http://localhost:3000/auth/google/callback',
  'https://[::1]:8788/shop/auth/google/callback',
])('whoever chooses an account comes back to %s with a code', async (redirect_uri) => {
  const { choose } = await openGoogle()
  const answer = await choose(ada, { redirect_uri })
  const location = new URL(answer.headers.get('location')!)
  expect(answer.status).toBe(303)
  expect(location.origin + location.pathname).toBe(redirect_uri)
  expect([...location.searchParams.keys()]).toEqual(['state', 'code', 'scope', 'authuser'])
  expect(location.searchParams.get('code')).toMatch(/^4\/0A[\w-]{64}$/)
})

test('the state comes back as it was given, whatever is in it', async () => {
  const { cameBack } = await openGoogle()
  const state = 'a b+c&code=stolen#"<é>%20/=🎻'
  const chosen = await cameBack(ada, { state })
  expect(chosen.searchParams.get('state')).toBe(state)
  expect(chosen.searchParams.getAll('code')).not.toContain('stolen')
  expect((await cameBack({ choice: 'cancel' }, { state })).searchParams.get('state')).toBe(state)
})

test('Cancel leads back with access_denied and the state, and no code', async () => {
  const { choose } = await openGoogle()
  const answer = await choose({ choice: 'cancel' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`${callback}?error=access_denied&state=state-1`)
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
])('the redirect_uri %s is told of on a page, and never led to', async (redirect_uri) => {
  const { pageUrl, choose } = await openGoogle()
  for (const answer of [await fetch(pageUrl({ redirect_uri })), await choose(ada, { redirect_uri })]) {
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(await answer.text()).toContain('Error 400: redirect_uri_mismatch')
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
])('a question with %j is told "%s" on a page, and nobody is led anywhere', async (wrong, message) => {
  const { pageUrl, choose } = await openGoogle()
  for (const answer of [await fetch(pageUrl(wrong)), await choose(ada, wrong)]) {
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(await answer.text()).toContain(message)
  }
})

test('a parameter that comes twice is refused', async () => {
  const { pageUrl } = await openGoogle()
  const answer = await fetch(`${pageUrl()}&state=another`)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('can only have a single value: state')
})

test('what the library of the shop asks beside the protocol is taken', async () => {
  const { pageUrl } = await openGoogle()
  const scope = 'openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email'
  const asked = { scope, access_type: 'online', include_granted_scopes: 'false', prompt: 'select_account' }
  const answer = await fetch(pageUrl({ ...asked, login_hint: 'joan@example.com' }))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('value="joan@example.com"')
})

test.each([
  [{ email: '', name: 'Joan' }, ['Enter an email, like you@example.com.']],
  [{ email: 'joan', name: 'Joan' }, ['Enter an email, like you@example.com.']],
  [{ email: 'joan@example.com', name: ' ' }, ['Enter a name.']],
  [{}, ['Enter an email, like you@example.com.', 'Enter a name.']],
])('a form with %j is answered %j', async (typed, messages) => {
  const { choose } = await openGoogle()
  const answer = await choose({ choice: 'typed', ...typed })
  expect(answer.status).toBe(422)
  expect(alerts(await answer.text())).toEqual(messages)
})

test('what was typed is kept, escaped, and so is the box that was not checked', async () => {
  const { choose } = await openGoogle()
  const document = await (await choose({ choice: 'typed', name: '"><script>alert(1)</script>' })).text()
  expect(document).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(document).not.toContain('<script')
  expect(document).not.toMatch(/name="verified" checked/)
})

test('what a refusal repeats is escaped', async () => {
  const { pageUrl } = await openGoogle()
  const document = await (await fetch(pageUrl({ redirect_uri: '<script>alert(1)</script>' }))).text()
  expect(document).toContain('&lt;script&gt;')
  expect(document).not.toContain('<script')
})
