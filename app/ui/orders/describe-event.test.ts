import { expect, test } from 'vitest'
import type { OrderRefund } from '../../store/orders/orders'
import { describeActor, describeEvent } from './describe-event'

const refund: OrderRefund = {
  ...{
    id: 'rf1',
    amountCents: 5_07,
    reason: 'Dent',
    restock: 2,
    actor: 'x',
    createdAt: 1,
    refundId: null,
    failedAt: null,
  },
}

test.for<[event: string, note: string, stockDelta: number, sentence: string]>([
  ['order placed', '', -3, 'Placed; 3 pieces taken from stock'],
  ['order placed', '', -1, 'Placed; 1 piece taken from stock'],
  ['order paid', 'pi_1', 0, 'Paid by card'],
  ['order shipped', '', 0, 'Shipped'],
  ['order cancelled', '', 3, 'Cancelled; 3 pieces back in stock'],
  ['shipment corrected', 'DHL → UPS', 0, 'Shipment corrected: DHL → UPS'],
  ['note changed', 'Call first', 0, 'Note for colleagues: Call first'],
  ['note changed', '', 0, 'Note for colleagues removed'],
  ['refund owed', 'rf1', 0, 'Refund of $5.07 ordered'],
  ['refund made', 'rf1', 0, 'Refund of $5.07 made'],
  ['refund failed', 'rf1', 0, 'Refund of $5.07 failed'],
  ['refund made', 'pi_2', 0, 'Refund of a payment that pays for nothing made'],
  ['pieces returned', 'rf1', 2, '2 pieces back in stock'],
  ['something new', '', 0, 'something new'],
])('describes %s with the note "%s" and %d pieces as "%s"', ([event, note, stockDelta, sentence]) => {
  expect(describeEvent({ id: 1, at: 1, actor: 'x', event, note, aboutId: note, stockDelta }, [refund])).toBe(sentence)
})

test('names who did it: Stripe, the shop, or the email of a user', () => {
  expect(['stripe', 'shop', 'hold expiry', 'account closed', 'ada@example.com'].map(describeActor)).toEqual([
    ...['Stripe', 'The shop', 'The shop: the hold expired', 'The customer closed the account', 'ada@example.com'],
  ])
})
