import { expect, test, vi, onTestFinished } from 'vitest'
import { openSandbox, openShop, payOnPage, stripeError, violins } from '../../testing/fixture'

const now = () => Math.floor(Date.now() / 1000)

function advanceClock(minutes: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

test('creates an open, unpaid session with a hosted page and no intent', async () => {
  const { stripe, url, ledger } = await openSandbox()
  const session = await stripe.checkout.sessions.create(violins)
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    amount_total: 123_450,
    currency: 'usd',
    allowed_payment_method_types: null,
    client_reference_id: 'order-1',
    customer_email: 'ada@example.com',
    livemode: false,
  })
  expect(session.url).toBe(`${url}/checkout/${session.id}`)
  expect(session.expires_at).toBe(session.created + 24 * 3600)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toEqual(session)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened'])
})

test('completes a paid session, and copies the metadata to its intent', async () => {
  const shop = await openShop()
  const { stripe, ledger } = await openSandbox({ webhookUrl: shop.url })
  const { id, url } = await stripe.checkout.sessions.create(violins)
  const response = await payOnPage(url!)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`http://127.0.0.1:8788/paid?session_id=${id}`)

  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent', 'line_items'] })
  expect(session).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    payment_intent: { status: 'succeeded', amount_received: 123_450, currency: 'usd', metadata: { order: 'order-1' } },
    line_items: { data: [{ description: 'Concert Violin 4/4', quantity: 2, amount_total: 123_450 }] },
    customer_details: { email: 'ada@example.com', name: 'Ada' },
  })
  expect((await stripe.checkout.sessions.list()).data).toMatchObject([{ id }])
  expect(await ledger()).toMatchObject([
    {
      seq: 1,
      what: 'opened',
      checkoutSession: id,
      paymentIntent: null,
      amount: 123_450,
      metadata: { order: 'order-1' },
    },
    { seq: 2, what: 'created', checkoutSession: id },
    { seq: 3, what: 'succeeded', checkoutSession: id, amount: 123_450, metadata: { order: 'order-1' } },
    { seq: 4, what: 'closed', checkoutSession: id, paymentIntent: null, metadata: { order: 'order-1' } },
  ])
  await vi.waitFor(() => expect(shop.types()).toContain('checkout.session.completed'))
  expect(shop.events.find(({ type }) => type === 'checkout.session.completed')?.data.object).toMatchObject({
    id,
    payment_status: 'paid',
  })
})

test('expires an open session once and cancels its declined intent', async () => {
  const shop = await openShop()
  const { stripe, ledger } = await openSandbox({ webhookUrl: shop.url })
  const { id, url } = await stripe.checkout.sessions.create(violins)
  await payOnPage(url!, { cardNumber: '4000 0000 0000 9995' })
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({
    status: 'expired',
    payment_status: 'unpaid',
    url: null,
  })
  expect(await stripeError(stripe.checkout.sessions.expire(id))).toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 400,
  })
  expect((await payOnPage(url!)).status).toBe(410)
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'created', 'failed', 'closed', 'cancelled'])
  await vi.waitFor(() => {
    expect(shop.types().sort()).toEqual([
      'checkout.session.expired',
      'payment_intent.canceled',
      'payment_intent.created',
      'payment_intent.payment_failed',
    ])
  })
})

test('expires an overdue session, sends one event and rejects payment', async () => {
  const shop = await openShop()
  const { stripe, ledger } = await openSandbox({ webhookUrl: shop.url })
  const { id, url } = await stripe.checkout.sessions.create({ ...violins, expires_at: now() + 31 * 60 })
  advanceClock(30)
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' })
  advanceClock(2)
  const page = await payOnPage(url!)
  expect(page.status).toBe(410)
  expect(await page.text()).toContain('href="http://127.0.0.1:8788/unpaid"')
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', payment_status: 'unpaid' })
  expect((await stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(1)
  await vi.waitFor(() => expect(shop.types()).toEqual(['checkout.session.expired']))
  expect((await ledger()).map(({ what }) => what)).toEqual(['opened', 'closed'])
})
