import { expect, test } from 'vitest'
import type { Email } from '../deps'
import type { Order } from '../orders/orders'
import { newOrderEmail, orderEmail, type OrderNotice } from '../orders/order-emails.server'
import { quoteEmail } from '../quotes/quote-emails.server'
import * as templates from './templates.server'

// No two facts are alike here, so that a text with a wrong one differs.

const origin = 'https://shop.example'
const shopEmail = 'shop@cadenza.example'
const to = { email: 'ada@example.com', tokenHash: 'h1', link: `${origin}/link?token=t1`, origin }
const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour, 5)

const unpaid: Order = {
  ...{ id: 'o1', number: 1042, customerId: 'ada', instrumentId: 'v1', productName: 'Viola', unitPriceCents: 11_01 },
  ...{ quantity: 3, totalCents: 33_03, customerName: 'Ada', customerEmail: 'ada@example.com' },
  ...{ customerAddress: '1 Bow Lane\nCremona', customerPhone: '07700 900123', state: 'unpaid' },
  ...{ createdAt: at(1, 10), holdUntil: at(2, 11), paidAt: null, shippedAt: null, transactionId: null },
  ...{ refundedCents: 0, returnedQuantity: 0, dispute: null, carrier: null, trackingNumber: null, trackingUrl: null },
  ...{ company: null, vatNumber: null, purchaseOrder: null, language: 'en', discountCode: null, discountCents: null },
}
const paid: Order = { ...unpaid, state: 'paid', holdUntil: null, paidAt: at(3, 12), transactionId: 'pi_1' }
const shipped: Order = {
  ...{ ...paid, state: 'shipped', shippedAt: at(4, 13), refundedCents: 5_07, returnedQuantity: 1 },
  ...{ company: 'Music Ltd', vatNumber: 'GB123456789', purchaseOrder: 'PO-7' },
  ...{ carrier: 'DHL', trackingNumber: 'T-9', trackingUrl: 'https://dhl.example/t9' },
}

const about = (event: OrderNotice['event'], order: Order, more: Partial<OrderNotice> = {}) =>
  orderEmail(
    'l1',
    {
      ...{ event, order, actor: 'ada', img: '/plates/viola.svg', instrumentLink: `${origin}/catalog/viola` },
      ...{ refundCents: null, refundReason: null, ...more },
    },
    origin,
  )

const asked = {
  ...{ id: 'q1', instrumentName: 'Oboe', customerName: 'Bea', customerEmail: 'bea@example.com', note: 'For a school' },
  ...{ wantedQuantity: 23, quantity: null, unitPriceCents: null, validUntil: null, reply: null, available: 17 },
  state: 'asked' as const,
}
const offered = {
  ...{ ...asked, state: 'offered' as const, quantity: 19, unitPriceCents: 90_50 },
  ...{ validUntil: Date.UTC(2026, 11, 1), reply: 'With cases.' },
}
const quote = (kind: string, facts: Parameters<typeof quoteEmail>[1]) =>
  quoteEmail({ id: 'l1', kind: `quote ${kind}`, recipient: 'bea@example.com' }, facts, { origin, shopEmail } as never)!

const contact = templates.contactEmails({
  id: 'm1',
  name: 'Zoe',
  email: 'zoe@example.com',
  message: 'Hello',
  shopEmail,
})
const asking = { id: 'm2', name: 'Yann', email: 'yann@example.com', message: 'Harps?' }
const stock = { id: 's1', name: 'Rebec', available: 4, page: `${origin}/rebec` }
const back = {
  ...{
    ...stock,
    recipient: 'ada@example.com',
    minimum: 2,
    shortage: null,
    unsubscribe: `${origin}/unsubscribe?token=u1`,
  },
}
const payment = {
  ...{ transactionId: 'pi_2', amount: '$44.04', customerEmail: 'cleo@example.com', orderId: 'o2', shopEmail },
  page: `${origin}/o2`,
}

const emails: Record<keyof typeof templates | `${'order' | 'quote'}${string}`, Email[]> = {
  verificationEmail: [templates.verificationEmail(to)],
  passwordResetEmail: [
    templates.passwordResetEmail({ ...to, name: 'Ada' }),
    templates.passwordResetEmail({ ...to, name: null }),
  ],
  signInLinkEmail: [templates.signInLinkEmail(to)],
  accountNotice: [templates.accountNotice({ ...to, id: 'n1', subject: 'Changed', what: 'It has changed.' })],
  wrongCodesEmail: [templates.wrongCodesEmail({ ...to, userId: 'u1', day: 20_000 })],
  accountClosedEmail: [templates.accountClosedEmail({ ...to, id: 'u1' })],
  accountClosedShopEmail: [templates.accountClosedShopEmail({ id: 'u1', shopEmail })],
  messageReplyEmail: [templates.messageReplyEmail(asking, { reply: 'Yes.\n\nIn May.', shopEmail })],
  contactEmails: [contact.toShop, contact.toSender],
  webhookOffEmail: [
    templates.webhookOffEmail({
      ...{ id: 'w:1', url: 'https://example.com/hooks', reason: 'Nothing has arrived for three days' },
      ...{ origin, shopEmail },
    }),
  ],
  lowStockEmail: [7, null].map((threshold) => templates.lowStockEmail({ ...stock, threshold, shopEmail })),
  backInStockEmail: [
    templates.backInStockEmail(back),
    templates.backInStockEmail({ ...back, shortage: 'Only 1 left' }),
  ],
  reviewEmail: [
    templates.reviewEmail({
      ...{ id: 'r1', recipient: 'ada@example.com', customerName: 'Ada', productName: 'Viola' },
      ...{ form: `${origin}/dashboard/addReview?about=v1`, unsubscribe: `${origin}/unsubscribe?token=u2` },
    }),
  ],
  dailySummaryEmail: [
    templates.dailySummaryEmail({
      day: '2026-11-24',
      rows: [['Paid orders', '6']],
      page: `${origin}/board`,
      shopEmail,
    }),
  ],
  failedRefundEmail: [
    templates.failedRefundEmail({ refundId: 're_1', amount: '$5.07', page: `${origin}/o1`, shopEmail }),
  ],
  disputeEmail: (['inquiry', 'open', 'lost'] as const).map((state) =>
    templates.disputeEmail({
      ...{ disputeId: 'dp_1', state, number: 'C-1042', amount: '$5.07', reason: 'product not received' },
      ...{ dueBy: state === 'lost' ? null : '12 Dec 2026, 23:59 UTC', page: `${origin}/o1`, shopEmail },
    }),
  ),
  unmatchedPaymentEmail: [
    templates.unmatchedPaymentEmail({ ...payment, hasOrder: true }),
    templates.unmatchedPaymentEmail({ ...payment, customerEmail: null, hasOrder: false }),
  ],
  orderPlaced: [
    about('order placed', unpaid),
    about('order placed', { ...unpaid, holdUntil: null }),
    about('order placed', paid),
  ],
  orderHoldEnds: [about('hold ends', unpaid)],
  orderPaid: [about('order paid', paid), newOrderEmail('n1', paid, { origin, shopEmail })],
  orderShipped: [about('order shipped', shipped)],
  orderCancelled: ['ada', 'the shopkeeper', 'hold expiry'].map((actor) =>
    about('order cancelled', { ...unpaid, state: 'cancelled' }, { actor }),
  ),
  orderRefunded: [
    about('refund made', shipped, { refundCents: 2_02, refundReason: 'Dent' }),
    about('refund made', shipped, { refundCents: 2_02, refundReason: '' }),
    ...(['unpaid', 'paid', 'cancelled'] as const).map((state) =>
      about('refund made', { ...unpaid, state }, { refundCents: 6_06 }),
    ),
  ],
  quoteAsked: [quote('asked', asked), quote('asked', { ...asked, note: null })],
  quoteOffered: [quote('offered', offered), quote('offered', { ...offered, available: 19, reply: null })],
  quoteDeclined: [quote('declined', { ...asked, state: 'declined', reply: 'Sold out.' })],
}

test('writes each email with the right figures, links and addresses, as every-email.txt shows them', async () => {
  expect(Object.keys(emails)).toEqual(expect.arrayContaining(Object.keys(templates)))
  const texts = Object.entries(emails).flatMap(([name, all]) =>
    all.map(
      ({ recipient, subject, text }) =>
        `## ${name}\nTo: ${recipient}\nSubject: ${subject}\n${text.replaceAll('\n\n', '\n')}\n`,
    ),
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('every-email.txt')
})
