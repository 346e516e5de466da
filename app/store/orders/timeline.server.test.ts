import { expect, test } from 'vitest'
import type { Order } from './orders'
import { timelineOf, type CustomerRefund } from './timeline.server'

const order = { customerId: 'ada', totalCents: 500_00, state: 'paid' } as Order
const refund: CustomerRefund = { id: 're1', amountCents: 20_50, refundId: 'stripe1', failedAt: null, reason: '' }

function linesOf(
  events: { event: string; actor?: string; aboutId?: string | null }[],
  refunds: CustomerRefund[] = [],
): string[] {
  const rows = events.map(({ event, actor = 'ada', aboutId = null }, id) => ({ id, at: id, event, actor, aboutId }))
  return timelineOf(order, rows, refunds).map(({ text }) => text)
}

test('says what happened to an order in the words of its emails', () => {
  expect(linesOf([{ event: 'order placed' }, { event: 'order paid' }, { event: 'order shipped' }])).toEqual([
    'You placed the order.',
    'You paid $500.00 by card.',
    'Your order is on its way to you.',
  ])
  expect(linesOf([{ event: 'shipment corrected', actor: 'the shop' }])).toEqual(['We corrected the tracking details.'])
  expect(linesOf([{ event: 'order cancelled', actor: 'the shop' }])).toEqual([
    'We have cancelled your order. Nothing was charged.',
  ])
})

test('leaves out what is for the shop only', () => {
  expect(linesOf([{ event: 'note changed', actor: 'the shop' }])).toEqual([])
})

test('says that a refund is under way, was made, or came back from the bank', () => {
  const returned = 'Your bank returned the refund of $20.50. We will pay it back another way.'
  const owed = { ...refund, refundId: null, reason: 'A dent' }
  expect(linesOf([{ event: 'refund owed', aboutId: 're1' }], [owed])).toEqual([
    'We are refunding $20.50 to your card. Reason: A dent',
  ])
  expect(linesOf([{ event: 'refund made', aboutId: 're1' }], [{ ...refund, reason: 'A dent' }])).toEqual([
    expect.stringMatching(/show it\.\s+Reason: A dent$/),
  ])
  expect(linesOf([{ event: 'refund owed', aboutId: 're1' }], [{ ...owed, failedAt: 1 }])).toEqual([])
  expect(linesOf([{ event: 'refund owed', aboutId: 're1' }], [refund])).toEqual([])
  expect(
    linesOf(
      [
        { event: 'refund made', aboutId: 're1' },
        { event: 'refund failed', aboutId: 're1' },
      ],
      [{ ...refund, failedAt: 1 }],
    ),
  ).toEqual(['We have refunded $20.50 of your order to your card. Banks take 5 to 10 days to show it.', returned])
  for (const failedAt of [1, null])
    expect(linesOf([{ event: 'refund failed', aboutId: 're1' }], [{ ...owed, failedAt }])).toEqual([])
})

test('says that a payment which pays for nothing was sent back, and that the bank returned it', () => {
  const strayRefund = { ...refund, reason: null }
  const sent =
    'We received a payment of $20.50 for an order that was already paid. We have refunded all of it to your card. Banks take 5 to 10 days to show it.'
  expect(linesOf([{ event: 'refund made', aboutId: 're1' }], [strayRefund])).toEqual([sent])
  expect(linesOf([{ event: 'refund made', aboutId: 're1' }], [{ ...strayRefund, failedAt: 1 }])).toEqual([
    `${sent} Your bank returned the refund of $20.50. We will pay it back another way.`,
  ])
})
