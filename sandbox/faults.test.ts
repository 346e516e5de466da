import { expect, test } from 'vitest'
import { openSandbox, stripeError, stripeClient, violins } from './testing/fixture'

const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'] }
const key = { idempotencyKey: 'order-7' }

test('merges, lists and clears faults', async () => {
  const { send } = await openSandbox()
  await send('POST', '/faults', { stripe: { failNext: 2, status: 503 } })
  await send('POST', '/faults', { stripe: { webhooks: 'late' }, google: { delayMs: 10 } })
  expect(await (await send('GET', '/faults')).json()).toMatchObject({
    stripe: { failNext: 2, status: 503, webhooks: 'late' },
    mail: { failNext: 0 },
    google: { delayMs: 10 },
  })
  expect(await (await send('DELETE', '/faults')).json()).toMatchObject({ stripe: { failNext: 0, webhooks: null } })
})

test.each([
  [{ paypal: {} }, 'Unknown service: paypal'],
  [{ stripe: { explode: true } }, 'Unknown fault: stripe.explode'],
  [{ mail: { webhooks: 'drop' } }, 'Unknown fault: mail.webhooks'],
  [{ stripe: { failNext: -1 } }, 'Invalid stripe.failNext'],
  [{ stripe: { status: 200 } }, 'Invalid stripe.status'],
  [{ stripe: { webhooks: 'never' } }, 'Invalid stripe.webhooks'],
  [{ stripe: { only: '/v1/refunds' } }, 'Invalid stripe.only'],
  [{ stripe: { only: '' } }, 'Invalid stripe.only'],
  [{ stripe: { answer: 'nonsense' } }, 'Invalid stripe.answer'],
  [{ stripe: { answer: null } }, 'Invalid stripe.answer'],
  [{ stripe: { hang: true } }, 'stripe.hang needs stripe.failNext'],
  [[], 'The body must be an object'],
])('rejects the faults %j and changes nothing', async (wrong, message) => {
  const { send } = await openSandbox()
  const before = await (await send('GET', '/faults')).json()
  const response = await send('POST', '/faults', wrong)
  expect(response.status).toBe(400)
  expect((await response.json<{ error: string }>()).error).toContain(message)
  expect(await (await send('GET', '/faults')).json()).toEqual(before)
})

test('fails before the effect without a trace, and the same key can retry', async () => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { failNext: 2, status: 503 } })
  for (let i = 0; i < 2; i++) {
    expect(await stripeError(stripe.paymentIntents.create(violin, key))).toMatchObject({ statusCode: 503 })
  }
  expect(await ledger()).toEqual([])
  await stripe.paymentIntents.create(violin, key)
  expect(await ledger()).toHaveLength(1)
})

test('fails after the effect, and the same key returns the real response', async () => {
  const { stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { failNext: 1, status: 502, when: 'after' } })
  expect(await stripeError(stripe.paymentIntents.create(violin, key))).toMatchObject({ statusCode: 502 })
  const [created] = await ledger()
  expect((await stripe.paymentIntents.create(violin, key)).id).toBe(created!.paymentIntent)
  expect(await ledger()).toHaveLength(1)
})

test.each([
  ['before', 0],
  ['after', 1],
])('hangs %s the effect until the client times out, then answers later requests', async (when, entries) => {
  const { url, stripe, fault, ledger } = await openSandbox()
  await fault({ stripe: { failNext: 1, hang: true, when } })
  const error = await stripeError(stripeClient(url).paymentIntents.create(violin, { ...key, timeout: 200 }))
  expect(error.type).toBe('StripeConnectionError')
  expect(await ledger()).toHaveLength(entries)
  await stripe.paymentIntents.create(violin, key)
  expect(await ledger()).toHaveLength(1)
})

test('fails only requests that match the fault', async () => {
  const { stripe, fault, send, ledger } = await openSandbox()
  await fault({ stripe: { only: 'POST /v1/payment_intents', failNext: 1, status: 503 } })
  await stripe.checkout.sessions.create(violins)
  await stripe.paymentIntents.list()
  expect(await stripeError(stripe.paymentIntents.create(violin))).toMatchObject({ statusCode: 503 })
  await stripe.paymentIntents.create(violin)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'created'])
  await fault({ stripe: { only: null, failNext: 1 } })
  expect(await stripeError(stripe.paymentIntents.list())).toMatchObject({ statusCode: 503 })
  expect(await (await send('GET', '/faults')).json()).toMatchObject({ stripe: { only: null, failNext: 0 } })
})
