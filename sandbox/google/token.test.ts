import { afterEach, expect, test, vi } from 'vitest'
import { ada, openGoogle, type OAuthErrorBody, type Tokens } from '../testing/google'

afterEach(() => vi.useRealTimers())

function advanceClock(minutes: number) {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + minutes * 60_000)
}

test('exchanges a code for a token, and the token for the profile', async () => {
  const { url, codeOf, exchange, userinfo } = await openGoogle()
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
    picture: `${url}/a/${String(profile.sub)}=s96-c`,
  })
  expect((await fetch(profile.picture as string)).headers.get('content-type')).toBe('image/svg+xml')
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
