import { expect, test } from 'vitest'
import { openSandbox, refusal } from '../../testing/fixture'

const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'] }
const key = { idempotencyKey: 'order-7' }

test('the same request with the same key is answered the same, and has one effect', async () => {
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

test('a key is good for one request: other parameters, or another path, are refused', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin, key)
  for (const call of [
    stripe.paymentIntents.create({ ...violin, amount: 2001 }, key),
    stripe.paymentIntents.cancel(id, {}, key),
  ]) {
    expect(await refusal(call)).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  }
  expect((await ledger()).map(({ what }) => what)).toEqual(['created'])
})

test('while the first request with a key runs, the second is told that the key is in use', async () => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { delayMs: 300 } })
  const results = await Promise.allSettled([
    stripe.paymentIntents.create(violin, key),
    stripe.paymentIntents.create(violin, key),
  ])
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(refused[0]!.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  expect(await ledger()).toHaveLength(1)
  await fault({ stripe: { delayMs: 0 } })
  expect((await stripe.paymentIntents.create(violin, key)).lastResponse.headers['idempotent-replayed']).toBe('true')
})

test('a request that was not valid leaves its key free', async () => {
  const { stripe } = await openSandbox()
  expect(await refusal(stripe.paymentIntents.create({ ...violin, amount: 1 }, key))).toMatchObject({ statusCode: 400 })
  expect(await stripe.paymentIntents.create(violin, key)).toMatchObject({ amount: 2000 })
})

test('a decline is kept under its key: the same try is declined again, without a second charge', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)
  const confirm = () => stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, key)
  const [first, again] = [await refusal(confirm()), await refusal(confirm())]
  expect([first.statusCode, again.statusCode]).toEqual([402, 402])
  expect((await ledger()).filter(({ what }) => what === 'failed')).toHaveLength(1)
})

test.each(['before', 'after'])('a 500 %s the effect is kept under its key and heard again', async (when) => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { failNext: 1, when } })
  for (const replayed of [undefined, 'true']) {
    const error = await refusal(stripe.paymentIntents.create(violin, key))
    expect(error).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
    expect(error.headers?.['idempotent-replayed']).toBe(replayed)
    expect(error.headers?.['stripe-should-retry']).toBe('false')
  }
  expect(await ledger()).toHaveLength(when === 'after' ? 1 : 0)
  expect(await stripe.paymentIntents.create(violin, { idempotencyKey: 'order-7 again' })).toMatchObject({
    amount: 2000,
  })
})

test('a key is forgotten after a day', async () => {
  let hours = 0
  const { stripe, ledger } = await openSandbox({ now: () => Date.now() + hours * 3600_000 })
  const first = await stripe.paymentIntents.create(violin, key)
  hours = 23
  expect((await stripe.paymentIntents.create(violin, key)).id).toBe(first.id)
  hours = 25
  expect((await stripe.paymentIntents.create(violin, key)).id).not.toBe(first.id)
  expect(await ledger()).toHaveLength(2)
})
