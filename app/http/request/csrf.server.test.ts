import { expect, test } from 'vitest'
import routes from '../../routes'
import { isCrossSite, redirectToOrigin, rejectRequest } from './csrf.server'

const shop = 'https://shop.example'

function request(headers: Record<string, string>, { method = 'POST', url = `${shop}/order` } = {}) {
  return new Request(url, { method, headers })
}

test.each([
  [{}, false],
  [{ cookie: 'session=x' }, true],
  [{ origin: shop }, false],
  [{ origin: shop, cookie: 'session=x' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null', cookie: 'session=x' }, true],
  [{ origin: 'http://shop.example' }, true],
  [{ 'sec-fetch-site': 'same-origin', cookie: 'session=x' }, false],
  [{ 'sec-fetch-site': 'none', cookie: 'session=x' }, false],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: shop }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
  [{ authorization: 'Bearer x', origin: 'https://evil.example', cookie: 'session=x' }, false],
  [{ authorization: 'Basic x', origin: 'https://evil.example' }, true],
])('a POST with %j is cross-site: %j', (headers, crossSite) => {
  expect(isCrossSite(request(headers as Record<string, string>))).toBe(crossSite)
})

test.each(['/login', '/', '', '/a?b=https://evil.example/'])(
  'a POST with only a same-origin Referer is accepted: %j',
  (path) => {
    expect(isCrossSite(request({ referer: shop + path }))).toBe(false)
    expect(isCrossSite(request({ referer: shop + path, cookie: 'session=x' }))).toBe(false)
  },
)

test.each([
  'https://evil.example/',
  'https://shop.example.evil.example/',
  'https://shop.example@evil.example/',
  'https://shop.example:8443/',
  'https://www.shop.example/',
  'http://shop.example/',
  'https://evil.example/https://shop.example/',
  'https://evil.example#https://shop.example/',
  '//shop.example/',
  '/login',
  'about:blank',
  'null',
  '',
])('a POST with only the Referer %j is cross-site, with a cookie or without', (referer) => {
  expect(isCrossSite(request({ referer }))).toBe(true)
  expect(isCrossSite(request({ referer, cookie: 'session=x' }))).toBe(true)
})

test('Origin and Sec-Fetch-Site take precedence over Referer', () => {
  const [own, evil] = [`${shop}/login`, 'https://evil.example/']
  expect(isCrossSite(request({ referer: own, origin: 'https://evil.example' }))).toBe(true)
  expect(isCrossSite(request({ referer: own, origin: 'null' }))).toBe(true)
  expect(isCrossSite(request({ referer: own, 'sec-fetch-site': 'cross-site' }))).toBe(true)
  expect(isCrossSite(request({ referer: evil, origin: shop }))).toBe(false)
  expect(isCrossSite(request({ referer: evil, 'sec-fetch-site': 'same-origin' }))).toBe(false)
})

test.each([
  ['GET', '/order', false],
  ['HEAD', '/order', false],
  ['OPTIONS', '/order', false],
  ['PUT', '/order', true],
  ['PATCH', '/order', true],
  ['DELETE', '/order', true],
  ['POST', '/webhooks/stripe', false],
  ['POST', '/webhooks/stripe/x', true],
  ['POST', '/order?x=/webhooks/stripe', true],
])('%s %s from another site is rejected: %j', (method, path, crossSite) => {
  expect(isCrossSite(request({ origin: 'https://evil.example' }, { method, url: shop + path }))).toBe(crossSite)
})

test('rejects an API client with JSON, and a browser with a page', async () => {
  const refusal = rejectRequest(request({ accept: 'application/json' }), shop, 'No.') as Response
  expect([refusal.status, await refusal.json()]).toEqual([403, { error: { code: 'forbidden', message: 'No.' } }])
  expect(rejectRequest(request({}), shop, 'No.')).toBeInstanceOf(Response)
  const page = rejectRequest(
    request({ accept: 'text/html,*/*', cookie: 'session=x', 'cf-ray': 'r1' }),
    shop,
    'No.',
  ) as Request
  expect([page.method, page.url, [...page.headers]]).toEqual([
    'GET',
    `${shop}/forbidden`,
    [
      ['accept', 'text/html'],
      ['cf-ray', 'r1'],
    ],
  ])
})

test.each([
  ['GET', 'https://www.shop.example/a?b=c', `${shop}/a?b=c`],
  ['HEAD', 'http://shop.example/', `${shop}/`],
  ['GET', `${shop}.evil.example/a`, `${shop}/a`],
  ['POST', 'https://www.shop.example/a', undefined],
  ['GET', 'https://www.shop.example/healthz', undefined],
  ['GET', `${shop}/a`, undefined],
])('redirects %s %s to the origin of the shop: %s', (method, url, location) => {
  const response = redirectToOrigin(request({}, { method, url }), shop)
  expect(response?.headers.get('location')).toBe(location)
  expect(response?.status ?? 308).toBe(308)
})

interface Route {
  path?: string | undefined
  children?: Route[] | undefined
}

const pathsOf = ({ path, children = [] }: Route): string[] => [
  ...(path === undefined ? [] : [path]),
  ...children.flatMap(pathsOf),
]

test('rejects a form of another site at every path, but for the signed webhook', () => {
  const paths = ['', ...(routes as Route[]).flatMap(pathsOf)]
  const sent = (path: string) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      isCrossSite(request({ 'sec-fetch-site': 'cross-site' }, { method, url: `${shop}/${path}` })),
    )
  expect(paths.length).toBeGreaterThan(70)
  expect(paths.filter((path) => sent(path).includes(false))).toEqual(['webhooks/stripe'])
})
