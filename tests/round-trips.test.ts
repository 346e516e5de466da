import { orders } from '../app/db/schema'
import { startCheckout } from '../app/store/payments/payments.server'
import { createApiKey } from '../app/store/integrations/api-keys.server'
import { confirmOrderPayment } from '../app/store/payments/confirm-payment.server'
import { programOf } from './support/api-client'
import { confirm } from './support/card-form'
import { payAt } from './support/hosted-page'
import { expect, test, type Shop } from './support/shop'
import { FaultProxy } from '../dev/fault-proxy'
import { signed } from './stress/provider'

test('makes at most one database call for a public page', async ({ shop }) => {
  const trips = await counting(shop)
  await shop.sells({ name: 'Violin' })
  const visitor = shop.visitor()
  const paths = [
    '/',
    '/home',
    '/allInstruments',
    '/allInstruments?q=violin&sort=price',
    '/catalog/violin',
    '/compare?ids=violin,viola',
    '/reviews',
    '/sitemap.xml',
    '/catalog.html',
  ]
  for (const path of paths) expect([path, await trips(() => visitor.get(path))]).toEqual([path, 1])
  expect(await trips(() => visitor.get('/instruments', { accept: 'application/json' }))).toBe(1)
  // A search that does not find what was typed asks once more; a page notes it after the response.
  for (const q of ['theremin', 'violn', 'violn for begginers', 'used violin', 'strings for a violn', 'violin rosin'])
    for (const query of [`q=${q}`, `q=${q}&max=1&inStock=1`]) {
      const [page, list] = [`/allInstruments?${query}`, `/instruments?${query}`]
      expect([page, (await trips(() => visitor.get(page))) <= 3]).toEqual([page, true])
      expect([list, (await trips(() => visitor.get(list, { accept: 'application/json' }))) <= 2]).toEqual([list, true])
    }
  const alone = ['/login', '/register', '/forgot-password', '/nowhere', '/openapi.json', '/sw.js']
  for (const path of alone) expect([path, await trips(() => visitor.get(path))]).toEqual([path, 0])
})

test('makes at most two database calls for a signed-in page', async ({ shop }) => {
  const trips = await counting(shop)
  const { instrument, order, customerId, customer, admin } = await busyShop(shop)
  const common = ['/', '/allInstruments', '/reviews', '/dashboard', '/nowhere']
  const own = [
    `/instruments/${instrument}`,
    '/dashboard/addReview',
    '/dashboard/myProfile',
    '/dashboard/myProfile/sessions',
    '/dashboard/myProfile/secondFactor',
    '/login/confirm',
    '/dashboard/myOrders',
    `/dashboard/myOrders/${order}`,
    `/instruments/${instrument}?again=${order}`,
    `/dashboard/myOrders/payment/${order}`,
    `/dashboard/myOrders/receipt/${order}`,
    `/dashboard/myOrders/invoice/${order}`,
  ]
  const dashboard = [
    '/dashboard/makeAdmin',
    '/dashboard/makeAdmin?q=ada',
    `/dashboard/makeAdmin?make=${customerId}`,
    `/dashboard/makeAdmin/${customerId}`,
    '/dashboard/addProduct',
    '/dashboard/manageProduct',
    '/dashboard/manageProduct.csv',
    '/dashboard/manageProduct/import',
    '/dashboard/manageProduct/pictures',
    `/dashboard/manageProduct/several?product=${instrument}`,
    `/dashboard/manageProduct?delete=${instrument}`,
    `/dashboard/manageProduct/${instrument}`,
    `/dashboard/manageProduct/${instrument}/history`,
    `/dashboard/addProduct?from=${instrument}`,
    '/dashboard/shopEmails',
    '/dashboard/settings/pages',
    '/dashboard/settings/pages/new?starter=terms',
    '/dashboard/settings/discounts',
    '/dashboard/settings/emails',
    '/dashboard/settings/emails/order-paid',
    '/dashboard/settings/families',
    '/dashboard/settings/families/brass',
    '/dashboard/settings',
    '/dashboard/reports',
    '/dashboard/problems',
    '/dashboard/settings/keys',
    '/dashboard/settings/webhooks',
    '/dashboard/reports.csv',
    '/dashboard/reports.csv?month=2026-11',
    '/dashboard/reports.csv?of=searches',
    '/dashboard/manageOrders',
    '/dashboard/manageOrders?status=unpaid',
    '/dashboard/manageOrders?q=ada&from=2026-01-01',
    '/dashboard/manageOrders.csv',
    `/dashboard/manageOrders/${order}`,
    `/dashboard/manageOrders/${order}/packingSlip`,
    `/dashboard/manageOrders/${order}/refund?amount=1&reason=Dent`,
    `/dashboard/manageOrders/packingSlips?order=${order}`,
    '/dashboard/manageOrders/pickingList',
    '/dashboard/manageOrders?status=refunded',
  ]
  const over: [string, number][] = []
  for (const [visitor, paths] of [
    [customer, [...common, ...own]],
    [admin, [...common, ...dashboard]],
  ] as const) {
    for (const path of paths) {
      let status = 0
      const count = await trips(async () => ({ status } = await visitor.get(path)))
      expect([path, status]).toEqual([path, path === '/nowhere' ? 404 : 200])
      if (count > 2) over.push([path, count])
    }
  }
  expect(over).toEqual([])
})

test('orders, pays and logs in with few database calls, emails included', async ({ shop }) => {
  const trips = await counting(shop)
  const instrumentId = await shop.sells({ price: 10_00 })
  const ada = await shop.customer()
  const program = await programOf(shop, ada)
  const counts: Record<string, number> = {}
  const count = async (what: string, act: () => Promise<{ status: number }>, expected = 200) => {
    counts[what] = await trips(async () => {
      expect([what, (await act()).status]).toEqual([what, expected])
      await shop.waitUntilIdle()
    })
  }
  let answer: Record<string, string> = {}
  const call = (what: string, method: string, path: string, body: object) =>
    count(what, async () => {
      const response = await program.call<Record<string, string>>(method, path, body)
      answer = response.body
      return response
    })
  const delivery = { orderQuantity: 1, customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await call('order', 'POST', '/order', { instrumentId, ...delivery })
  const order = answer.insertedId!
  await call('intent', 'POST', '/create-payment-intent', { orderPrice: 10, orderId: order })
  const { clientSecret } = answer
  await confirm(shop, clientSecret!)
  const transactionId = clientSecret!.split('_secret_')[0]!
  const { body, signature } = await signed({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: transactionId, object: 'payment_intent' } },
  })
  const browser = shop.visitor()
  const send = (path: string, body: BodyInit, headers: Record<string, string>) =>
    browser.fetch(path, { method: 'POST', body, headers })
  await count('event', () => send('/webhooks/stripe', body, { 'stripe-signature': signature }))
  await call('confirmation', 'PATCH', `/order/${order}`, { transactionId })
  const { email, password } = ada
  const form = new URLSearchParams({ email, password })
  const instrument = await shop.sells()
  const { key } = await createApiKey(shop.deps, await shop.admin(), {
    name: 'Warehouse',
    scopes: ['catalogue:read'],
    days: 30,
    submissionId: 'round-trips',
  })
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` }
  await count('by key', () => browser.fetch(`/instruments/${instrument}`, { headers }))
  await count('login', () => send('/login', form, { origin: shop.deps.origin }), 303)
  // After the answer of an order and of an event: one marks its email as sent, which the write has claimed along.
  expect(counts).toEqual({ order: 1 + 2, intent: 2, event: 2 + 2, confirmation: 1, 'by key': 2, login: 3 })
})

async function busyShop(shop: Shop) {
  const instrument = await shop.sells()
  const customer = await shop.visitor().signIn(await shop.customer())
  const admin = await shop.visitor().signIn(await shop.admin())
  const delivery = { orderQuantity: '1', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await customer.press(await customer.get(`/instruments/${instrument}`), 'Order Now', delivery)
  const [order] = await shop.deps.db.select().from(orders)
  const { url } = await startCheckout(shop.deps, { id: order!.customerId }, order!.id)
  await payAt(url)
  await confirmOrderPayment(shop.deps, order!.id)
  await customer.waitUntilIdle()
  return { instrument, order: order!.id, customerId: order!.customerId, customer, admin }
}

async function counting(shop: Shop) {
  const proxy = new FaultProxy()
  await shop.configure({ DATABASE_URL: await proxy.open('database', () => shop.database.url) })
  return async (act: () => Promise<unknown>) => {
    const before = proxy.requests.length
    await act()
    return proxy.requests.length - before
  }
}
