import { expect, test } from 'vitest'
import { currentSale, describeShortage, homeCount } from './instruments'

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

test.each([
  [0, 1, 1, 'Sold out'],
  [5, 2, 5, null],
  [5, 2, 6, 'Only 5 left'],
  [2, 2, 3, 'Only 2 left'],
  [1, 2, 1, 'Only 1 left, below the minimum order'],
])(
  'says of %i pieces with a minimum of %i to whoever orders %i: %s',
  (availableQuantity, minQuantity, wanted, text) => {
    expect(describeShortage({ availableQuantity, minQuantity }, wanted)).toBe(text)
  },
)

test('shows an old price beside that of a sale only if it was above it', () => {
  const sale = { priceCents: 80, regularCents: 100, saleUntilAt: 9, priorCents: 81 }
  expect(currentSale(sale)).toEqual({ untilAt: 9, priorCents: 81 })
  for (const priorCents of [80, null])
    expect(currentSale({ ...sale, priorCents })).toEqual({ untilAt: 9, priorCents: null })
  for (const none of [{ priceCents: 100 }, { saleUntilAt: null }]) expect(currentSale({ ...sale, ...none })).toBeNull()
})
