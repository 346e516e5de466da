import { expect, test } from 'vitest'
import { readIfMatch } from './if-match.server'

test.for<[string | null, string[] | undefined]>([
  [null, undefined],
  [' * ', undefined],
  ['"a"', ['"a"']],
  ['"a, b" , W/"c","d"', ['"a, b"', '"d"']],
  ['W/"*"', []],
  ['a', []],
])('reads the condition of If-Match %j as %j', ([value, tags]) => {
  const headers: HeadersInit = value === null ? {} : { 'if-match': value }
  expect(readIfMatch(new Request('https://shop.example', { headers }))).toEqual(tags)
})
