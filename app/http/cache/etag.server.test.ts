import { expect, test } from 'vitest'
import { etagOf, etagMatches } from './etag.server'

test('hashes a body into an ETag', async () => {
  expect(await etagOf(new TextEncoder().encode('abc'))).toBe('"ba7816bf8f01cfea414140de5dae2223"')
})

test.each([
  [null, false],
  ['"x"', true],
  ['"a", "x"', true],
  ['W/"x"', true],
  ['"a",W/"x"', true],
  ['*', true],
  ['"xy"', false],
  ['x', false],
  ['"W/x"', false],
])('If-None-Match: %s', (ifNoneMatch, matches) => {
  expect(etagMatches(ifNoneMatch, '"x"')).toBe(matches)
})
