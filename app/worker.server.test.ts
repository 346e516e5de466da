import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import { beforeEach, expect, test, vi } from 'vitest'
import { localVars } from '../dev/environment'
import { createWorker } from './worker.server'

const origin = 'http://127.0.0.1:8788'
const env = {
  ...localVars({ origin, databaseUrl: 'http://127.0.0.1:9', sandboxUrl: 'http://127.0.0.1:9' }),
  EDGE_CACHE_SECONDS: '0',
}

/** What the routes would answer, and what they hear. */
const routes = vi.fn<(request: Request, context: AppLoadContext) => Promise<Response>>()
vi.mock('./http/router.server', () => ({
  createRouter: () => (request: Request, context: AppLoadContext) => routes(request, context),
}))

const { fetch } = createWorker({ assets: { version: 'v1' } } as ServerBuild)

beforeEach(() => void routes.mockReset().mockImplementation(() => Promise.resolve(new Response('a page'))))

function ask(path: string, init: RequestInit = {}) {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined }
  return fetch!(new Request(path.startsWith('/') ? origin + path : path, init) as never, env, ctx as never)
}

const session = `session=${encodeURIComponent(btoa('"a secret"'))}`

test('a form that comes from another site reaches no route', async () => {
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example', cookie: session } }
  expect((await ask('/dashboard', foreign)).status).toBe(403)
  expect(routes).not.toHaveBeenCalled()
  await ask('/dashboard', { ...foreign, headers: { ...foreign.headers, accept: 'text/html' } })
  const [page, context] = routes.mock.lastCall!
  expect([page.method, page.url, context.sessionSecret]).toEqual(['GET', `${origin}/turned-away`, null])
})

test('the session cookie counts, but not beside a token', async () => {
  await ask('/dashboard', { headers: { cookie: session } })
  expect(routes.mock.lastCall![1].sessionSecret).toBe('a secret')
  await ask('/dashboard', { headers: { cookie: session, authorization: 'Bearer x' } })
  const { sessionSecret, visitor } = routes.mock.lastCall![1]
  expect([sessionSecret, await visitor()]).toEqual([null, null])
})

test('every answer is private and named, unless its route says otherwise', async () => {
  const { headers } = await ask('/dashboard', { headers: { 'cf-ray': 'r1' } })
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-request-id': 'r1',
  })
  expect(headers.has('strict-transport-security')).toBe(false)
  routes.mockResolvedValueOnce(new Response('', { headers: { 'cache-control': 'public' } }))
  expect((await ask('/dashboard')).headers.get('cache-control')).toBe('public')
})

test.each([
  ['/dashboard', 'PROPFIND', 405],
  ['/dashboard?_data=routes%2Fdashboard', 'GET', 422],
  ['/__api/reviews', 'GET', 404],
])('%s by %s reaches no route: %d', async (path, method, status) => {
  expect((await ask(path, { method, headers: { origin } })).status).toBe(status)
  expect(routes).not.toHaveBeenCalled()
})

test('what depends on the kind that was asked for says so', async () => {
  expect((await ask('/instruments/oboe')).headers.get('vary')).toBe('Accept')
  expect(new URL(routes.mock.lastCall![0].url).pathname).toBe('/__api/instruments/oboe')
  expect((await ask('/dashboard')).headers.get('vary')).toBeNull()
})

test('a browser that came by another name is led to the shop’s own address', async () => {
  const led = await ask('http://localhost:8788/dashboard?x=1')
  expect([led.status, led.headers.get('location')]).toEqual([308, `${origin}/dashboard?x=1`])
  expect(led.headers.get('x-content-type-options')).toBe('nosniff')
})

test('an answer that failed because the database is away is worth another try, one that failed by a bug is not', async () => {
  for (const [outage, status, wait] of [
    [true, 503, '10'],
    [false, 500, null],
  ] as const) {
    routes.mockImplementationOnce((_request, context) => {
      context.outage = outage
      return Promise.resolve(new Response('', { status: 500 }))
    })
    const answer = await ask('/dashboard')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, wait])
  }
})
