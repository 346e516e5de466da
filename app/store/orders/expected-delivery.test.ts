import { expect, test } from 'vitest'
import { expectedDelivery } from './expected-delivery'

const saturday = Date.UTC(2026, 10, 28, 12)

test.for([
  ['5 to 8 working days', '4 to 9 Dec 2026'],
  ['5-8 business days', '4 to 9 Dec 2026'],
  ['1 day', '29 Nov 2026'],
  ['1 – 4 days', '29 Nov to 2 Dec 2026'],
  ['4 to 6 weeks', '26 Dec 2026 to 9 Jan 2027'],
  ['2 weeks', '12 Dec 2026'],
  ['When the ship is in', null],
  ['', null],
] as const)('expects an order with a delivery time of “%s” on %s', ([words, days]) => {
  expect(expectedDelivery(words, saturday)).toBe(days)
})
