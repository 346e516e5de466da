import { expect, test } from 'vitest'
import { homeCount } from './instruments'

test.each([
  [0, 0],
  [1, 1],
  [3, 3],
  [4, 3],
  [5, 3],
  [6, 6],
  [24, 6],
])('of %i instruments the home page shows %i', (total, count) => {
  expect(homeCount(total)).toBe(count)
})
