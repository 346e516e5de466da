import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, test as base } from 'vitest'
import { ProviderError, type PayableOrder } from '../store/deps'
import { stripePayments } from './stripe.server'

interface FakeResponse {
  status?: number
  body?: object
  /** Instead of JSON. */
  text?: string
}

class FakeStripe {
  readonly requests: {
    endpoint: string
    params: Record<string, string>
    key: string | undefined
    secret: string | undefined
  }[] = []
  /** By method and path. */
  readonly responses: Record<string, FakeResponse> = {}
  /** The same for lists, newest first: Stripe's pages of `limit`, after `starting_after`, from `created[gte]` on. */
  readonly lists: Record<string, { id: string; created: number }[]> = {}
  private readonly server = createServer((request, response) => {
    void this.take(request).then(({ status = 200, body, text }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text ?? JSON.stringify(body)),
    )
  })

  private async take(request: IncomingMessage): Promise<FakeResponse> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const endpoint = `${request.method} ${pathname}`
    const params = Object.fromEntries([...searchParams, ...new URLSearchParams(body)])
    const { 'idempotency-key': key, authorization: secret } = request.headers
    this.requests.push({ endpoint, params, key: key as string | undefined, secret })
    if (this.lists[endpoint]) return pageOf(this.lists[endpoint], params)
    return (
      this.responses[endpoint] ?? {
        status: 404,
        body: { error: { type: 'invalid_request_error', code: 'resource_missing' } },
      }
    )
  }

  async open() {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return stripePayments({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiUrl: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      shopOrigin: 'https://shop.example',
    })
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }
}

function pageOf(entries: { id: string; created: number }[], params: Record<string, string>): FakeResponse {
  const found = entries.filter(({ created }) => created >= Number(params['created[gte]'] ?? 0))
  const from = params.starting_after ? found.findIndex(({ id }) => id === params.starting_after) + 1 : 0
  const end = from + Number(params.limit ?? 10)
  return { body: { object: 'list', data: found.slice(from, end), has_more: end < found.length } }
}

const test = base.extend<{ stripe: FakeStripe; payments: ReturnType<typeof stripePayments> }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
  stripe: async ({}, use) => {
    const stripe = new FakeStripe()
    await use(stripe)
    stripe.close()
  },
  payments: async ({ stripe }, use) => use(await stripe.open()),
})

const order: PayableOrder = {
  ...{ id: 'o 1', customerId: 'ada', productName: 'Viola', unitPriceCents: 10_00 },
  ...{ quantity: 2, totalCents: 20_00, customerEmail: 'ada@example.com' },
}
const errorResponse = (status: number, error: object): FakeResponse => ({ status, body: { error } })

test('opens a checkout with the order’s terms, an expiry and an idempotency key', async ({ stripe, payments }) => {
  const path = 'POST /v1/checkout/sessions'
  stripe.responses[path] = { body: { id: 'cs_1', url: 'https://pay.example' } }
  expect(await payments.openCheckout(order, '3', 99_999)).toEqual({ id: 'cs_1', url: 'https://pay.example' })
  const back = 'https://shop.example/dashboard/myOrders/payment/o%201'
  expect(stripe.requests).toEqual([
    {
      endpoint: path,
      key: 'checkout:o 1:3',
      secret: 'Bearer sk_test_1',
      params: {
        mode: 'payment',
        'allowed_payment_method_types[0]': 'card',
        'line_items[0][quantity]': '2',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': '1000',
        'line_items[0][price_data][product_data][name]': 'Viola',
        client_reference_id: 'o 1',
        customer_email: 'ada@example.com',
        'metadata[order]': 'o 1',
        'metadata[customer]': 'ada',
        'metadata[shop]': 'https://shop.example',
        'payment_intent_data[metadata][order]': 'o 1',
        'payment_intent_data[metadata][customer]': 'ada',
        'payment_intent_data[metadata][shop]': 'https://shop.example',
        success_url: `${back}?from=checkout`,
        cancel_url: back,
        expires_at: '99',
      },
    },
  ])
  stripe.responses[path] = { body: { id: 'cs_1', url: null } }
  await expect(payments.openCheckout(order, '3', 0)).rejects.toMatchObject({
    name: 'ProviderError',
    message: 'The checkout has no address',
    final: true,
  })
})

test('opens a card intent for the total in US dollars', async ({ stripe, payments }) => {
  const path = 'POST /v1/payment_intents'
  stripe.responses[path] = { body: { id: 'pi_1', client_secret: 'pi_1_secret' } }
  expect(await payments.openIntent(order, '2')).toEqual({ id: 'pi_1', clientSecret: 'pi_1_secret' })
  expect(stripe.requests).toMatchObject([
    {
      endpoint: path,
      key: 'intent:o 1:2',
      params: {
        amount: '2000',
        currency: 'usd',
        'allowed_payment_method_types[0]': 'card',
        description: '2 × Viola',
        'metadata[order]': 'o 1',
        'metadata[customer]': 'ada',
        'metadata[shop]': 'https://shop.example',
      },
    },
  ])
  stripe.responses[path] = { body: { id: 'pi_1', client_secret: null } }
  await expect(payments.openIntent(order, '2')).rejects.toMatchObject({
    message: 'The intent has no client secret',
    final: true,
  })
})

const intent = {
  ...{ id: 'pi_1', object: 'payment_intent', status: 'succeeded', currency: 'eur', amount_received: 5 },
  ...{ metadata: { order: 'o1', customer: 'ada', shop: 'https://shop.example' }, client_secret: 'pi_1_secret' },
}
const payment = {
  ...{ transactionId: 'pi_1', orderId: 'o1', customerId: 'ada', shop: 'https://shop.example' },
  ...{ customerEmail: null, amountCents: 5, refundedCents: 0, currency: 'eur' },
}
const billing_details = { email: 'ada@example.com' }
const refunded = { ...intent, latest_charge: { id: 'ch_1', amount_refunded: 3, billing_details } }
const partlyRefunded = { ...payment, refundedCents: 3, customerEmail: 'ada@example.com' }
const missing = errorResponse(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'none' })
const open = { state: 'open', clientSecret: null }

test.for([
  ['intent', { body: intent }, { state: 'paid', payment }],
  ['intent', { body: refunded }, { state: 'paid', payment: partlyRefunded }],
  [
    'checkout',
    { body: { status: 'complete', payment_status: 'paid', payment_intent: refunded } },
    { state: 'paid', payment: partlyRefunded },
  ],
  [
    'intent',
    { body: { ...intent, metadata: {} } },
    { state: 'paid', payment: { ...payment, orderId: null, customerId: null, shop: null } },
  ],
  ['intent', { body: { ...intent, status: 'canceled' } }, { state: 'over' }],
  ['intent', { body: { ...intent, status: 'processing' } }, { state: 'open', clientSecret: 'pi_1_secret' }],
  ['intent', missing, { state: 'over' }],
  [
    'checkout',
    { body: { status: 'complete', payment_status: 'paid', payment_intent: intent } },
    { state: 'paid', payment },
  ],
  ['checkout', { body: { status: 'open', payment_status: 'unpaid', payment_intent: null } }, open],
  ['checkout', { body: { status: 'open', payment_status: 'unpaid', payment_intent: intent } }, open],
  ['checkout', { body: { status: 'complete', payment_status: 'paid', payment_intent: null } }, open],
  ['checkout', { body: { status: 'complete', payment_status: 'paid', payment_intent: 'pi_1' } }, open],
  ['checkout', { body: { payment_status: 'paid', payment_intent: { ...intent, status: 'processing' } } }, open],
  ['checkout', { body: { status: 'expired', payment_status: 'unpaid', payment_intent: null } }, { state: 'over' }],
  ['checkout', missing, { state: 'over' }],
] as const)('reads a %s response %j as %j', async ([kind, response, state], { stripe, payments }) => {
  const path = kind === 'intent' ? 'GET /v1/payment_intents/x' : 'GET /v1/checkout/sessions/x'
  stripe.responses[path] = response
  expect(await payments.find(kind, 'x')).toEqual(state)
  expect(stripe.requests.map(({ endpoint }) => endpoint)).toEqual([path])
  const charge = kind === 'checkout' ? 'payment_intent.latest_charge' : 'latest_charge'
  expect(stripe.requests[0]!.params).toEqual({ 'expand[0]': charge })
})

test.for([
  ['checkout', 'POST /v1/checkout/sessions/x/expire', {}],
  ['intent', 'POST /v1/payment_intents/x/cancel', { cancellation_reason: 'abandoned' }],
] as const)(
  'closes a %s, and reads its state when Stripe refuses',
  async ([kind, path, params], { stripe, payments }) => {
    stripe.responses[path] = { body: { id: 'x' } }
    expect(await payments.close(kind, 'x')).toEqual({ state: 'over' })
    expect(stripe.requests).toMatchObject([{ endpoint: path, params }])
    stripe.responses[path] = errorResponse(400, { type: 'invalid_request_error', message: 'paid' })
    stripe.responses['GET /v1/payment_intents/x'] = { body: { ...intent, status: 'processing' } }
    stripe.responses['GET /v1/checkout/sessions/x'] = { body: { status: 'complete', payment_intent: null } }
    expect(await payments.close(kind, 'x')).toMatchObject({ state: 'open' })
    stripe.responses[path] = errorResponse(401, { type: 'invalid_request_error', message: 'key' })
    const requestCount = stripe.requests.length
    await expect(payments.close(kind, 'x')).rejects.toMatchObject({ name: 'ProviderError', final: true })
    expect(stripe.requests).toHaveLength(requestCount + 1)
  },
)

test.for([
  [[], 'made'],
  [[{ id: 're_0', status: 'succeeded', amount: 5_00 }], 're_0'],
  [[{ id: 're_0', status: 'succeeded', amount: 6_00 }], 're_0'],
  [[{ id: 're_0', status: 'pending', amount: 5_00 }], 're_0'],
  [[{ id: 're_0', status: 'succeeded', amount: 4_99 }], 'made'],
  [[{ id: 're_0', status: 'failed', amount: 5_00 }], 'made'],
  [[{ id: 're_0', status: 'canceled', amount: 5_00 }], 'made'],
  [
    [
      { id: 're_f', status: 'failed', amount: 5_00 },
      { id: 're_1', status: 'succeeded', amount: 2_00 },
      { id: 're_2', status: 'succeeded', amount: 3_00 },
    ],
    're_1',
  ],
] as const)('with the refunds %j at Stripe, the refund of $5 is %s', async ([data, expected], { stripe, payments }) => {
  stripe.responses['GET /v1/refunds'] = { body: { object: 'list', data, has_more: false } }
  stripe.responses['POST /v1/refunds'] = { body: { id: 'made', status: 'pending' } }
  expect(await payments.refund({ transactionId: 'pi_1', amountCents: 5_00 })).toEqual({ refundId: expected })
  expect(stripe.requests[0]).toMatchObject({
    endpoint: 'GET /v1/refunds',
    params: { payment_intent: 'pi_1', limit: '100' },
  })
  expect(stripe.requests).toHaveLength(expected === 'made' ? 2 : 1)
  if (expected !== 'made') return
  expect(stripe.requests[1]!.params).toEqual({ payment_intent: 'pi_1' })
  expect(stripe.requests[1]!.key).toMatch(/^refund:pi_1:\d{4}-\d\d-\d\dT\d\d$/)
})

test.for([
  ['failed', true],
  ['canceled', true],
  ['pending', false],
  ['succeeded', false],
] as const)('treats a refund with status %s as failed: %s', async ([status, failed], { stripe, payments }) => {
  stripe.responses['GET /v1/refunds'] = { body: { object: 'list', data: [], has_more: false } }
  stripe.responses['POST /v1/refunds'] = { body: { id: 're_1', status } }
  const refunding = payments.refund({ transactionId: 'pi_1', amountCents: 5_00 })
  if (failed) await expect(refunding).rejects.toMatchObject({ message: 'The refund re_1 has failed', final: true })
  else expect(await refunding).toEqual({ refundId: 're_1' })
  const part = { id: 'r1', transactionId: 'pi_1', amountCents: 2_00, tries: 3 }
  if (failed) await expect(payments.refundPart(part)).rejects.toMatchObject({ final: true })
  else expect(await payments.refundPart(part)).toEqual({ refundId: 're_1' })
  expect(stripe.requests.at(-1)).toMatchObject({
    params: { payment_intent: 'pi_1', amount: '200', 'metadata[refund]': 'r1' },
    key: 'refund:r1:3',
  })
  const atStripe = { id: 're_1', status, payment_intent: 'pi_1', amount: 2_00, metadata: { refund: 'r1' } }
  stripe.responses['GET /v1/refunds/re_1'] = { body: atStripe }
  const refund = { refundId: 're_1', transactionId: 'pi_1', amountCents: 2_00, isFailed: failed, ownId: 'r1' }
  expect(await payments.findRefund('re_1')).toEqual(refund)
  expect(await payments.findRefund('re_unknown')).toBeNull()
  stripe.responses['GET /v1/refunds'] = { body: { data: [{ ...atStripe, metadata: {} }], has_more: false } }
  expect(await payments.listRefunds({ since: 5_999 })).toEqual([{ ...refund, ownId: null }])
  expect(stripe.requests.at(-1)!.params).toEqual({ 'created[gte]': '5', limit: '100' })
  await payments.listRefunds({ transactionId: 'pi_1' })
  expect(stripe.requests.at(-1)!.params).toEqual({ payment_intent: 'pi_1', limit: '100' })
})

test.for([
  [errorResponse(429, { type: 'invalid_request_error', message: 'too soon' }), false],
  [errorResponse(400, { type: 'invalid_request_error', message: 'no' }), true],
  [errorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'busy' }), false],
  [errorResponse(402, { type: 'card_error', message: 'declined' }), true],
  [errorResponse(401, { type: 'invalid_request_error', message: 'key' }), true],
] as const)('treats the response %j as final: %s', async ([response, final], { stripe, payments }) => {
  stripe.responses['GET /v1/payment_intents/x'] = response
  const error = await payments.find('intent', 'x').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProviderError)
  expect(error).toMatchObject({ final, message: expect.stringMatching(/^Stripe: ./) as string })
  expect((error as Error).cause).toBeInstanceOf(Stripe.errors.StripeError)
})

test('throws an error that is not final when Stripe is unreachable', async ({ stripe, payments }) => {
  stripe.close()
  await expect(payments.find('intent', 'x')).rejects.toMatchObject({ name: 'ProviderError', final: false })
  stripe.requests.length = 0
})

test('throws an error that is not final for a response that is not JSON', async ({ stripe, payments }) => {
  stripe.responses['GET /v1/payment_intents/x'] = { text: '<html>Bad gateway</html>' }
  await expect(payments.find('intent', 'x')).rejects.toMatchObject({ name: 'ProviderError', final: false })
})

test('retries a 500 once, then throws a final error', async ({ stripe, payments }) => {
  stripe.responses['GET /v1/payment_intents/x'] = errorResponse(500, { type: 'api_error', message: 'no' })
  await expect(payments.find('intent', 'x')).rejects.toMatchObject({ final: true })
  expect(stripe.requests).toHaveLength(2)
})

test.for([
  [
    { object: 'checkout.session', id: 'cs_1' },
    { kind: 'checkout', id: 'cs_1' },
  ],
  [
    { object: 'payment_intent', id: 'pi_1' },
    { kind: 'intent', id: 'pi_1' },
  ],
  [
    { object: 'refund', id: 're_1' },
    { kind: 'refund', id: 're_1' },
  ],
  [{ object: 'charge', id: 'ch_1' }, null],
  [{ object: 'refund' }, null],
  [{ id: 'x' }, null],
] as const)('reads an event about %j as %j, and only with a valid signature', async ([object, about], { payments }) => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x.y', data: { object } })
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: 'whsec_1' })
  expect(await payments.readEvent(body, signature)).toEqual({ id: 'evt_1', type: 'x.y', about })
  const forged = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: 'whsec_2' })
  for (const wrong of [forged, null, '']) expect(await payments.readEvent(body, wrong)).toBeNull()
  expect(await payments.readEvent(`${body} `, signature)).toBeNull()
})

test.for([
  { id: 'evt_1', object: 'v2.core.event', type: 'x.y', related_object: { id: 'pi_1' } },
  { id: 'evt_1', object: 'event', type: 'x.y', data: { object: null } },
  { object: 'event', type: 'x.y', data: { object: {} } },
  { id: 'evt_1', object: 'event', data: { object: {} } },
  null,
  undefined,
])('refuses a signed body that is not a snapshot event: %j', async (payload, { payments }) => {
  const body = payload === undefined ? 'no JSON' : JSON.stringify(payload)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret: 'whsec_1' })
  await expect(payments.readEvent(body, signature)).rejects.toMatchObject({ name: 'Refusal', code: 'invalid' })
})

/** 250 of now and 250 of before, a second apart. */
const since = 1_000_000_000
const oldAndNew = Array.from({ length: 500 }, (_, index) => ({ id: `${index}`, created: since / 1000 + 249 - index }))

test('lists all of 250 payments since a time, page by page, and those that succeeded only', async ({
  stripe,
  payments,
}) => {
  stripe.lists['GET /v1/charges'] = oldAndNew.map((one) => ({
    ...one,
    object: 'charge',
    status: one.id === '7' ? 'failed' : one.id === '8' ? 'pending' : 'succeeded',
    billing_details: { email: null },
    receipt_email: null,
    amount_refunded: 0,
    payment_intent: { ...intent, id: `pi_${one.id}`, status: one.id === '9' ? 'canceled' : 'succeeded' },
  }))
  const found = await payments.listPayments(since + 999)
  const expected = oldAndNew.slice(0, 250).filter(({ id }) => !['7', '8', '9'].includes(id))
  expect(found.map(({ transactionId }) => transactionId)).toEqual(expected.map(({ id }) => `pi_${id}`))
  expect(stripe.requests.map(({ params }) => [params.starting_after, params['created[gte]'], params.limit])).toEqual([
    [undefined, '1000000', '100'],
    ['99', '1000000', '100'],
    ['199', '1000000', '100'],
  ])
})

test('lists all of 250 refunds, since a time or of one payment', async ({ stripe, payments }) => {
  stripe.lists['GET /v1/refunds'] = oldAndNew.map((one) => ({
    ...one,
    status: 'succeeded',
    amount: 1_00,
    payment_intent: 'pi_1',
    metadata: {},
  }))
  const idsOf = (found: { refundId: string }[]) => found.map(({ refundId }) => refundId)
  const all = oldAndNew.map(({ id }) => id)
  expect(idsOf(await payments.listRefunds({ since }))).toEqual(all.slice(0, 250))
  expect(stripe.requests).toHaveLength(3)
  expect(idsOf(await payments.listRefunds({ transactionId: 'pi_1' }))).toEqual(all)
})

test('finds the refund of a payment behind 150 that failed', async ({ stripe, payments }) => {
  const refunds = oldAndNew.slice(0, 151).map((one) => ({ ...one, status: 'failed', amount: 5_00 }))
  stripe.lists['GET /v1/refunds'] = [...refunds.slice(0, 150), { ...refunds[150]!, status: 'succeeded' }]
  expect(await payments.refund({ transactionId: 'pi_1', amountCents: 5_00 })).toEqual({ refundId: '150' })
  expect(stripe.requests.map(({ endpoint }) => endpoint)).toEqual(['GET /v1/refunds', 'GET /v1/refunds'])
})
