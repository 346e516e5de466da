import { expect, test } from 'vitest'
import { isRefundable, isToShip, readOrderNumber, type Order } from './orders'

const paid = {
  state: 'paid',
  quantity: 2,
  returnedQuantity: 0,
  totalCents: 10_00,
  refundedCents: 0,
  dispute: null,
} as Order

test.for<[Partial<Order>, boolean, boolean]>([
  [{}, true, true],
  [{ refundedCents: 9_99, returnedQuantity: 1 }, true, true],
  [{ refundedCents: 10_00 }, false, false],
  [{ returnedQuantity: 2 }, false, true],
  [{ state: 'shipped' }, false, true],
  [{ dispute: 'inquiry' }, false, true],
  [{ dispute: 'open' }, false, false],
  [{ dispute: 'lost' }, false, false],
  [{ dispute: 'won' }, true, true],
  [{ state: 'unpaid' }, false, false],
])('an order with %j is to ship: %s, and can be refunded: %s', ([more, ...expected]) => {
  const order = { ...paid, ...more }
  expect([isToShip(order), isRefundable(order)]).toEqual(expected)
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
