import { expect, test } from 'vitest'
import { choiceError, quantityError, readChosen } from './chosen-quantity'
import type { Instrument } from './instruments'

test.for<[string, string | null]>([
  ['', null],
  ['2', null],
  ['9', null],
  ['1', 'cannot be less than minimum order'],
  ['10', 'Cannot be more than available'],
  ['2.5', 'Order quantity must be a whole number'],
  ['two', 'Order quantity must be a whole number'],
])('of 2 to 9 pieces, %j are: %s', ([value, error]) => {
  expect(quantityError(value, { min: 2, max: 9 })).toBe(error)
  const instrument = { minQuantity: 2, availableQuantity: 9 } as Instrument
  expect(choiceError(value, instrument)).toBe(error)
  expect(choiceError(value, { ...instrument, availableQuantity: 1 })).toBeNull()
})

test('shows of a quantity in an address a whole number, or nothing', () => {
  expect(['3', '007', null, '', '1.5', 'x', '9'.repeat(20)].map(readChosen)).toEqual(['3', '7', '', '', '', '', ''])
})
