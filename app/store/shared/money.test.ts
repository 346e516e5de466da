import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inLanguage } from '../../i18n/language.server'
import {
  centsFromDollars,
  centsFromText,
  dollarsFromCents,
  dollarsText,
  formatAmount,
  formatCents,
  payableError,
  totalCents,
  readWholeNumber,
} from './money'

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [123450, '$1,234.50'],
  [99999999, '$999,999.99'],
])('formats %i cents as %s', (cents, formatted) => {
  expect(formatCents(cents)).toBe(formatted)
})

test.each([
  [1250, 'eur', '€12.50'],
  [1250, 'jpy', '¥1,250'],
  [1250, 'kwd', 'KWD\u00a01.250'],
])('formats %i of the smallest unit of %s as %s', (amount, currency, formatted) => {
  expect(formatAmount(amount, currency)).toBe(formatted)
})

test.each([
  [8.2, 820],
  [1.1, 110],
  [0.29, 29],
  [0.1 + 0.2, 30],
  [19.9 * 3, 59_70],
  [999_999.99, 99_999_999],
  [-0.1, -10],
  [2.675, null],
  [19.991, null],
  [999_999.991, null],
  [0.001, null],
  [1e20, null],
  [1e308, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
])('converts %d dollars to %s cents', (dollars, cents) => {
  expect(centsFromDollars(dollars)).toBe(cents)
})

test.each([
  ['1200', 120_000],
  ['1,200', 120_000],
  ['$1,200.50', 120_050],
  [' 1200.5 ', 120_050],
  ['.5', 50],
  ['12.', 1200],
  ['1,234,567.89', 123_456_789],
  ['-5', -500],
  ['', null],
  ['.', null],
  ['$', null],
  ['abc', null],
  ['1.200', null],
  ['1,20', null],
  ['1,2000', null],
  ['1.200,50', null],
  ['1 200', null],
  ['1e3', null],
  ['0x10', null],
  ['Infinity', null],
  ['1200 $', null],
])('reads the typed text %j as %s cents', (text, cents) => {
  expect(centsFromText(text)).toBe(cents)
})

test('reads every formatted amount back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (cents) => {
      expect(centsFromText(formatCents(cents))).toBe(cents)
    }),
  )
})

test('converts every amount to dollars and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (cents) => {
      expect(centsFromDollars(dollarsFromCents(cents))).toBe(cents)
    }),
  )
})

test('converts every product of a price and a quantity to the total', () => {
  const [cents, quantity] = [fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 1, max: 1_000_000 })]
  fc.assert(
    fc.property(cents, quantity, (cents, quantity) => {
      expect(centsFromDollars(dollarsFromCents(cents) * quantity)).toBe(totalCents(cents, quantity))
    }),
  )
})

test('a total is the unit price times the quantity, to the cent', () => {
  expect(totalCents(1999, 3)).toBe(5997)
})

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

test('writes amounts as German readers do, and for programs always with two digits', () => {
  expect(inLanguage('de', () => formatCents(123450))).toBe('1.234,50\u00a0$')
  expect([123450, 5, 0].map(dollarsText)).toEqual(['1234.50', '0.05', '0.00'])
})

test.each([
  [49, false],
  [50, true],
  [99_999_999, true],
  [100_000_000, false],
])('a card can pay %d cents: %s', (cents, isPayable) => {
  const error = 'A card can pay from $0.50 to $999,999.99 in one order'
  expect(payableError(cents)).toBe(isPayable ? null : error)
})
