import { expect, test } from 'vitest'
import { pageOf, rowsFor } from './pagination'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))

test.each([
  [1, 'a', 'a'],
  [3, 'abc', 'c'],
  [4, 'abcd', null],
  [5, 'abcd', null],
])('a page of %d rows has %s and the cursor %s', (limit, ids, next) => {
  const page = pageOf(rows.slice(0, rowsFor(limit)), limit)
  expect([page.page.map(({ id }) => id).join(''), page.next]).toEqual([ids, next])
})

test('reads one row more than the page', () => {
  expect(rowsFor(50)).toBe(51)
})

test('returns an empty page of an empty list', () => {
  expect(pageOf([], 5)).toEqual({ page: [], next: null })
})
