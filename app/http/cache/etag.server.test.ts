import { expect, test } from 'vitest'
import { etagOf, isKnown } from './etag.server'

test('the same bytes have the same tag', async () => {
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
])('If-None-Match: %s', (named, known) => {
  expect(isKnown(named, '"x"')).toBe(known)
})
