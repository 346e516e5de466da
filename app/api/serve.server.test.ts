import type { AppLoadContext } from '@remix-run/cloudflare'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { noon, test as shopTest } from '../../tests/support/store'
import { issueAccessToken } from '../store/accounts/access-tokens.server'
import { createApiKey } from '../store/integrations/api-keys.server'
import { noLongerAdmin } from '../store/accounts/users.server'
import { newId } from '../store/shared/ids.server'
import { limits } from '../store/shared/limits'
import { Refusal } from '../store/shared/refusal'
import { prepareSession } from '../store/accounts/sign-in.server'
import { errorJson } from '../http/response/errors'
import { readThrottle } from '../http/request/read-throttle.server'
import { serve, serveApi } from './serve.server'
import { endpoint, type Endpoint } from './endpoint.server'

const ada = { id: '1', email: 'ada@example.com', name: 'Ada', role: 'customer' }
const admin = { ...ada, role: 'admin' }

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

function contextOf(user: typeof ada | null = null, more: object = {}) {
  return {
    config: { API_ORIGINS: ['https://friend.example'] },
    requestId: 'r1',
    ip: '203.0.113.9',
    user: () => Promise.resolve(user),
    outage: false,
    db: { $count: () => Promise.resolve(0) },
    ...more,
  } as unknown as AppLoadContext
}

function ask(one: Endpoint, init: RequestInit & { search?: string } = {}, context = contextOf()) {
  const url = `https://shop.example/__api/thing${init.search ?? ''}`
  const method = init.method ?? 'GET'
  return serve({ path: '/thing', endpoints: { [method === 'HEAD' ? 'GET' : method]: one } })({
    request: new Request(url, init),
    params: { id: 'x' },
    context,
  })
}

const output = z.unknown()
const open = endpoint({ summary: '', auth: 'anyone', output, run: () => Promise.resolve({ a: 1 }) })
const failing = (error: unknown) =>
  endpoint({ summary: '', auth: 'anyone', output, run: () => Promise.reject(error as Error) })
const errorOf = async (response: Response) => (await response.json<{ error: object }>()).error

test.each(['/order/1', '/ORDER/1/', '/%6frder/1', '/order/a%2Fb', '/order/%'])(
  'finds the endpoints of %s',
  async (path) => {
    const request = new Request(`https://x${path}`, { method: 'OPTIONS' })
    const response = await serveApi({ request, context: contextOf() })
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, PATCH, DELETE, HEAD, OPTIONS'])
  },
)

test.each(['/order/1/2', '/orders', '/'])('answers 404 to %s', async (path) => {
  const request = new Request(`https://x${path}`, { method: 'OPTIONS' })
  expect((await serveApi({ request, context: contextOf() })).status).toBe(404)
})

test('a path names its methods', async () => {
  const both = serve({ path: '/thing', endpoints: { GET: open, POST: open } })
  const call = (method: string) =>
    both({ request: new Request('https://x', { method }), params: {}, context: contextOf() })
  const options = await call('OPTIONS')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
  const refused = await call('DELETE')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
  expect(await errorOf(refused)).toEqual({
    code: 'method-not-allowed',
    message: 'This path accepts GET, POST, HEAD, OPTIONS.',
  })
  const post = serve({ path: '/thing', endpoints: { POST: open } })
  const head = await post({ request: new Request('https://x', { method: 'HEAD' }), params: {}, context: contextOf() })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})

test('a public response has an ETag, and answers If-None-Match with 304', async () => {
  const first = await ask(open)
  const etag = first.headers.get('etag')!
  expect([first.status, await first.json(), first.headers.get('cache-control')]).toEqual([
    200,
    { a: 1 },
    'public, no-cache',
  ])
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const again = await ask(open, { headers: { 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  expect((await ask(open, { method: 'HEAD' })).status).toBe(200)
})

test('a private response has no ETag and no cache-control', async () => {
  const mine = endpoint({ summary: '', auth: 'signed-in', output, run: ({ caller }) => Promise.resolve(caller.email) })
  const { headers } = await ask(mine, {}, contextOf(ada))
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, null])
})

test('a private response of a conditional call has an ETag, may be stored nowhere, and is 304 for its reader alone', async () => {
  const mine = endpoint({
    ...{ summary: '', auth: 'signed-in', conditional: true, output },
    run: ({ caller }) => Promise.resolve(caller.email),
  })
  const first = await ask(mine, {}, contextOf(ada))
  const etag = first.headers.get('etag')!
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, null])
  const again = await ask(mine, { headers: { 'if-none-match': `W/${etag}` } }, contextOf(ada))
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  expect((await ask(mine, { headers: { 'if-none-match': etag } })).status).toBe(401)
})

test.each([
  ['anyone', null, 200],
  ['signed-in', null, 401],
  ['signed-in', ada, 200],
  ['admin', null, 401],
  ['admin', ada, 403],
  ['admin', admin, 200],
] as const)('an endpoint for %s, called by %j, responds %d', async (auth, user, status) => {
  const run = vi.fn(({ caller }: { caller: unknown }) => Promise.resolve(caller))
  const response = await ask(endpoint({ summary: '', auth, output, run }), {}, contextOf(user))
  expect([response.status, run.mock.calls.length]).toEqual([status, status === 200 ? 1 : 0])
  if (status === 200) expect(await response.json()).toEqual(auth === 'anyone' ? null : user)
  if (status === 401) expect(await errorOf(response)).toEqual({ code: 'unauthenticated', message: 'Log in first.' })
  if (status === 403) expect(await errorOf(response)).toMatchObject({ message: 'This is for admins only.' })
  expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
})

test('uses the 403 message of the endpoint', async () => {
  const run = () => Promise.resolve(null)
  const one = endpoint({ summary: '', auth: 'admin', forbidden: 'You cannot make an admin', output, run })
  expect(await errorOf(await ask(one, {}, contextOf(ada)))).toEqual({
    code: 'forbidden',
    message: 'You cannot make an admin',
  })
  const former = contextOf(ada, { db: { $count: () => Promise.resolve(1) } })
  for (const [forbidden, message] of [
    ['You cannot make an admin', 'You cannot make an admin'],
    [undefined, noLongerAdmin],
  ])
    expect(await errorOf(await ask({ ...one, forbidden }, {}, former))).toMatchObject({ message })
})

shopTest('ignores the session cookie beside a bearer token, even an invalid one', async ({ shop }) => {
  const customer = await shop.customer()
  const { session, insert } = await prepareSession(shop.deps, customer, '')
  await insert
  const { token } = await issueAccessToken(shop.deps, session.secret)
  const whoAmI = endpoint({
    summary: '',
    auth: 'signed-in',
    output,
    run: ({ caller }) => Promise.resolve(caller.email),
  })
  const callWith = (authorization: string) =>
    ask(whoAmI, { headers: { authorization } }, contextOf(ada, { db: shop.deps.db, now: Date.now }))
  for (const scheme of ['Bearer', 'bearer ']) {
    expect(await (await callWith(`${scheme} ${token}`)).json()).toBe(customer.email)
  }
  for (const none of ['', 'Bearer', 'Bearer x', token, `Basic ${token}`, `x Bearer ${token}`, `Bearer ${token} x`]) {
    const refused = await callWith(none)
    expect([none, refused.status]).toEqual([none, 401])
    expect(await errorOf(refused)).toMatchObject({ message: 'This access token is invalid or has expired.' })
  }
})

shopTest('a key of an admin makes the calls of its scopes, as often as it may', async ({ shop }) => {
  const admin = await shop.admin()
  const { key } = await createApiKey(shop.deps, admin, {
    ...{ name: 'Warehouse', scopes: ['orders:ship'], days: 30, submissionId: newId() },
  })
  const run = vi.fn(({ caller }: { caller: unknown }) => Promise.resolve(caller))
  const call = async (more: Partial<Endpoint>, token = key) => {
    const one = endpoint({ summary: '', auth: 'anyone', output, run, ...more })
    const headers = { authorization: `Bearer ${token}` }
    const response = await ask(one, { headers }, contextOf(null, { db: shop.deps.db, now: () => noon }))
    const { error } = await response.clone().json<{ error?: { message: string } }>()
    const left = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
    return [response.status, error?.message, left, response.headers.get('cache-control')]
  }
  const ship = { scope: 'orders:ship' } as const
  const { max } = limits.apiKeyCalls
  expect(await call(ship)).toEqual([200, undefined, `${max - 1}`, 'private, no-cache'])
  expect(run.mock.calls[0]![0].caller).toMatchObject({ id: admin.id, role: 'admin' })
  expect(await call({})).toEqual([403, 'No API key can make this call.', `${max - 2}`, null])
  const lacking = 'This API key lacks the scope catalogue:write.'
  expect(await call({ scope: 'catalogue:write' })).toEqual([403, lacking, `${max - 3}`, null])
  const unknown = 'This API key is unknown, expired or revoked.'
  expect(await call(ship, `${key}x`)).toEqual([401, unknown, undefined, null])
  expect(await call({ ...ship, callsOf: () => 1 })).toEqual([200, undefined, `${max - 4}`, 'private, no-cache'])
  expect(await call({ ...ship, callsOf: () => max - 5 })).toEqual([200, undefined, '1', 'private, no-cache'])
  const tooMany = expect.stringMatching(/^Too many calls with this key\./) as string
  expect(await call({ ...ship, callsOf: () => 3 })).toEqual([429, tooMany, '0', null])
  expect(await call(ship)).toEqual([429, tooMany, '0', null])
  expect(run).toHaveBeenCalledTimes(3)
})

test('validates query and body, and passes them to the endpoint', async () => {
  const run = vi.fn((args: object) => Promise.resolve(Object.keys(args).length))
  const schemas = { query: z.object({ n: z.coerce.number() }), body: z.strictObject({ a: z.number() }) }
  const one = endpoint({ summary: '', auth: 'anyone', output, idempotent: true, ...schemas, run })
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-00001' }
  const post = (search: string, body: string, more: object = {}) =>
    ask(one, { method: 'POST', search, body, headers: { ...headers, ...more } })
  expect((await post('?n=5', '{"a":1}')).status).toBe(200)
  expect(run).toHaveBeenCalledWith(
    expect.objectContaining({
      params: { id: 'x' },
      query: { n: 5 },
      body: { a: 1 },
      idempotencyKey: 'key-00001',
      caller: null,
    }),
  )
  expect((await post('?n=5&m=1', '{"a":1}')).status).toBe(422)
  expect(await errorOf(await post('?n=5', '{"a":"x"}'))).toMatchObject({
    code: 'invalid',
    message: 'Some fields are not valid.',
    fields: { a: [expect.any(String)] },
  })
  expect((await post('?n=5', 'x')).status).toBe(400)
  expect((await ask(open, { search: '?x=1' })).status).toBe(422)
  for (const key of ['short', 'x'.repeat(101), 'with spaces']) {
    expect([key, (await post('?n=5', '{"a":1}', { 'idempotency-key': key })).status]).toEqual([key, 400])
  }
  expect(await errorOf(await post('?n=5', '{"a":1}', { 'idempotency-key': '!' }))).toEqual({
    code: 'malformed',
    message: 'An Idempotency-Key must have 8 to 100 letters, digits, - and _ only.',
  })
  expect(run).toHaveBeenCalledTimes(1)
  await ask(one, { method: 'POST', search: '?n=5', body: '{"a":1}', headers: { 'content-type': 'application/json' } })
  expect(run).toHaveBeenLastCalledWith(expect.objectContaining({ idempotencyKey: undefined }))
  const keyless = endpoint({ summary: '', auth: 'anyone', output, run })
  await ask(keyless, { headers: { 'idempotency-key': 'not read' } })
  expect(run).toHaveBeenLastCalledWith(expect.objectContaining({ idempotencyKey: undefined, body: undefined }))
})

test.each([
  [new Refusal('not-found', 'There is none.'), 404, { code: 'not-found', message: 'There is none.' }, null],
  [new Refusal('too-many', 'Wait.', { retryAfter: 7 }), 429, { code: 'too-many', message: 'Wait.' }, '7'],
  [new Refusal('conflict', ''), 409, { code: 'conflict', message: 'Some fields are not valid.' }, null],
  [new Refusal('unavailable', 'Away.'), 503, { code: 'unavailable', message: 'Away.' }, null],
  [new Error('secret'), 500, { code: 'internal', message: 'Something went wrong on our side.' }, null],
])('maps a refusal to its status, and hides the details of a bug: %s', async (error, status, body, retryAfter) => {
  const context = contextOf()
  const response = await ask(failing(error), { headers: { origin: 'https://friend.example' } }, context)
  expect([response.status, await errorOf(response), response.headers.get('retry-after')]).toEqual([
    status,
    body,
    retryAfter,
  ])
  expect(response.headers.get('access-control-allow-origin')).toBe('https://friend.example')
  expect(context.fault).toBe(status === 500 ? error : undefined)
})

test('answers an outage with Retry-After, and logs the cause of a refusal', async () => {
  const response = await ask(failing(new Error('fetch failed')), {}, contextOf(null, { outage: true }))
  expect([response.status, response.headers.get('retry-after'), await errorOf(response)]).toEqual([
    503,
    '10',
    { code: 'unavailable', message: 'The shop is unavailable right now. Try again in a moment.' },
  ])
  const cause = new Error('Stripe answered 500')
  const context = contextOf()
  await ask(failing(new Refusal('unavailable', 'Away.', { cause })), {}, context)
  expect(context.fault).toBe(cause)
})

function listOf(count: number, breaksAt = Infinity) {
  const calls: unknown[] = []
  const one = endpoint({
    summary: '',
    auth: 'anyone',
    paged: true,
    query: z.object({ after: z.string().optional(), limit: z.coerce.number().optional(), q: z.string().optional() }),
    output: z.array(z.number()),
    run({ query: { after = '0', limit } }) {
      calls.push([after, limit])
      if (calls.length > breaksAt) return Promise.reject(new Error('gone'))
      const end = Math.min(Number(after) + limit, count)
      const items = Array.from({ length: end - Number(after) }, (_, nth) => Number(after) + nth)
      return Promise.resolve({ items, next: end < count ? String(end) : null })
    },
  })
  return { one, calls }
}

test('a page links to the next one, the last page does not', async () => {
  const { one } = listOf(5)
  const page = await ask(one, { search: '?limit=3&q=a%20b' })
  expect([await page.json(), page.headers.get('link')]).toEqual([
    [0, 1, 2],
    '<https://shop.example/thing?limit=3&q=a+b&after=3>; rel="next"'.replace('https://shop.example', ''),
  ])
  const last = await ask(one, { search: '?limit=3&after=3' })
  expect([await last.json(), last.headers.get('link')]).toEqual([[3, 4], null])
  const exact = await ask(one, { search: '?limit=5' })
  expect([await exact.json(), exact.headers.get('link')]).toEqual([[0, 1, 2, 3, 4], null])
})

test('reads a whole list in parts', async () => {
  for (const [count, reads] of [
    [0, 1],
    [250, 1],
    [600, 3],
  ] as const) {
    const { one, calls } = listOf(count)
    const response = await ask(one)
    expect(await response.json()).toEqual(Array.from({ length: count }, (_, nth) => nth))
    expect([response.headers.get('content-type'), response.headers.has('etag')]).toEqual([
      'application/json; charset=utf-8',
      reads === 1,
    ])
    expect(calls).toEqual(Array.from({ length: reads }, (_, nth) => [String(nth * 250), 250]))
  }
})

test('refuses a filtered list while too many read long lists, and never the whole list or a short page', async () => {
  const queue = Array.from({ length: 60 }, () => readThrottle.take())
  const refused = await ask(listOf(5).one, { search: '?q=x' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
  expect((await ask(listOf(5).one, { search: '?limit=999' })).status).toBe(429)
  expect((await ask(listOf(5).one)).status).toBe(200)
  expect((await ask(listOf(5).one, { search: '?limit=250&q=x' })).status).toBe(200)
  await Promise.all(queue)
})

test('aborts and logs when reading a list fails', async () => {
  const response = await ask(listOf(600, 2).one)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('gone')
  expect(console.error).toHaveBeenCalledTimes(1)
})

test('an error has fields only if there are any', async () => {
  const response = errorJson(422, 'invalid', 'No.', { allow: 'GET' }, { a: ['b'] })
  expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
    422,
    'GET',
    { error: { code: 'invalid', message: 'No.', fields: { a: ['b'] } } },
  ])
  expect(await errorJson(404, 'not-found', 'No.').json()).toEqual({ error: { code: 'not-found', message: 'No.' } })
})

test('logs which user a call was refused, and a refused token', async () => {
  const lines: unknown[] = []
  vi.spyOn(console, 'info').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
  const forAdmins = endpoint({ summary: '', auth: 'admin', output, run: () => Promise.resolve({}) })
  const own = endpoint({
    summary: '',
    auth: 'signed-in',
    output,
    run: () => Promise.reject(new Refusal('forbidden', '')),
  })
  await ask(forAdmins, {}, contextOf(ada))
  await ask(own, {}, contextOf(ada))
  await ask(own, { headers: { authorization: 'Bearer' } }, contextOf(ada))
  await ask(failing(new Refusal('not-found', '')))
  expect(lines).toMatchObject([
    { event: 'not allowed', user: '1' },
    { event: 'not allowed', user: '1' },
    { event: 'access token refused' },
  ])
})
