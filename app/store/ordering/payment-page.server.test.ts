import { anOrder, payElsewhere } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import { handlePayment } from '../payments/confirm-payment.server'
import { retryRefunds } from '../payments/stray-refunds.server'
import { cancelOrder } from './cancel-order.server'
import { readOrderPage } from './order-page.server'
import { readPaymentPage } from './payment-page.server'

test('does not say that nothing was charged once money has arrived for a cancelled order', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  expect(await readPaymentPage(shop.deps, customer, 'none')).toBeNull()
  expect(await readPaymentPage(shop.deps, customer, id)).toMatchObject({
    ...{ order: { id, state: 'unpaid' }, img: '/plates/violin-4-4.svg', cancelled: null },
  })
  await cancelOrder(shop.deps, customer, id)
  const cancelled = async () => (await readPaymentPage(shop.deps, customer, id))!.cancelled
  expect(await cancelled()).toMatchObject({
    texts: ['You cancelled this order. Nothing was charged.'],
    isRefunded: false,
  })

  const paymentId = await payElsewhere(shop, 500_00, { order: id, customer: customer.id })
  await shop.faults({ stripe: { failNext: 50, status: 503, only: 'POST /v1/refunds' } })
  await handlePayment(shop.deps, { kind: 'intent', id: paymentId })
  expect(await cancelled()).toMatchObject({
    texts: ['You cancelled this order.', 'We are refunding $500.00 to your card.'],
    isRefunded: true,
  })
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await retryRefunds(shop.deps, 10)
  const texts = [
    'You cancelled this order.',
    'We received a payment of $500.00 for an order that was already cancelled. We have refunded all of it to your card. Banks take 5 to 10 days to show it.',
  ]
  expect(await cancelled()).toMatchObject({ texts, isRefunded: true })
  const { timeline } = (await readOrderPage(shop.deps, customer, id))!
  expect(timeline.map(({ text }) => text)).toEqual(['You placed the order.', ...texts])
  expect(await readOrderPage(shop.deps, customer, 'none')).toBeNull()
})
