import { expect, test } from 'vitest'
import { describeStock } from './stock'

test.each([
  [36, 2, 'In stock'],
  [6, 2, 'In stock'],
  [5, 2, 'Only 5 left'],
  [1, 1, 'Only 1 left'],
  [3, 4, 'Only 3 left, below the minimum order'],
  [20, 24, 'Only 20 left, below the minimum order'],
  [0, 1, 'Sold out'],
])('of %i pieces with a minimum order of %i, customers read "%s"', (availableQuantity, minQuantity, words) => {
  expect(describeStock({ availableQuantity, minQuantity })).toBe(words)
})
