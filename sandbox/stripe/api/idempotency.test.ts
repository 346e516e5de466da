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

test('rejects a second request while the first with its key runs', async () => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { delayMs: 300 } })
  const results = await Promise.allSettled([
    stripe.paymentIntents.create(violin, key),
    stripe.paymentIntents.create(violin, key),
  ])
  const rejected = results.filter((result) => result.status === 'rejected')
  expect(rejected).toHaveLength(1)
  expect(rejected[0]!.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  expect(await ledger()).toHaveLength(1)
  await fault({ stripe: { delayMs: 0 } })
  expect((await stripe.paymentIntents.create(violin, key)).lastResponse.headers['idempotent-replayed']).toBe('true')
})

test('keeps the key free after an invalid request', async () => {
  const { stripe } = await openSandbox()
  expect(await stripeError(stripe.paymentIntents.create({ ...violin, amount: 1 }, key))).toMatchObject({
    statusCode: 400,
  })
  expect(await stripe.paymentIntents.create(violin, key)).toMatchObject({ amount: 2000 })
})

test('replays a decline for its key without a second charge', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)
  const confirm = () => stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, key)
  const [first, again] = [await stripeError(confirm()), await stripeError(confirm())]
  expect([first.statusCode, again.statusCode]).toEqual([402, 402])
  expect((await ledger()).filter(({ what }) => what === 'failed')).toHaveLength(1)
})

test.each(['before', 'after'])('replays a 500 %s the effect for its key', async (when) => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { failNext: 1, when } })
  for (const replayed of [undefined, 'true']) {
    const error = await stripeError(stripe.paymentIntents.create(violin, key))
    expect(error).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
    expect(error.headers?.['idempotent-replayed']).toBe(replayed)
    expect(error.headers?.['stripe-should-retry']).toBe('false')
  }
  expect(await ledger()).toHaveLength(when === 'after' ? 1 : 0)
  expect(await stripe.paymentIntents.create(violin, { idempotencyKey: 'order-7 again' })).toMatchObject({
    amount: 2000,
  })
})

test('expires a key after a day', async () => {
  let hours = 0
  const { stripe, ledger } = await openSandbox({ now: () => Date.now() + hours * 3600_000 })
  const first = await stripe.paymentIntents.create(violin, key)
  hours = 23
  expect((await stripe.paymentIntents.create(violin, key)).id).toBe(first.id)
  hours = 25
  expect((await stripe.paymentIntents.create(violin, key)).id).not.toBe(first.id)
  expect(await ledger()).toHaveLength(2)
})
