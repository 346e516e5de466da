import { expect, test } from 'vitest'
import { openSandbox, stripeError } from '../../testing/fixture'

const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'] }
const key = { idempotencyKey: 'order-7' }

test('replays the response for the same key and request', async () => {
  const { stripe, ledger } = await openSandbox()
  const first = await stripe.paymentIntents.create(violin, key)
  const again = await stripe.paymentIntents.create(violin, key)
  expect(again).toEqual(first)
  expect(first.lastResponse.headers).not.toHaveProperty('idempotent-replayed')
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(again.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
  expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId)
  expect(await ledger()).toHaveLength(1)
})

test('rejects a key with other parameters or another path', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin, key)
  for (const call of [
    stripe.paymentIntents.create({ ...violin, amount: 2001 }, key),
    stripe.paymentIntents.cancel(id, {}, key),
  ]) {
    expect(await stripeError(call)).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  }
  expect((await ledger()).map(({ what }) => what)).toEqual(['created'])
})

test('replays a decline for its key without a second charge', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)
  const confirm = () => stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, key)
  const [first, again] = [await stripeError(confirm()), await stripeError(confirm())]
  expect([first.statusCode, again.statusCode]).toEqual([402, 402])
  expect((await ledger()).filter(({ what }) => what === 'failed')).toHaveLength(1)
})
