import { expect, test, vi } from 'vitest'
import { openSandbox, openShop, stripeError, violin } from '../../testing/fixture'

async function openPaid(webhookUrl?: string) {
  const sandbox = await openSandbox(webhookUrl === undefined ? {} : { webhookUrl })
  const { id } = await sandbox.stripe.paymentIntents.create({
    ...violin,
    confirm: true,
    payment_method: 'pm_card_visa',
  })
  return { ...sandbox, id }
}

test('refunds a payment once and sends the events', async () => {
  const shop = await openShop()
  const { stripe, id, ledger } = await openPaid(shop.url)
  const refund = await stripe.refunds.create({
    payment_intent: id,
    reason: 'requested_by_customer',
    metadata: { order: '7' },
  })
  expect(refund).toMatchObject({ amount: 2000, status: 'succeeded', payment_intent: id, metadata: { order: '7' } })
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund)
  expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund])

  const error = await stripeError(stripe.refunds.create({ payment_intent: id }))
  expect(error).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
  expect(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).toMatchObject({
    status: 'succeeded',
    latest_charge: { refunded: true, amount_refunded: 2000 },
  })
  expect((await ledger()).at(-1)).toMatchObject({
    what: 'refunded',
    refund: refund.id,
    amount: 2000,
    paymentIntent: id,
  })
  await vi.waitFor(() => expect(shop.types()).toEqual(expect.arrayContaining(['charge.refunded', 'refund.created'])))
})

test('refunds parts up to the amount received', async () => {
  const { stripe, id, ledger } = await openPaid()
  expect(await stripeError(stripe.refunds.create({ payment_intent: id, amount: 2001 }))).toMatchObject({
    statusCode: 400,
    param: 'amount',
  })
  await stripe.refunds.create({ payment_intent: id, amount: 1500 })
  const error = await stripeError(stripe.refunds.create({ payment_intent: id, amount: 501 }))
  expect(error.message).toBe('Refund amount ($5.01) is greater than unrefunded amount on charge ($5.00)')
  expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 500 })
  expect((await ledger()).flatMap(({ what, amount }) => (what === 'refunded' ? [amount] : []))).toEqual([1500, 500])
})
