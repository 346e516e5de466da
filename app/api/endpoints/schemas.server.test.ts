import { expect, test } from 'vitest'
import { withoutExtras } from '../../../tests/support/order-row'
import type { Order, OrderState } from '../../store/orders/orders'
import { orderJson, OrderShape, userJson } from './schemas.server'

const order: Order = {
  ...{ id: 'o1', number: 1042, customerId: 'u1', instrumentId: 'v1', productName: 'Viola', unitPriceCents: 11_01 },
  ...{ quantity: 3, totalCents: 33_03, customerName: 'Ada', customerEmail: 'ada@example.com' },
  ...{ customerAddress: '1 Bow Lane', customerPhone: '07700 900123', state: 'unpaid', createdAt: 1, holdUntil: 2 },
  ...{ paidAt: null, shippedAt: null, transactionId: null, refundedCents: 0, returnedQuantity: 0 },
  ...withoutExtras,
}

test.for<[OrderState, boolean]>([
  ['unpaid', false],
  ['cancelled', false],
  ['paid', true],
  ['shipped', true],
])('an order that is %s is paid in JSON: %s', ([state, paid]) => {
  expect(orderJson({ ...order, state }).paid).toBe(paid)
})

test('writes an order into JSON with its total, the refund and the address of the order', () => {
  const json = {
    ...{ _id: 'o1', productName: 'Viola', orderPrice: 33.03, orderQuantity: 3, paid: false, transactionId: null },
    ...{ customerName: 'Ada', customerEmail: 'ada@example.com' },
    ...{ customerAddress: '1 Bow Lane', customerPhone: '07700 900123' },
  }
  expect(orderJson(order)).toEqual(json)
  const business = { company: 'Music Ltd', vatNumber: 'GB123456789', purchaseOrder: 'PO-7' }
  const refunded = { ...order, ...business, state: 'shipped', transactionId: 'pi_1', refundedCents: 5_07 } as const
  const full = { ...json, ...business, paid: true, transactionId: 'pi_1', refunded: 5.07 }
  expect(OrderShape.parse(orderJson(refunded))).toEqual(full)
})

test('calls an unverified admin what the account is, and says that the email is not verified', () => {
  const user = {
    id: 'u1',
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
    isVerified: false,
    isClosed: false,
  } as const
  const json = { email: 'ada@example.com', name: 'Ada', userType: 'admin', emailVerified: false }
  expect(userJson(user)).toEqual(json)
  expect(userJson({ ...user, role: 'customer', isVerified: true })).toEqual({
    ...json,
    ...{ userType: 'customer', emailVerified: true },
  })
})
