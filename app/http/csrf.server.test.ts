import { expect, test } from 'vitest'
import { isCrossSite, redirectToOrigin, rejectCrossSite } from './csrf.server'

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
])('a POST with %j is foreign: %j', (headers, foreign) => {
  expect(isCrossSite(request(headers as Record<string, string>))).toBe(foreign)
})

test.each(['/login', '/', '', '/a?b=https://evil.example/'])(
  'a POST whose only proof is a Referer of the shop is its own: %j',
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
])('a POST whose only proof is the Referer %j is foreign, with a cookie or without', (referer) => {
  expect(isCrossSite(request({ referer }))).toBe(true)
  expect(isCrossSite(request({ referer, cookie: 'session=x' }))).toBe(true)
})

test('the Referer of a POST counts only when the browser says nothing better', () => {
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
])('%s %s from another site is foreign: %j', (method, path, foreign) => {
  expect(isCrossSite(request({ origin: 'https://evil.example' }, { method, url: shop + path }))).toBe(foreign)
})

test('a program hears a refusal as JSON, a browser is shown the page for it', async () => {
  const refusal = rejectCrossSite(request({ accept: 'application/json' }), shop) as Response
  expect([refusal.status, await refusal.json()]).toEqual([
    403,
    { error: { code: 'forbidden', message: 'This request did not come from the shop.' } },
  ])
  expect(rejectCrossSite(request({}), shop)).toBeInstanceOf(Response)
  const page = rejectCrossSite(
    request({ accept: 'text/html,*/*', cookie: 'session=x', 'cf-ray': 'r1' }),
    shop,
  ) as Request
  expect([page.method, page.url, [...page.headers]]).toEqual([
    'GET',
    `${shop}/turned-away`,
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
])('%s %s leads to the own address: %s', (method, url, location) => {
  const response = redirectToOrigin(request({}, { method, url }), shop)
  expect(response?.headers.get('location')).toBe(location)
  expect(response?.status ?? 308).toBe(308)
})
