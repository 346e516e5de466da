import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import { beforeEach, expect, test, vi } from 'vitest'
import { localVars } from '../dev/environment'
import { ProviderError } from './store/deps'
import { createWorker } from './worker.server'

const origin = 'http://127.0.0.1:8788'
const env = {
  ...localVars({ origin, database: { url: 'http://127.0.0.1:9', authToken: '' }, sandboxUrl: 'http://127.0.0.1:9' }),
  EDGE_CACHE_SECONDS: '0',
}

const routes = vi.fn<(request: Request, context: AppLoadContext) => Promise<Response>>()
vi.mock('./http/router.server', async (original) => ({
  ...(await original<object>()),
  createRouter: () => (request: Request, context: AppLoadContext) => routes(request, context),
}))

vi.mock('./api/serve.server', () => ({
  serveApi: ({ request, context }: { request: Request; context: AppLoadContext }) => routes(request, context),
}))

const { fetch, scheduled } = createWorker({ assets: { version: 'v1' }, routes: {} } as ServerBuild)

const lines: unknown[] = []
for (const level of ['error', 'warn', 'info'] as const)
  vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)))

beforeEach(() => void lines.splice(0))
beforeEach(() => void routes.mockReset().mockImplementation(() => Promise.resolve(new Response('a page'))))

function ask(path: string, init: RequestInit = {}, vars = env) {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined }
  return fetch!(new Request(path.startsWith('/') ? origin + path : path, init) as never, vars, ctx as never)
}

const session = `session=${encodeURIComponent(btoa('"a secret"'))}`

test('a cross-site form reaches no route', async () => {
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example', cookie: session } }
  expect((await ask('/dashboard', foreign)).status).toBe(403)
  expect(routes).not.toHaveBeenCalled()
  await ask('/dashboard', { ...foreign, headers: { ...foreign.headers, accept: 'text/html' } })
  const [page, context] = routes.mock.lastCall!
  expect([page.method, page.url, context.sessionSecret]).toEqual(['GET', `${origin}/forbidden`, null])
})

test('refuses a form over plain http beside an https shop', async () => {
  const https = { ...env, SHOP_ORIGIN: 'https://shop.example' }
  const form = (url: string) => {
    const headers = { origin: new URL(url).origin, cookie: session }
    return ask(url, { method: 'POST', headers }, https)
  }
  expect((await form('http://shop.example/dashboard')).status).toBe(403)
  expect(routes).not.toHaveBeenCalled()
  expect((await form('https://shop.example/dashboard')).status).toBe(200)
})

test('refuses an API call over plain http beside an https shop, and redirects a page', async () => {
  const https = { ...env, SHOP_ORIGIN: 'https://shop.example' }
  const get = async (url: string, headers: Record<string, string>) => (await ask(url, { headers }, https)).status
  const token = { authorization: 'Bearer x' }
  const page = { accept: 'text/html' }
  expect(await get('http://shop.example/order', token)).toBe(403)
  expect(await get('http://shop.example/instruments', {})).toBe(403)
  expect(routes).not.toHaveBeenCalled()
  await get('http://shop.example/dashboard', { ...page, ...token })
  expect(routes.mock.lastCall![0].url).toBe('https://shop.example/forbidden')
  for (const path of ['/dashboard', '/reviews', '/order']) {
    expect(await get(`http://shop.example${path}`, page)).toBe(308)
  }
  expect(await get('https://shop.example/order', token)).toBe(200)
})

test('a data response names its character set', async () => {
  routes.mockResolvedValueOnce(new Response('', { headers: { 'content-type': 'text/x-script' } }))
  expect((await ask('/dashboard.data')).headers.get('content-type')).toBe('text/x-script; charset=utf-8')
})

test('ignores the session cookie beside a token', async () => {
  await ask('/dashboard', { headers: { cookie: session } })
  expect(routes.mock.lastCall![1].sessionSecret).toBe('a secret')
  await ask('/dashboard', { headers: { cookie: session, authorization: 'Bearer x' } })
  const { sessionSecret, user } = routes.mock.lastCall![1]
  expect([sessionSecret, await user()]).toEqual([null, null])
})

test('every response is private and has a request id, unless its route sets cache-control', async () => {
  const { headers } = await ask('/dashboard', { headers: { 'cf-ray': 'r1' } })
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-request-id': 'r1',
  })
  expect(headers.has('strict-transport-security')).toBe(false)
  const hsts = async (vars = {}) => {
    const response = await ask(
      'https://shop.example/dashboard',
      {},
      { ...env, SHOP_ORIGIN: 'https://shop.example', ...vars },
    )
    return response.headers.get('strict-transport-security')
  }
  expect(await hsts()).toBe('max-age=63072000')
  expect(await hsts({ HSTS: 'max-age=600; includeSubDomains' })).toBe('max-age=600; includeSubDomains')
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

test('a negotiated response varies by Accept', async () => {
  expect((await ask('/instruments/oboe')).headers.get('vary')).toBe('Accept')
  expect(new URL(routes.mock.lastCall![0].url).pathname).toBe('/__api/instruments/oboe')
  expect((await ask('/dashboard')).headers.get('vary')).toBeNull()
})

test('redirects from another host name to the origin of the shop', async () => {
  const response = await ask('http://localhost:8788/dashboard?x=1')
  expect([response.status, response.headers.get('location')]).toEqual([308, `${origin}/dashboard?x=1`])
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('answers an outage with 503 and Retry-After, and a bug with 500', async () => {
  for (const [outage, status, retryAfter] of [
    [true, 503, '10'],
    [false, 500, null],
  ] as const) {
    routes.mockImplementationOnce((_request, context) => {
      context.outage = outage
      return Promise.resolve(new Response('', { status: 500 }))
    })
    const response = await ask('/dashboard')
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(lines.splice(0)).toMatchObject([{ level: 'error', event: 'request failed', status, route: 'dashboard' }])
  }
})

test('counts requests and events with the binding METRICS', async () => {
  const points: unknown[] = []
  const METRICS = { writeDataPoint: (point: { doubles: number[] }) => void points.push(point) }
  routes.mockImplementationOnce((_request, context) => {
    context.count('order placed')
    return Promise.resolve(new Response('', { status: 404 }))
  })
  await ask('/catalog/violin', {}, { ...env, METRICS } as never)
  expect(points).toEqual([
    { indexes: ['event'], blobs: ['order placed'], doubles: [1] },
    { indexes: ['request'], blobs: ['catalog', '4xx', 'GET'], doubles: [expect.any(Number)] },
  ])
  METRICS.writeDataPoint = () => {
    throw new Error('full')
  }
  expect((await ask('/dashboard', {}, { ...env, METRICS } as never)).status).toBe(200)
})

test('writes one line for a request that fails, and none where its route has written one', async () => {
  const failing = (change: Partial<AppLoadContext>, status = 500) => {
    routes.mockImplementationOnce((_request, context) => {
      Object.assign(context, change)
      return Promise.resolve(new Response('', { status }))
    })
    return ask('/user/ada@example.com', { headers: { 'cf-ray': 'r1' } })
  }
  await failing({ fault: new TypeError('x is undefined') })
  await failing({ fault: new ProviderError('Stripe: silence', { final: false }) }, 409)
  await failing({ isReported: true })
  await failing({}, 404)
  routes.mockRejectedValueOnce(new Error('thrown by the router'))
  const response = await ask('/home')
  expect([response.status, await response.json()]).toMatchObject([500, { error: { code: 'internal' } }])
  expect(lines.splice(0)).toMatchObject([
    { level: 'error', code: 'bug', requestId: 'r1', method: 'GET', route: 'user', message: 'x is undefined' },
    { level: 'warn', code: 'stripe-away', status: 409 },
    { level: 'error', route: 'home', message: 'thrown by the router' },
  ])
})

test('writes a line for a task that fails after the response', async () => {
  routes.mockImplementationOnce((_request, context) => {
    context.later(() => Promise.reject(new TypeError('x is undefined')))
    return Promise.resolve(new Response('a page'))
  })
  expect((await ask('/dashboard', { headers: { 'cf-ray': 'r1' } })).status).toBe(200)
  await vi.waitUntil(() => lines.length > 0)
  expect(lines).toMatchObject([
    { level: 'error', event: 'task after the response failed', requestId: 'r1', message: 'x is undefined' },
  ])
})

test('a run of the cron trigger that fails counts as failed at Cloudflare, with a line', async () => {
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined }
  await expect(scheduled!({} as never, env, ctx as never)).rejects.toThrow('Some scheduled tasks failed')
  expect(lines).toMatchObject([{ level: 'error', event: 'cron task failed', about: 'begin' }])
})
