import { expect, test } from 'vitest'
import type { Order } from './orders'
import { failedRefundEmail } from '../email/templates.server'
import { orderEmail, type OrderNotice } from './order-emails.server'

const order: Order = {
  ...{
    id: 'o1',
    number: 1042,
    customerId: 'ada',
    instrumentId: 'v1',
    productName: 'Viola <4/4>',
    unitPriceCents: 10_00,
  },
  ...{ quantity: 2, totalCents: 20_00, customerName: 'Ada & Co', customerEmail: 'ada@example.com' },
  ...{ customerAddress: '1 "Bow" Lane\nCremona', customerPhone: "0'7700", state: 'unpaid' },
  ...{ createdAt: Date.UTC(2026, 10, 24, 18, 5), holdUntil: Date.UTC(2026, 10, 27, 18, 5) },
  ...{ paidAt: null, shippedAt: null, transactionId: null },
}
const mine = 'https://shop.example/dashboard/myOrders'
const thanks = 'Thank you for your order.'
const refunded = (why: string, sum = '$20.00') =>
  `A payment of ${sum} reached us for an order that ${why}. We have sent all of it back to your card; banks take 5 to 10 days to show it.`

test.for<[Partial<OrderNotice> & { event: string }, Partial<Order>, string, string[], string, string]>([
  [
    { event: 'order placed' },
    {},
    'Your order: C-1042, 2 × Viola <4/4>',
    [thanks, 'We keep the pieces for you until November 27, 2026 at 18:05 UTC.'],
    'Please pay $20.00 by card here:',
    `${mine}/payment/o1`,
  ],
  [
    { event: 'order placed' },
    { holdUntil: null },
    'Your order: C-1042, 2 × Viola <4/4>',
    [thanks, 'We keep the pieces for you until you pay or cancel.'],
    'Please pay $20.00 by card here:',
    `${mine}/payment/o1`,
  ],
  [
    { event: 'order placed' },
    { state: 'paid' },
    'Your order: C-1042, 2 × Viola <4/4>',
    [thanks],
    'Your orders are here:',
    mine,
  ],
  [
    { event: 'order paid' },
    { state: 'paid', paidAt: order.createdAt, transactionId: 'pi_1' },
    'Receipt: C-1042, 2 × Viola <4/4>',
    ['Your payment of $20.00 is successful. This is your receipt.'],
    'The receipt to print is here:',
    `${mine}/receipt/o1`,
  ],
  [
    { event: 'order shipped' },
    { state: 'shipped' },
    'On its way: C-1042, 2 × Viola <4/4>',
    ['Your order has left our workshop.'],
    'Its receipt is here:',
    `${mine}/receipt/o1`,
  ],
  ...(
    [
      ['ada', 'Your order is cancelled, as you asked. Nothing was charged.'],
      ['the shopkeeper', 'The shopkeeper has cancelled your order. Nothing was charged.'],
      [
        'hold expiry',
        'We kept these pieces for as long as we promised, and the order was not paid. So it is cancelled, and nothing was charged.',
      ],
    ] as const
  ).map(
    ([actor, why]) =>
      [
        { event: 'order cancelled', actor },
        { state: 'cancelled' },
        'Cancelled: C-1042, 2 × Viola <4/4>',
        [why],
        'If you would like it after all, order it again here:',
        'https://shop.example/instruments/v1',
      ] as [Partial<OrderNotice> & { event: string }, Partial<Order>, string, string[], string, string],
  ),
  ...(
    [
      ['cancelled', null, 'was cancelled before', '$20.00'],
      ['unpaid', 5_00, 'it does not fit', '$5.00'],
      ['paid', 5_00, 'is paid already', '$5.00'],
    ] as const
  ).map(
    ([state, refundCents, why, sum]) =>
      [
        { event: 'refund made', refundCents },
        { state },
        `Refund: ${sum} for C-1042`,
        [refunded(why, sum)],
        'Your orders are here:',
        mine,
      ] as [Partial<OrderNotice> & { event: string }, Partial<Order>, string, string[], string, string],
  ),
])('renders the email of %j with %j as "%s"', ([notice, more, subject, opening, closing, link]) => {
  const changed = { ...order, ...more }
  const email = orderEmail('l1', { actor: 'ada', refundCents: null, ...notice, order: changed }, 'https://shop.example')
  expect(email).toMatchObject({ id: 'l1', recipient: 'ada@example.com', subject })
  const paragraphs = email.text.split('\n\n')
  expect([paragraphs[0], paragraphs.slice(1, -4)]).toEqual(['Hello Ada & Co,', opening])
  expect(paragraphs.at(-4)).toContain(
    'Order: C-1042\nOrdered: November 24, 2026 at 18:05 UTC\nInstrument: Viola <4/4>\n',
  )
  expect(paragraphs.slice(-3)).toEqual([closing, link, 'Cadenza'])
  expect(email.html).toContain(`<p>${closing}</p><p><a href="${link}">${link}</a></p><p>Cadenza</p></body>`)
  expect(email.html).toContain('<p>Hello Ada &#38; Co,</p>')
  expect(email.html).toContain('<td>Viola &#60;4/4&#62;</td>')
  expect(email.html).toContain('<td>Ada &#38; Co<br>1 &#34;Bow&#34; Lane<br>Cremona<br>0&#39;7700</td></tr></table>')
})

test('throws for an event without an email', () => {
  const notice = { event: 'stock counted', actor: 'ada', order, refundCents: null }
  expect(() => orderEmail('l1', notice, '')).toThrow('There is no email for "stock counted"')
})

test('renders the email of a failed refund with a link to the order', () => {
  const page = 'https://shop.example/dashboard/manageOrders/o1'
  const email = failedRefundEmail({ refundId: 're_1', amount: '$5.00', page, shopEmail: 'shop@example.com' })
  expect(email).toEqual({
    id: 'refund-undone:re_1',
    recipient: 'shop@example.com',
    subject: 'A refund of $5.00 did not arrive',
    text: `The refund re_1 of $5.00 did not reach its customer: their bank has sent it back, and Stripe does not try again.\n\nPlease send the money another way. This is the order:\n\n${page}`,
    html: expect.stringMatching(`<p>Please send .*</p><p><a href="${page}">${page}</a></p></body></html>`) as string,
  })
})
