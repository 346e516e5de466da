import { setShopContact } from '../../shop-name'
import { expect, test } from 'vitest'
import { withoutExtras } from '../../../tests/support/order-row'
import type { Order } from './orders'
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
  ...{ paidAt: null, shippedAt: null, transactionId: null, refundedCents: 0, returnedQuantity: 0 },
  ...withoutExtras,
}
const instrumentLink = 'https://shop.example/catalog/viola'
const mine = 'https://shop.example/dashboard/myOrders'
const thanks = 'Thank you for your order.'
const asked = 'Thank you for your order. Please pay $20.00 by card.'
const refunded = (why: string, sum = '$20.00') =>
  `We received a payment of ${sum} for an order that ${why}. We have refunded all of it to your card. Banks take 5 to 10 days to show it.`

type Notice = Partial<OrderNotice> & Pick<OrderNotice, 'event'>

test.for<[Notice, Partial<Order>, string, string[], string, string]>([
  [
    { event: 'order placed' },
    {},
    'Your order: C-1042, 2 × Viola <4/4>',
    [asked, 'Your pieces are reserved until 27 Nov 2026, 18:05 UTC.'],
    'Pay $20.00',
    `${mine}/payment/o1`,
  ],
  [
    { event: 'order placed' },
    { holdUntil: null },
    'Your order: C-1042, 2 × Viola <4/4>',
    [asked, 'Your pieces are reserved until you pay or cancel.'],
    'Pay $20.00',
    `${mine}/payment/o1`,
  ],
  [
    { event: 'order placed' },
    { state: 'paid' },
    'Your order: C-1042, 2 × Viola <4/4>',
    [thanks],
    'View the order',
    `${mine}/o1`,
  ],
  [
    { event: 'order paid' },
    { state: 'paid', paidAt: order.createdAt, transactionId: 'pi_1' },
    'Receipt: C-1042, 2 × Viola <4/4>',
    ['Thank you. We have received your payment of $20.00. This is your receipt.'],
    'View the receipt',
    `${mine}/receipt/o1`,
  ],
  [
    { event: 'order shipped' },
    { state: 'shipped' },
    'On its way: C-1042, 2 × Viola <4/4>',
    ['Your order is on its way to you.'],
    'View the receipt',
    `${mine}/receipt/o1`,
  ],
  ...(
    [
      ['ada', 'You cancelled this order. Nothing was charged.'],
      ['the shopkeeper', 'We have cancelled your order. Nothing was charged.'],
      ['hold expiry', 'Your order was not paid in time, so we have cancelled it. Nothing was charged.'],
    ] as const
  ).map(
    ([actor, why]) =>
      [
        { event: 'order cancelled', actor },
        { state: 'cancelled' },
        'Cancelled: C-1042, 2 × Viola <4/4>',
        [why],
        'Order again',
        'https://shop.example/instruments/v1?again=o1',
      ] as [Notice, Partial<Order>, string, string[], string, string],
  ),
  ...(
    [
      ['cancelled', null, 'was already cancelled', '$20.00'],
      ['unpaid', 5_00, 'it does not match', '$5.00'],
      ['paid', 5_00, 'was already paid', '$5.00'],
    ] as const
  ).map(
    ([state, refundCents, why, sum]) =>
      [
        { event: 'refund made', refundCents },
        { state },
        `Refund: ${sum} for C-1042`,
        [refunded(why, sum)],
        'View the order',
        `${mine}/o1`,
      ] as [Notice, Partial<Order>, string, string[], string, string],
  ),
  ...(
    [
      ['Dent in the bell', ['Reason: Dent in the bell']],
      ['', []],
    ] as const
  ).map(
    ([refundReason, more]) =>
      [
        { event: 'refund made', refundCents: 5_00, refundReason },
        { state: 'paid', refundedCents: 5_00 },
        'Refund: $5.00 for C-1042',
        ['We have refunded $5.00 of your order to your card. Banks take 5 to 10 days to show it.', ...more],
        'View the order',
        `${mine}/o1`,
      ] as [Notice, Partial<Order>, string, string[], string, string],
  ),
])('renders the email of %j with %j as "%s"', ([notice, more, subject, opening, button, link]) => {
  const changed = { ...order, ...more }
  const facts = {
    actor: 'ada',
    refundCents: null,
    refundReason: null,
    ...notice,
    order: changed,
    img: '/plates/viola.svg',
    instrumentLink,
  }
  const email = orderEmail('l1', facts, 'https://shop.example')
  expect(email).toMatchObject({ id: 'l1', recipient: 'ada@example.com', subject })
  const paragraphs = email.text.split('\n\n')
  expect([paragraphs[0], paragraphs.slice(1, -3)]).toEqual(['Hello Ada & Co,', opening])
  expect(paragraphs.at(-3)).toContain(
    'Order: C-1042\nOrdered: 24 Nov 2026, 18:05 UTC\nInstrument: Viola <4/4> (https://shop.example/catalog/viola)\n',
  )
  expect(paragraphs.slice(-2)).toEqual([
    `${button}:\n${link}`,
    'Cadenza, handcrafted instruments and cases\nYou get this email because an order in our shop has this address.',
  ])
  expect(email.html).toMatch(
    new RegExp(`<a [^>]*href="${link.replace('?', '\\?')}"[^>]*>${button.replace('$', '\\$')}</a>`),
  )
  expect(email.html).toContain('<p>Hello Ada &#38; Co,</p>')
  expect(email.html).toMatch(
    /<td><a href="https:\/\/shop.example\/catalog\/viola" [^>]*>Viola &#60;4\/4&#62;<\/a><\/td>/,
  )
  expect(email.html).toContain('<td>Ada &#38; Co<br>1 &#34;Bow&#34; Lane<br>Cremona<br>0&#39;7700</td></tr>')
})

test('shows the picture, and says in the receipt when it should arrive, where the invoice is, and who the shop is', ({
  onTestFinished,
}) => {
  const nothing = { sellerAddress: '', ordersPhone: '', deliveryTime: '' }
  onTestFinished(() => setShopContact(nothing))
  setShopContact({ sellerAddress: '1 Bow Lane\nCremona', ordersPhone: '+39 1', deliveryTime: '2 days' })
  const { text, html } = orderEmail(
    'l1',
    {
      ...{ event: 'order paid', actor: 'ada', refundCents: null, refundReason: null, img: '/plates/viola.svg' },
      ...{ instrumentLink, order: { ...order, state: 'paid', paidAt: order.createdAt } },
    },
    'https://shop.example',
  )
  expect(html).toContain('src="https://shop.example/plates/viola.png"')
  expect(text).toContain(`Delivery: 26 Nov 2026\nInvoice: View the invoice (${mine}/invoice/o1)`)
  expect(text).toContain('\n1 Bow Lane, Cremona\n+39 1\n')
})
