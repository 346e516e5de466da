import { expect, test } from 'vitest'
import { dollarsInCents, typedDollarsInCents } from './dollars.server'

const price = dollarsInCents('Price is Required')

test.each([
  [12, 1200],
  [0.29, 29],
  [1.1, 110],
])('converts %d dollars to %d cents', (dollars, cents) => {
  expect(price.parse(dollars)).toBe(cents)
})

test.each([
  [undefined, 'Price is Required'],
  ['12', 'Price must be a number, like 1200.50'],
  [0.001, 'Price must be in whole cents'],
  [1.005, 'Price must be in whole cents'],
])('refuses %j with %j', (dollars, message) => {
  expect(price.safeParse(dollars).error?.issues[0]?.message).toBe(message)
})

test.each([
  ['$1,200.50', 120_050],
  ['-3', -300],
  [undefined, 'Price is Required'],
  ['', 'Price must be a number, like 1200.50'],
  ['12.345', 'Price must be in whole cents, like 1200.50'],
  [' 1,200.505 ', 'Price must be in whole cents, like 1200.50'],
  ['12.34x', 'Price must be a number, like 1200.50'],
  ['.345', 'Price must be a number, like 1200.50'],
  ['1.2.345', 'Price must be a number, like 1200.50'],
])('reads the typed price %j as %j', (text, read) => {
  const { data, error } = typedDollarsInCents('Price is Required').safeParse(text)
  expect(data ?? error.issues.map(({ message }) => message).join()).toBe(read)
})
