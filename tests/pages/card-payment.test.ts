import type { TestBrowser } from '../support/test-browser'
import { confirm } from '../support/card-form'
import { expect, test, parcel } from '../support/shop'
import { unpaidOrder } from '../support/unpaid-order'

async function call(browser: TestBrowser, method: string, path: string, body: unknown) {
  const response = await browser.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', origin: browser.origin },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json<{ clientSecret?: string }>() }
}

const transactionOf = ({ clientSecret }: { clientSecret?: string }) => clientSecret!.split('_secret')[0]!

const requestIntent = (browser: TestBrowser, body: object) => call(browser, 'POST', '/create-payment-intent', body)

test('pays an intent through the card form and confirms it with Stripe', async ({ shop }) => {
  const { browser, id, path } = await unpaidOrder(shop)
  const first = await requestIntent(browser, { orderId: id, orderPrice: 500 })
  expect(first).toMatchObject({
    status: 200,
    body: { clientSecret: expect.stringMatching(/^pi_\w+_secret_/) as string },
  })
  expect(await requestIntent(browser, { orderId: id, orderPrice: 500 })).toEqual(first)

  const transactionId = transactionOf(first.body)
  expect(await call(browser, 'PATCH', `/order/${id}`, { order: id, transactionId })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: 'This order is not paid.' } },
  })
  await confirm(shop, first.body.clientSecret!)
  expect(await call(browser, 'PATCH', `/order/${id}`, { order: id, transactionId })).toEqual({
    status: 200,
    body: { acknowledged: true, modifiedCount: 1 },
  })
  expect(await call(browser, 'PATCH', `/order/${id}`, { transactionId })).toEqual({
    status: 200,
    body: { acknowledged: true, modifiedCount: 0 },
  })
  expect((await browser.get(path)).text).toContain('Your payment is successful!')
  expect(await requestIntent(browser, { orderId: id, orderPrice: 500 })).toMatchObject({ status: 409 })
})

test('removes the client secret from the URL after the bank’s redirect, and reports a refusal once', async ({
  shop,
}) => {
  const { browser, path } = await unpaidOrder(shop)
  const back = `${path}?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=`
  expect((await browser.get(`${back}succeeded`)).path).toBe(path)
  const failed = await browser.get(`${back}failed`)
  expect(failed.path).toBe(path)
  const refusal = 'Your bank did not confirm the payment, and nothing was charged.'
  expect(failed.text).toContain(refusal)
  // Neither on Back, which loads the page anew, nor later, nor for another order.
  expect([failed.headers.get('cache-control'), (await browser.get(path)).text.includes(refusal)]).toEqual([
    'private, no-store',
    false,
  ])
})

test('returns to the payment page after sign-in, without the client secret', async ({ shop }) => {
  const { customer, path } = await unpaidOrder(shop)
  const { email, password } = customer
  const back = `${path}?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=succeeded`
  const ended = shop.visitor()
  ended.setCookie('session', 'of long ago')
  for (const browser of [shop.visitor(), ended]) {
    const login = await browser.get(back)
    expect(login.path).toBe(`/login?redirectTo=${encodeURIComponent(path)}`)
    expect(login.html).not.toContain('secret')
    expect((await browser.press(login, 'Login', { email, password })).text).toContain('Please pay: $500.00')
  }
})

test('allows Stripe frames on the payment page only', async ({ shop }) => {
  const { browser, path } = await unpaidOrder(shop)
  const policy = (await browser.get(path)).headers.get('content-security-policy')!
  expect(policy).toContain(`frame-src ${shop.sandbox.url}`)
  expect((await browser.get('/dashboard/myOrders')).headers.get('content-security-policy')).not.toContain('frame-src')
})

test('offers to replace the customer’s own unpaid order of the last pieces', async ({ shop }) => {
  const { violin, customer, browser } = await unpaidOrder(shop, { quantity: 8 })
  const page = await browser.get(`/instruments/${violin}`)
  const fields = { ...parcel, orderQuantity: '5' }
  const refused = await browser.press(page, 'Order Now', fields)
  expect(refused.text).toContain('Cannot be more than available')
  expect(refused.text).toContain('Replace my unpaid order of 8 pieces')
  const placed = await browser.press(refused, 'Order Now', { ...fields, replaceUnpaid: 'on' })
  expect(placed.path).toMatch(/^\/dashboard\/myOrders\/payment\//)
  expect((await shop.ordersOf(customer)).map(({ quantity, state }) => `${quantity} ${state}`).sort()).toEqual([
    '5 unpaid',
    '8 cancelled',
  ])
  expect(await shop.stockOf(violin)).toBe(5)

  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', { ...fields, orderQuantity: '2' })
  const several = await browser.get(`/instruments/${violin}`)
  expect(several.text).toContain('Replace my 2 unpaid orders of 7 pieces in all: C-1002, C-1003')
  await browser.press(several, 'Order Now', { ...fields, orderQuantity: '10', replaceUnpaid: 'on' })
  expect(await shop.piecesIn(violin, 'unpaid')).toBe(10)
})
