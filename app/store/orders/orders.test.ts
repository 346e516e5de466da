import { expect, test } from 'vitest'
import { isToShip, readOrderNumber, type Order } from './orders'

const paid = {
  state: 'paid',
  quantity: 2,
  returnedQuantity: 0,
  totalCents: 10_00,
  refundedCents: 0,
  dispute: null,
} as Order

test.for<[Partial<Order>, boolean]>([
  [{}, true],
  [{ refundedCents: 9_99, returnedQuantity: 1 }, true],
  [{ refundedCents: 10_00 }, false],
  [{ returnedQuantity: 2 }, false],
  [{ state: 'shipped' }, false],
  [{ dispute: 'inquiry' }, false],
  [{ dispute: 'open' }, false],
  [{ dispute: 'lost' }, false],
  [{ dispute: 'won' }, true],
  [{ state: 'unpaid' }, false],
])('an order with %j is to ship: %s', ([more, expected]) => {
  expect(isToShip({ ...paid, ...more })).toBe(expected)
})

test.for<[string, number | null]>([
  ['C-1042', 1042],
  ['c1042', 1042],
  ['1042', 1042],
  ['#C-1042', 1042],
  ['C–1042', 1042],
  ['C\u20111042', 1042],
  ['C −1042', 1042],
  ['Order C-1042', 1042],
  ['order c1042.', 1042],
  ['Order no. 1042', 1042],
  ['Bestellung Nr. C - 1042', 1042],
  ['\u200eC-1042\u00a0', 1042],
  ['Ｃ－１０４２', 1042],
  ['123456789012', 123_456_789_012],
  ['1234567890123', null],
  ['C--1', null],
  ['C-', null],
  ['1042x', null],
  ['xC-1042', null],
  ['orders 1042', null],
  ['C-1042 C-1043', null],
  ['1042 Bow Lane', null],
])('reads %j as the order number %s', ([text, number]) => {
  expect(readOrderNumber(text)).toBe(number)
})
