import { expect, test } from 'vitest'
import { hasBearerToken } from './bearer.server'

test.each([
  ['Bearer x', true],
  ['bearer\tx', true],
  ['Bearerx', false],
  ['Basic Bearer x', false],
  [undefined, false],
])('%j has a bearer token: %j', (authorization, expected) => {
  const headers: HeadersInit = authorization ? { authorization } : {}
  expect(hasBearerToken(new Request('https://shop.example/', { headers }))).toBe(expected)
})
