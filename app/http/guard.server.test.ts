import { expect, test } from 'vitest'
import { isForeign } from './guard.server'

const shop = 'http://127.0.0.1:8788'
const post = (headers: Record<string, string>) => new Request(`${shop}/login`, { method: 'POST', headers })

test.each<Record<string, string>>([{ cookie: 'session=x' }, {}])(
  'takes a form whose only proof is a Referer of the shop, with the cookie %j',
  (cookie) => {
    for (const referer of [`${shop}/login`, `${shop}/`, shop, `${shop}/a?b=http://evil.example/`]) {
      expect(isForeign(post({ ...cookie, referer })), referer).toBe(false)
    }
  },
)

test.each([
  'http://evil.example/',
  'http://127.0.0.1:8788.evil.example/',
  'http://127.0.0.1:8788@evil.example/',
  'http://127.0.0.1:87880/',
  'http://127.0.0.1/',
  'https://127.0.0.1:8788/',
  'http://evil.example/http://127.0.0.1:8788/',
  'http://evil.example#http://127.0.0.1:8788/',
  '//127.0.0.1:8788/',
  '/login',
  'about:blank',
  'null',
  '',
])('refuses a form whose only proof is the Referer %j, with a cookie or without', (referer) => {
  expect(isForeign(post({ referer }))).toBe(true)
  expect(isForeign(post({ referer, cookie: 'session=x' }))).toBe(true)
})

test('looks at the Referer only when the browser says nothing better', () => {
  const referer = `${shop}/login`
  expect(isForeign(post({ referer, origin: 'http://evil.example' }))).toBe(true)
  expect(isForeign(post({ referer, origin: 'null' }))).toBe(true)
  expect(isForeign(post({ referer, 'sec-fetch-site': 'cross-site' }))).toBe(true)
  expect(isForeign(post({ referer: 'http://evil.example/', origin: shop }))).toBe(false)
  expect(isForeign(post({ referer: 'http://evil.example/', 'sec-fetch-site': 'same-origin' }))).toBe(false)
})
