import { expect, test } from 'vitest'
import type { Config } from '../config.server'
import { allowOrigin, preflight } from './cors.server'

const friend = 'https://friend.example'
const from = (origin?: string) => new Request('https://shop.example/', { headers: origin ? { origin } : {} })
const open = { API_ORIGINS: [friend] } as Config
const closed = { API_ORIGINS: [] as string[] } as Config

test('allows a configured origin to read a response, without credentials', () => {
  expect([...allowOrigin(from(friend), new Response(null), open).headers]).toEqual([
    ['access-control-allow-origin', friend],
    ['access-control-expose-headers', 'etag, link, retry-after, x-request-id'],
    ['vary', 'Origin'],
  ])
})

test.each(['https://evil.example', `${friend}.evil.example`, 'null', undefined])('does not allow %s', (origin) => {
  expect([...allowOrigin(from(origin), new Response(null), open).headers]).toEqual([['vary', 'Origin']])
})

test('changes nothing when no origin is configured', () => {
  expect([...allowOrigin(from(friend), new Response(null), closed).headers]).toEqual([])
})

test('answers OPTIONS with the methods, and a configured origin with CORS headers', () => {
  const response = preflight(from(friend), open, 'GET, OPTIONS')
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([
    204,
    {
      allow: 'GET, OPTIONS',
      vary: 'Origin',
      'access-control-allow-origin': friend,
      'access-control-expose-headers': 'etag, link, retry-after, x-request-id',
      'access-control-allow-methods': 'GET, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, if-none-match',
      'access-control-max-age': '600',
    },
  ])
  expect(Object.fromEntries(preflight(from('https://evil.example'), open, 'GET').headers)).toEqual({
    allow: 'GET',
    vary: 'Origin',
  })
})
