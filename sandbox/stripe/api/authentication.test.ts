import { expect, test, vi } from 'vitest'
import { openSandbox, openShop, payOnPage, stripeClient, violins } from '../../testing/fixture'
import { stripePublishableKey } from '../../keys'

const violin = { amount: 2000, currency: 'usd', allowed_payment_method_types: ['card'], metadata: { order: '7' } }
const returnUrl = 'http://127.0.0.1:8788/paid?order=7&note=a%20b#top'
const authenticationCard = '4000 0027 6000 3184'

async function openChallenge(options?: Parameters<typeof openSandbox>[0]) {
  const sandbox = await openSandbox(options)
  const intent = await sandbox.stripe.paymentIntents.create({
    ...violin,
    confirm: true,
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: returnUrl,
  })
  return { ...sandbox, intent, page: intent.next_action!.redirect_to_url!.url! }
}

function press(page: string, outcome: 'complete' | 'fail'): Promise<Response> {
  return fetch(page, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' })
}

const entries = async (ledger: () => Promise<{ what: string }[]>) => (await ledger()).map(({ what }) => what)

test('does not charge a card before its customer authenticates', async () => {
  const { intent, page, url, ledger } = await openChallenge()
  expect(intent).toMatchObject({
    status: 'requires_action',
    amount_received: 0,
    latest_charge: null,
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl } },
  })
  expect(page).toContain(`${url}/authenticate/${intent.id}`)
  expect(await entries(ledger)).toEqual(['created'])
  const response = await fetch(page)
  expect(response.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*form-action 'self' http:\/\/127\.0\.0\.1:8788;/,
  )
  const document = await response.text()
  for (const text of ['$20.00', 'Complete authentication</button>', 'Fail authentication</button>']) {
    expect(document).toContain(text)
  }
  expect(document).not.toContain('<script')
})

test('charges on completion, sends the event and redirects with the original query', async () => {
  const shop = await openShop()
  const { stripe, intent, page, ledger } = await openChallenge({ webhookUrl: shop.url })
  const response = await press(page, 'complete')
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(
    `http://127.0.0.1:8788/paid?order=7&note=a%20b&payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=succeeded#top`,
  )
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  expect(paid).toMatchObject({
    status: 'succeeded',
    next_action: null,
    payment_method: intent.payment_method,
    latest_charge: { payment_method: intent.payment_method, amount_captured: 2000 },
  })
  expect(await entries(ledger)).toEqual(['created', 'succeeded'])
  await vi.waitFor(() => {
    expect(shop.types().sort()).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'payment_intent.succeeded',
    ])
  })
})

test("lets another card pay after a failed authentication, with Stripe's messages", async () => {
  const shop = await openShop()
  const { stripe, url, intent, page, ledger } = await openChallenge({ webhookUrl: shop.url })
  const response = await press(page, 'fail')
  expect(new URL(response.headers.get('location')!).searchParams.get('redirect_status')).toBe('failed')
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      code: 'payment_intent_authentication_failure',
      message: expect.stringContaining('The provided PaymentMethod has failed authentication.') as string,
    },
  })
  const browser = stripeClient(url, stripePublishableKey)
  const publicIntent = await browser.paymentIntents.retrieve(intent.id, { client_secret: intent.client_secret! })
  expect(publicIntent.last_payment_error?.message).toContain('We are unable to authenticate your payment method.')
  await vi.waitFor(() => expect(shop.types()).toContain('payment_intent.payment_failed'))
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  expect(await entries(ledger)).toEqual(['created', 'failed', 'succeeded'])
})

test('pays a pending intent with another card and ignores the old challenge', async () => {
  const { stripe, intent, page, ledger } = await openChallenge()
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  await press(page, 'fail')
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded', next_action: null })
  expect(await entries(ledger)).toEqual(['created', 'succeeded'])
})

test('charges nothing for an expired session', async () => {
  const { stripe, ledger } = await openSandbox()
  const session = await stripe.checkout.sessions.create(violins)
  const challengeUrl = (await payOnPage(session.url!, { cardNumber: authenticationCard })).headers.get('location')!
  await stripe.checkout.sessions.expire(session.id)
  expect((await press(challengeUrl, 'complete')).headers.get('location')).toBe(`/checkout/${session.id}`)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
  expect(await entries(ledger)).toEqual(['opened', 'created', 'closed', 'cancelled'])
})
