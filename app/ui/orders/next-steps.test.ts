import { expect, test } from 'vitest'
import type { Order } from '../../store/orders/orders'
import { shopFormat as format } from '../../store/shared/dates'
import { nextSteps } from './next-steps'

const now = Date.UTC(2026, 10, 24, 12)
const hour = 3_600_000
const order = {
  ...{ state: 'paid', quantity: 2, totalCents: 500_00, refundedCents: 0, returnedQuantity: 0, holdUntil: null },
  ...{
    paidAt: now,
    shippedAt: null,
    dispute: null,
    customerEmail: 'ada@example.com',
    carrier: null,
    trackingNumber: null,
  },
} as Order

test.for<[state: string, changes: Partial<Order>, steps: string[]]>([
  [
    'paid',
    {},
    [
      'You paid on 24 Nov 2026. We pack your order and send it to your address.',
      'Delivery takes 5 to 8 days.',
      'We email ada@example.com when we ship it.',
    ],
  ],
  ['disputed', { dispute: 'open' }, ['Your bank has asked us about this payment. We continue when it is settled.']],
  ['lost to the bank', { dispute: 'lost' }, ['Your bank has given this payment back to you.']],
  [
    'shipped',
    { state: 'shipped', shippedAt: now + 24 * hour, carrier: 'DHL', trackingNumber: '42' },
    ['We shipped your order on 25 Nov 2026: DHL 42.', 'Delivery takes 5 to 8 days.'],
  ],
  [
    'shipped without a carrier',
    { state: 'shipped', shippedAt: now },
    ['We shipped your order on 24 Nov 2026.', 'Delivery takes 5 to 8 days.'],
  ],
  [
    'refunded in full',
    { refundedCents: 500_00 },
    ['We have refunded $500.00 to your card. Banks take 5 to 10 days to show it.'],
  ],
  ['sent back before it was shipped', { refundedCents: 400_00, returnedQuantity: 2 }, []],
  ['cancelled', { state: 'cancelled' }, []],
  ['unpaid for ever', { state: 'unpaid' }, ['Your pieces are reserved until you pay or cancel.']],
  [
    'unpaid',
    { state: 'unpaid', holdUntil: now + hour },
    ['Pay by 24 Nov 2026, 13:00 UTC. Then we cancel the order, and nothing is charged.'],
  ],
  [
    'unpaid for too long',
    { state: 'unpaid', holdUntil: now },
    ['Your pieces are no longer reserved: pay soon, or somebody else may get them.'],
  ],
])('says what happens next to an order that is %s', ([, changes, steps]) => {
  expect(nextSteps({ ...order, ...changes }, { now, deliveryTime: '5 to 8 days', format })).toEqual(steps)
})

test('says no time of a delivery where the shopkeeper has none', () => {
  expect(nextSteps(order, { now, deliveryTime: null, format }).join(' ')).not.toContain('Delivery')
})
