import { expect, test } from 'vitest'
import { readWholeNumber } from './numbers'

test.each([
  ['12', 12],
  [' 007 ', 7],
  ['-3', -3],
  ['0', 0],
  ['99999999999999999999', 1e20],
])('reads %j as %d', (text, number) => {
  expect(readWholeNumber(text)).toBe(number)
})

test.each([
  '',
  ' ',
  '1e3',
  '1E3',
  '0x10',
  '0b11',
  '0o7',
  '1.0',
  '1.',
  '.5',
  '1,000',
  '1 000',
  '1_000',
  '+1',
  '--1',
  '-',
  '１２',
  '٣',
  'Infinity',
  'NaN',
  '1n',
])('does not read %j as a number', (text) => {
  expect(readWholeNumber(text)).toBeUndefined()
})
