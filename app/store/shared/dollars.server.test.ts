import { expect, test } from 'vitest'
import { dollarsInCents } from './dollars.server'

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
