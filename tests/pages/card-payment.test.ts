import { expect } from 'vitest'
import type { TestBrowser } from '../support/test-browser'
import { confirm } from '../support/card-form'
import { test, type Shop } from '../support/shop'

async function unpaidOrder(shop: Shop, { quantity = 2, price = 250_00 } = {}) {
  const violin = await shop.sells({ price, stock: 10 })
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const fields = { orderQuantity: String(quantity), customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', fields)
  const [order] = await shop.ordersOf(ada)
  return { violin, ada, browser, id: order!.id, path: `/dashboard/myOrders/payment/${order!.id}` }
}

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

test('charges the order’s own amount and refuses another price', async ({ shop }) => {
  const { browser, id, ada, violin } = await unpaidOrder(shop)
  for (const orderPrice of [499.99, 0.5, 50_000]) {
    expect(await requestIntent(browser, { orderId: id, orderPrice })).toMatchObject({ status: 409 })
  }
  for (const orderPrice of [-500, 500.001, '500', null, 1e308, undefined]) {
    expect(await requestIntent(browser, { orderId: id, orderPrice }), String(orderPrice)).toMatchObject({ status: 422 })
  }
  expect(await requestIntent(browser, { orderPrice: 400 })).toMatchObject({ status: 409 })
  expect(await requestIntent(browser, { orderPrice: 500 })).toMatchObject({ status: 200 })
  const fields = { orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', fields)
  expect(await shop.ordersOf(ada)).toHaveLength(2)
  expect(await requestIntent(browser, { orderPrice: 500 })).toMatchObject({
    status: 409,
    body: { error: { message: 'More than one of your unpaid orders costs $500.00. Name one with orderId.' } },
  })
})

test('refuses intents and confirmations for another user’s order', async ({ shop }) => {
  const { id } = await unpaidOrder(shop)
  const other = await shop.visitor().signIn(await shop.customer())
  const admin = await shop.visitor().signIn(await shop.admin())
  for (const browser of [other, admin]) {
    expect(await requestIntent(browser, { orderId: id, orderPrice: 500 })).toMatchObject({ status: 403 })
    expect(await call(browser, 'PATCH', `/order/${id}`, { transactionId: 'pi_1' })).toMatchObject({ status: 403 })
  }
  expect(await requestIntent(other, { orderId: 'none', orderPrice: 500 })).toMatchObject({ status: 404 })
  expect(await call(other, 'PATCH', '/order/none', { transactionId: 'pi_1' })).toMatchObject({ status: 404 })
  const nobody = shop.visitor()
  expect(await requestIntent(nobody, { orderId: id, orderPrice: 500 })).toMatchObject({ status: 401 })
})

test('does not apply a payment to another order', async ({ shop }) => {
  const cheap = await unpaidOrder(shop, { quantity: 1, price: 1_00 })
  const expensive = await unpaidOrder(shop, { quantity: 1, price: 9_000_00 })
  const { body } = await requestIntent(cheap.browser, { orderId: cheap.id, orderPrice: 1 })
  await confirm(shop, body.clientSecret!)
  const transactionId = transactionOf(body)
  expect(await call(expensive.browser, 'PATCH', `/order/${expensive.id}`, { transactionId })).toMatchObject({
    status: 409,
  })
  expect((await shop.ordersOf(expensive.ada))[0]).toMatchObject({ state: 'unpaid', transactionId: null })
  expect(await call(cheap.browser, 'PATCH', `/order/${cheap.id}`, { transactionId: 'pi_other' })).toMatchObject({
    status: 409,
    body: { error: { message: 'This order was paid with another payment.' } },
  })
  expect((await shop.ordersOf(cheap.ada))[0]).toMatchObject({ state: 'paid', transactionId })
})

test('refuses a payment body that is not JSON, too long, of another type or with unknown fields', async ({ shop }) => {
  const { browser, id } = await unpaidOrder(shop)
  const send = (body: string, type = 'application/json') =>
    browser.fetch('/create-payment-intent', {
      method: 'POST',
      headers: { 'content-type': type, origin: browser.origin },
      body,
    })
  expect((await send('{')).status).toBe(400)
  expect((await send('null')).status).toBe(422)
  expect((await send(`{"orderPrice":500,"x":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
  expect((await send('orderPrice=500', 'application/x-www-form-urlencoded')).status).toBe(415)
  expect((await send(JSON.stringify({ orderId: id, orderPrice: 500, paid: true }))).status).toBe(422)
  expect((await browser.fetch('/create-payment-intent')).status).toBe(405)
})

test('removes the client secret from the URL after the bank’s redirect', async ({ shop }) => {
  const { browser, path } = await unpaidOrder(shop)
  const back = `${path}?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=`
  expect((await browser.get(`${back}succeeded`)).path).toBe(path)
  const failed = await browser.get(`${back}failed`)
  expect(failed.path).toBe(`${path}?from=bank`)
  expect(failed.text).toContain('Your bank did not confirm the payment, and nothing was charged.')
})

test('returns to the payment page after sign-in, without the client secret', async ({ shop }) => {
  const { ada, path } = await unpaidOrder(shop)
  const { email, password } = ada
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
  const { violin, ada, browser } = await unpaidOrder(shop, { quantity: 8 })
  const page = await browser.get(`/instruments/${violin}`)
  const fields = { orderQuantity: '5', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const refused = await browser.press(page, 'Order Now', fields)
  expect(refused.text).toContain('Cannot be more than available')
  expect(refused.text).toContain('Replace my unpaid order of 8 pieces')
  const placed = await browser.press(refused, 'Order Now', { ...fields, replaceUnpaid: 'on' })
  expect(placed.path).toBe('/dashboard/myOrders')
  expect((await shop.ordersOf(ada)).map(({ quantity, state }) => `${quantity} ${state}`).sort()).toEqual([
    '5 unpaid',
    '8 cancelled',
  ])
  expect(await shop.stockOf(violin)).toBe(5)
})
