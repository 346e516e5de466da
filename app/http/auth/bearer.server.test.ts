import { expect, test } from 'vitest'
import { showsToken } from './bearer.server'

test.each([
  ['Bearer x', true],
  ['bearer\tx', true],
  ['Bearerx', false],
  ['Basic Bearer x', false],
  [undefined, false],
])('%j shows a token: %j', (authorization, shows) => {
  const headers: HeadersInit = authorization ? { authorization } : {}
  expect(showsToken(new Request('https://shop.example/', { headers }))).toBe(shows)
})
