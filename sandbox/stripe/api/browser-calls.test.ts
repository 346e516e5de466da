import { expect, test } from 'vitest'
import { openSandbox, stripeError, stripeClient } from '../../testing/fixture'
import { stripePublishableKey } from '../../keys'

test('lets a browser pay its own intent by client secret and see only its public fields', async () => {
  const { stripe, url } = await openSandbox()
  const { id, client_secret: secret } = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { order: '7' },
  })
  const confirm = (clientSecret: string, card: Record<string, string> = {}) =>
    fetch(`${url}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripePublishableKey}` },
      body: new URLSearchParams({
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242 4242 4242 4242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
        ...card,
      }),
    })

  expect((await confirm('pi_other_secret_x')).status).toBe(400)
  const mistyped = await confirm(secret!, { 'payment_method_data[card][number]': '4242 4242 4242 4241' })
  expect(await mistyped.json()).toMatchObject({ error: { type: 'card_error', code: 'invalid_number' } })
  const declined = await confirm(secret!, { 'payment_method_data[card][number]': '4000 0000 0000 0002' })
  expect(declined.status).toBe(402)
  expect(JSON.stringify(await declined.json())).not.toContain('metadata')
  const paid = await (await confirm(secret!)).json<object>()
  expect(paid).toMatchObject({ id, status: 'succeeded' })
  expect(paid).not.toHaveProperty('metadata')

  const browser = stripeClient(url, stripePublishableKey)
  expect(await browser.paymentIntents.retrieve(id, { client_secret: secret! })).not.toHaveProperty('latest_charge')
  expect(await stripeError(browser.paymentIntents.retrieve(id))).toMatchObject({
    statusCode: 400,
    param: 'client_secret',
  })
  expect(await stripeError(browser.paymentIntents.list())).toMatchObject({
    statusCode: 401,
    code: 'secret_key_required',
  })
})
