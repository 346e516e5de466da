import { expect, test } from 'vitest'
import { openSandbox, stripeError, violin } from '../../testing/fixture'

test('creates, confirms and retrieves an intent with a test card', async () => {
  const { stripe, ledger } = await openSandbox()
  const created = await stripe.paymentIntents.create({
    ...violin,
    metadata: { order: '7' },
  })
  expect(created).toMatchObject({
    status: 'requires_payment_method',
    amount_received: 0,
    latest_charge: null,
    livemode: false,
  })

  const paid = await stripe.paymentIntents.confirm(created.id, { payment_method: 'pm_card_visa' })
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2000, metadata: { order: '7' } })
  expect(paid.latest_charge).toMatch(/^ch_/)
  expect(await stripe.paymentIntents.retrieve(created.id)).toEqual(paid)
  const expanded = await stripe.paymentIntents.retrieve(created.id, { expand: ['latest_charge'] })
  expect(expanded.latest_charge).toMatchObject({ id: paid.latest_charge, object: 'charge', amount_captured: 2000 })

  expect(await ledger()).toMatchObject([
    { what: 'created', paymentIntent: created.id, amount: 2000, metadata: { order: '7' } },
    { what: 'succeeded', paymentIntent: created.id, amount: 2000, charge: paid.latest_charge },
  ])
})

test.each([
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', undefined, 'Your card was declined.'],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    undefined,
    'Your card has insufficient funds.',
  ],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', undefined, 'Your card was declined.'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', undefined, 'Your card was declined.'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'exp_month', 'Your card has expired.'],
  [
    'pm_card_chargeDeclinedIncorrectCvc',
    'incorrect_cvc',
    'incorrect_cvc',
    'cvc',
    "Your card's security code is incorrect.",
  ],
  [
    'pm_card_chargeDeclinedProcessingError',
    'processing_error',
    'processing_error',
    undefined,
    'An error occurred while processing your card. Try again in a little bit.',
  ],
])('declines %s with 402 %s, and another card can pay', async (method, code, declineCode, param, message) => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)

  const error = await stripeError(stripe.paymentIntents.confirm(id, { payment_method: method }))
  expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, message })
  expect([error.decline_code, error.param]).toEqual([declineCode, param])
  expect(error.payment_intent).toMatchObject({
    id,
    status: 'requires_payment_method',
    last_payment_error: { code, decline_code: declineCode, message },
  })

  expect(await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 'succeeded',
    last_payment_error: null,
  })
  expect((await ledger()).map(({ what }) => what)).toEqual(['created', 'failed', 'succeeded'])
})

test('requires a return_url if a payment method could redirect', async () => {
  const { stripe, ledger } = await openSandbox()
  const input = { amount: 2000, currency: 'usd' }
  for (const more of [{}, { automatic_payment_methods: { enabled: true } }]) {
    const { id } = await stripe.paymentIntents.create({ ...input, ...more })
    const error = await stripeError(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, payment_intent: { id } })
    expect(error.message).toContain('you must provide a `return_url`')
    const call = { payment_method: 'pm_card_visa', return_url: 'http://127.0.0.1:8788/paid' }
    expect(await stripe.paymentIntents.confirm(id, call)).toMatchObject({ status: 'succeeded' })
  }
  expect((await ledger()).map(({ what }) => what)).toEqual(['created', 'succeeded', 'created', 'succeeded'])
  for (const more of [
    { automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const } },
    { allowed_payment_method_types: ['card' as const] },
  ]) {
    const confirmed = { confirm: true, payment_method: 'pm_card_visa' }
    const paid = await stripe.paymentIntents.create({ ...input, ...more, ...confirmed })
    expect(paid).toMatchObject({ status: 'succeeded' })
  }
})

test.each([
  [{ amount: 49, currency: 'usd' }, 'amount_too_small', 'amount'],
  [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount'],
  [{ amount: 12.5, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
  [{ amount: -1, currency: 'usd' }, 'parameter_invalid_integer', 'amount'],
  [{ currency: 'usd' }, 'parameter_missing', 'amount'],
  [{ amount: 2000 }, 'parameter_missing', 'currency'],
  [{ amount: 2000, currency: 'usd', application_fee_amount: 1 }, 'parameter_unknown', 'application_fee_amount'],
  [{ amount: 2000, currency: 'usd', shipping: { name: 'Ada' } }, 'parameter_unknown', 'shipping[name]'],
  [{ amount: 2000, currency: 'usd', payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types[0]'],
])('rejects an intent of %j with %s', async (input, code, param) => {
  const { stripe, ledger } = await openSandbox()
  const error = await stripeError(stripe.paymentIntents.create(input as { amount: number; currency: string }))
  expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, code, param })
  expect(await ledger()).toEqual([])
})

test('cancels an unpaid intent once and rejects payment afterwards', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)
  const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'requested_by_customer' })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'requested_by_customer' })
  expect(canceled.canceled_at).toBeGreaterThan(0)

  for (const call of [
    stripe.paymentIntents.cancel(id),
    stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
  ]) {
    expect(await stripeError(call)).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
  }
  expect((await ledger()).map(({ what }) => what)).toEqual(['created', 'cancelled'])
})

test('rejects cancelling a paid intent and returns it in the error', async () => {
  const { stripe, ledger } = await openSandbox()
  const { id } = await stripe.paymentIntents.create(violin)
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  const error = await stripeError(stripe.paymentIntents.cancel(id))
  expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
  expect(error.payment_intent).toMatchObject({ id, status: 'succeeded', amount_received: 2000 })
  expect((await ledger()).map(({ what }) => what)).toEqual(['created', 'succeeded'])
})
