import { expect, test } from 'vitest'
import type { Config } from '../http/config.server'
import { allowOrigin, preflight } from './cors.server'

const friend = 'https://friend.example'
const from = (origin?: string) => new Request('https://shop.example/', { headers: origin ? { origin } : {} })
const open = { API_ORIGINS: [friend] } as Config
const closed = { API_ORIGINS: [] as string[] } as Config

test('an answer may be read from an origin that the configuration names, without cookies', () => {
  expect([...allowOrigin(from(friend), new Response(null), open).headers]).toEqual([
    ['access-control-allow-origin', friend],
    ['access-control-expose-headers', 'etag, link, retry-after, x-request-id'],
    ['vary', 'Origin'],
  ])
})

test.each(['https://evil.example', `${friend}.evil.example`, 'null', undefined])('not from %s', (origin) => {
  expect([...allowOrigin(from(origin), new Response(null), open).headers]).toEqual([['vary', 'Origin']])
})

test('without any the answer is as it was', () => {
  expect([...allowOrigin(from(friend), new Response(null), closed).headers]).toEqual([])
})

test('OPTIONS says what the path takes, and to a friend what may be asked', () => {
  const told = preflight(from(friend), open, 'GET, OPTIONS')
  expect([told.status, Object.fromEntries(told.headers)]).toEqual([
    204,
    {
      allow: 'GET, OPTIONS',
      vary: 'Origin',
      'access-control-allow-origin': friend,
      'access-control-expose-headers': 'etag, link, retry-after, x-request-id',
      'access-control-allow-methods': 'GET, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match',
      'access-control-max-age': '600',
    },
  ])
  expect(Object.fromEntries(preflight(from('https://evil.example'), open, 'GET').headers)).toEqual({
    allow: 'GET',
    vary: 'Origin',
  })
})
