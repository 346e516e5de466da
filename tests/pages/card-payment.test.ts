import { expect } from 'vitest'
import type { TestBrowser } from '../support/test-browser'
import { confirm } from '../support/card-form'
import { test, type Shop } from '../support/shop'

async function anOrder(shop: Shop, { quantity = 2, price = 250_00 } = {}) {
  const violin = await shop.sells({ price, stock: 10 })
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const wanted = { orderQuantity: String(quantity), customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', wanted)
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

test('the card form is given an intent, pays it, and the shop finds it paid', async ({ shop }) => {
  const { browser, id, path } = await anOrder(shop)
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

test('the amount is the order’s: another price is refused, and a price alone must name one unpaid order', async ({
  shop,
}) => {
  const { browser, id, ada, violin } = await anOrder(shop)
  for (const orderPrice of [499.99, 0.5, 50_000]) {
    expect(await requestIntent(browser, { orderId: id, orderPrice })).toMatchObject({ status: 409 })
  }
  for (const orderPrice of [-500, 500.001, '500', null, 1e308, undefined]) {
    expect(await requestIntent(browser, { orderId: id, orderPrice }), String(orderPrice)).toMatchObject({ status: 422 })
  }
  expect(await requestIntent(browser, { orderPrice: 400 })).toMatchObject({ status: 409 })
  expect(await requestIntent(browser, { orderPrice: 500 })).toMatchObject({ status: 200 })
  const wanted = { orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', wanted)
  expect(await shop.ordersOf(ada)).toHaveLength(2)
  expect(await requestIntent(browser, { orderPrice: 500 })).toMatchObject({
    status: 409,
    body: { error: { message: 'More than one of your unpaid orders costs $500.00. Name one with orderId.' } },
  })
})

test('nobody gets an intent for, or settles, the order of somebody else', async ({ shop }) => {
  const { id } = await anOrder(shop)
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

test('a payment for one order does not pay another', async ({ shop }) => {
  const cheap = await anOrder(shop, { quantity: 1, price: 1_00 })
  const dear = await anOrder(shop, { quantity: 1, price: 9_000_00 })
  const { body } = await requestIntent(cheap.browser, { orderId: cheap.id, orderPrice: 1 })
  await confirm(shop, body.clientSecret!)
  const transactionId = transactionOf(body)
  expect(await call(dear.browser, 'PATCH', `/order/${dear.id}`, { transactionId })).toMatchObject({ status: 409 })
  expect((await shop.ordersOf(dear.ada))[0]).toMatchObject({ state: 'unpaid', transactionId: null })
  expect(await call(cheap.browser, 'PATCH', `/order/${cheap.id}`, { transactionId: 'pi_other' })).toMatchObject({
    status: 409,
    body: { error: { message: 'Another payment has paid for this order.' } },
  })
  expect((await shop.ordersOf(cheap.ada))[0]).toMatchObject({ state: 'paid', transactionId })
})

test('a body that is no JSON, too long, of another type or with unknown fields is refused before anything happens', async ({
  shop,
}) => {
  const { browser, id } = await anOrder(shop)
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

test('a bank leads back to a clean address: the client secret does not stay in it', async ({ shop }) => {
  const { browser, path } = await anOrder(shop)
  const back = `${path}?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=`
  expect((await browser.get(`${back}succeeded`)).path).toBe(path)
  const failed = await browser.get(`${back}failed`)
  expect(failed.path).toBe(`${path}?from=bank`)
  expect(failed.text).toContain('Your bank did not confirm the payment, and nothing was charged.')
})

test('whoever comes to pay with a session that has ended signs in and is there again, without the client secret', async ({
  shop,
}) => {
  const { ada, path } = await anOrder(shop)
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

test('only the payment page lets frames of the payment service in', async ({ shop }) => {
  const { browser, path } = await anOrder(shop)
  const policy = (await browser.get(path)).headers.get('content-security-policy')!
  expect(policy).toContain(`frame-src ${shop.sandbox.url}`)
  expect((await browser.get('/dashboard/myOrders')).headers.get('content-security-policy')).not.toContain('frame-src')
})

test('a customer whose own unpaid order has the last pieces is offered to replace it', async ({ shop }) => {
  const { violin, ada, browser } = await anOrder(shop, { quantity: 8 })
  const page = await browser.get(`/instruments/${violin}`)
  const wanted = { orderQuantity: '5', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  const refused = await browser.press(page, 'Order Now', wanted)
  expect(refused.text).toContain('Cannot be more than available')
  expect(refused.text).toContain('Instead of my unpaid order of 8 pieces')
  const placed = await browser.press(refused, 'Order Now', { ...wanted, replaceUnpaid: 'on' })
  expect(placed.path).toBe('/dashboard/myOrders')
  expect((await shop.ordersOf(ada)).map(({ quantity, state }) => `${quantity} ${state}`).sort()).toEqual([
    '5 unpaid',
    '8 cancelled',
  ])
  expect(await shop.stockOf(violin)).toBe(5)
})
