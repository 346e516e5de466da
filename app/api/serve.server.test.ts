import type { AppLoadContext } from '@remix-run/cloudflare'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { test as shopTest } from '../../tests/support/store'
import { issueAccessToken } from '../store/accounts/access-tokens.server'
import { Refusal } from '../store/refusal'
import { prepareSession } from '../store/accounts/sign-in.server'
import { errorJson } from '../http/errors'
import { serve } from './serve.server'
import { endpoint, type Endpoint } from './endpoint.server'

const ada = { id: '1', email: 'ada@example.com', name: 'Ada', role: 'customer' }
const admin = { ...ada, role: 'admin' }

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

function contextOf(visitor: typeof ada | null = null, more: object = {}) {
  return {
    config: { API_ORIGINS: ['https://friend.example'] },
    requestId: 'r1',
    visitor: () => Promise.resolve(visitor),
    outage: false,
    ...more,
  } as unknown as AppLoadContext
}

/** One call at a path of its own, asked once. */
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

test('a path says what it takes', async () => {
  const both = serve({ path: '/thing', endpoints: { GET: open, POST: open } })
  const asked = (method: string) =>
    both({ request: new Request('https://x', { method }), params: {}, context: contextOf() })
  const options = await asked('OPTIONS')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
  const refused = await asked('DELETE')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS'])
  expect(await errorOf(refused)).toEqual({
    code: 'method-not-allowed',
    message: 'This path takes GET, POST, HEAD, OPTIONS.',
  })
  const post = serve({ path: '/thing', endpoints: { POST: open } })
  const head = await post({ request: new Request('https://x', { method: 'HEAD' }), params: {}, context: contextOf() })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})

test('what everybody may hear has a tag, and is sent once', async () => {
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

test('what only the caller may hear is not for caches', async () => {
  const mine = endpoint({ summary: '', auth: 'signed-in', output, run: ({ caller }) => Promise.resolve(caller.email) })
  const { headers } = await ask(mine, {}, contextOf(ada))
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, null])
})

test.each([
  ['anyone', null, 200],
  ['signed-in', null, 401],
  ['signed-in', ada, 200],
  ['admin', null, 401],
  ['admin', ada, 403],
  ['admin', admin, 200],
] as const)('a call for %s, made by %j, is answered %d', async (auth, visitor, status) => {
  const run = vi.fn(({ caller }: { caller: unknown }) => Promise.resolve(caller))
  const response = await ask(endpoint({ summary: '', auth, output, run }), {}, contextOf(visitor))
  expect([response.status, run.mock.calls.length]).toEqual([status, status === 200 ? 1 : 0])
  if (status === 200) expect(await response.json()).toEqual(auth === 'anyone' ? null : visitor)
  if (status === 401) expect(await errorOf(response)).toEqual({ code: 'unauthenticated', message: 'Sign in first.' })
  if (status === 403) expect(await errorOf(response)).toMatchObject({ message: 'This is for the shopkeeper.' })
  expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
})

test('a specified call says in its own words who may not', async () => {
  const run = () => Promise.resolve(null)
  const one = endpoint({ summary: '', auth: 'admin', forbidden: 'You cannot make an admin', output, run })
  expect(await errorOf(await ask(one, {}, contextOf(ada)))).toEqual({
    code: 'forbidden',
    message: 'You cannot make an admin',
  })
})

shopTest('a bearer token counts alone: beside one that is none, the session does not', async ({ shop }) => {
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
  const asked = (authorization: string) =>
    ask(whoAmI, { headers: { authorization } }, contextOf(ada, { db: shop.deps.db, now: Date.now }))
  for (const scheme of ['Bearer', 'bearer ']) {
    expect(await (await asked(`${scheme} ${token}`)).json()).toBe(customer.email)
  }
  for (const none of ['', 'Bearer', 'Bearer x', token, `Basic ${token}`, `x Bearer ${token}`, `Bearer ${token} x`]) {
    const refused = await asked(none)
    expect([none, refused.status]).toEqual([none, 401])
    expect(await errorOf(refused)).toMatchObject({ message: 'This access token is not valid, or not any more.' })
  }
})

test('the query and the body are checked, and the call hears what is left', async () => {
  const run = vi.fn((asked: object) => Promise.resolve(Object.keys(asked).length))
  const schemas = { query: z.object({ n: z.coerce.number() }), body: z.strictObject({ a: z.number() }) }
  const one = endpoint({ summary: '', auth: 'anyone', output, idempotent: true, ...schemas, run })
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'wish-0001' }
  const post = (search: string, body: string, more: object = {}) =>
    ask(one, { method: 'POST', search, body, headers: { ...headers, ...more } })
  expect((await post('?n=5', '{"a":1}')).status).toBe(200)
  expect(run).toHaveBeenCalledWith(
    expect.objectContaining({
      params: { id: 'x' },
      query: { n: 5 },
      body: { a: 1 },
      idempotencyKey: 'wish-0001',
      caller: null,
    }),
  )
  expect((await post('?n=5&m=1', '{"a":1}')).status).toBe(422)
  expect(await errorOf(await post('?n=5', '{"a":"x"}'))).toMatchObject({
    code: 'invalid',
    message: 'Some fields are not right.',
    fields: { a: [expect.any(String)] },
  })
  expect((await post('?n=5', 'x')).status).toBe(400)
  expect((await ask(open, { search: '?x=1' })).status).toBe(422)
  for (const key of ['short', 'x'.repeat(101), 'with spaces']) {
    expect([key, (await post('?n=5', '{"a":1}', { 'idempotency-key': key })).status]).toEqual([key, 400])
  }
  expect(await errorOf(await post('?n=5', '{"a":1}', { 'idempotency-key': '!' }))).toEqual({
    code: 'malformed',
    message: 'An Idempotency-Key has 8 to 100 letters, digits, - and _.',
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
  [new Refusal('conflict', ''), 409, { code: 'conflict', message: 'Some fields are not right.' }, null],
  [new Refusal('unavailable', 'Away.'), 503, { code: 'unavailable', message: 'Away.' }, null],
  [new Error('secret'), 500, { code: 'internal', message: 'Something on our side does not work just now.' }, null],
])('a refusal is answered by its code, a bug says no more than that: %s', async (error, status, told, wait) => {
  const response = await ask(failing(error), { headers: { origin: 'https://friend.example' } })
  expect([response.status, await errorOf(response), response.headers.get('retry-after')]).toEqual([status, told, wait])
  expect(response.headers.get('access-control-allow-origin')).toBe('https://friend.example')
  expect(console.error).toHaveBeenCalledTimes(status === 500 ? 1 : 0)
})

test('an outage is worth another try, and what caused a refusal is logged', async () => {
  const response = await ask(failing(new Error('fetch failed')), {}, contextOf(null, { outage: true }))
  expect([response.status, response.headers.get('retry-after'), await errorOf(response)]).toEqual([
    503,
    '10',
    { code: 'unavailable', message: 'The shop cannot reach its books just now. Try again in a moment.' },
  ])
  const cause = new Error('Stripe answered 500')
  await ask(failing(new Refusal('unavailable', 'Away.', { cause })))
  expect(console.error).toHaveBeenLastCalledWith('r1', '', cause)
})

/** A list of so many numbers, in pages. */
function listOf(count: number, breaksAt = Infinity) {
  const asked: unknown[] = []
  const one = endpoint({
    summary: '',
    auth: 'anyone',
    paged: true,
    query: z.object({ after: z.string().optional(), limit: z.coerce.number().optional(), q: z.string().optional() }),
    output: z.array(z.number()),
    run({ query: { after = '0', limit } }) {
      asked.push([after, limit])
      if (asked.length > breaksAt) return Promise.reject(new Error('gone'))
      const end = Math.min(Number(after) + limit, count)
      const items = Array.from({ length: end - Number(after) }, (_, nth) => Number(after) + nth)
      return Promise.resolve({ items, next: end < count ? String(end) : null })
    },
  })
  return { one, asked }
}

test('a page of a list names the next one; the last page names none', async () => {
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

test('the whole of a list is read a thousand items at a time', async () => {
  for (const [count, reads] of [
    [0, 1],
    [1000, 1],
    [2500, 3],
  ] as const) {
    const { one, asked } = listOf(count)
    const response = await ask(one)
    expect(await response.json()).toEqual(Array.from({ length: count }, (_, nth) => nth))
    expect([response.headers.get('content-type'), response.headers.has('etag')]).toEqual([
      'application/json; charset=utf-8',
      reads === 1,
    ])
    expect(asked).toEqual(Array.from({ length: reads }, (_, nth) => [String(nth * 1000), 1000]))
  }
})

test('a list whose reading fails breaks off, and the log hears why', async () => {
  const response = await ask(listOf(2500, 2).one)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('gone')
  expect(console.error).toHaveBeenCalledTimes(1)
})

test('an error names its fields only if there are any', async () => {
  const told = errorJson(422, 'invalid', 'No.', { allow: 'GET' }, { a: ['b'] })
  expect([told.status, told.headers.get('allow'), await told.json()]).toEqual([
    422,
    'GET',
    { error: { code: 'invalid', message: 'No.', fields: { a: ['b'] } } },
  ])
  expect(await errorJson(404, 'not-found', 'No.').json()).toEqual({ error: { code: 'not-found', message: 'No.' } })
})
