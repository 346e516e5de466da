import { eq } from 'drizzle-orm'
import { instruments } from '../../app/db/schema'
import { releaseExpiredHolds } from '../../app/store/ordering/holds.server'
import { aPaidOrder, anOrder, cancelBehindItsBack, later } from '../support/payments'
import { refund } from '../support/refund'
import { expect, test, type Customer, type Shop } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const pathOf = (id: string) => `/dashboard/myOrders/${id}`
const signedIn = (shop: Shop, { customer }: { customer: { id: string } }) => shop.signedIn(customer)
const linksOf = ({ page }: PageResponse) => page.querySelectorAll('main .actions a').map((link) => link.textContent)
const eventsOf = ({ page }: PageResponse) =>
  page.querySelectorAll('main ol li').map((item) => item.textContent.replace(/^.* UTC ?/, ''))
const noticeOf = ({ page }: PageResponse) => page.querySelector('main .notice')!.textContent
const valueOf = ({ page }: PageResponse, field: string) => {
  const control = page.querySelector(`#${field}`)!
  return control.getAttribute('value') ?? control.textContent.trim()
}
const alter = (shop: Shop, id: string, columns: Partial<typeof instruments.$inferInsert>) =>
  shop.deps.db.update(instruments).set(columns).where(eq(instruments.id, id))

test('shows an unpaid order to its customer only, and cancels it on its page', async ({ shop }) => {
  const order = await anOrder(shop)
  const ada = await signedIn(shop, order)
  const list = await ada.get('/dashboard/myOrders')
  const link = list.page.querySelector('main tbody th a')!
  expect([link.getAttribute('href'), link.textContent]).toEqual([pathOf(order.id), 'Concert Violin · C-1001'])
  const page = await ada.get(pathOf(order.id))
  expect(page.html).not.toMatch(/<script [^>]*(src|module)|modulepreload/)
  for (const words of ['Order C-1001', '$250.00', '$500.00', 'Unpaid', 'Reserved until ', '1 Bow Lane'])
    expect(page.text).toContain(words)
  expect(linksOf(page)).toEqual(['Pay', 'Order Again', 'Back to My Orders'])
  expect(eventsOf(page)).toEqual(['You placed the order.'])

  for (const user of [await shop.customer(), await shop.admin()]) {
    const other = await shop.visitor().signIn(user)
    expect((await other.get(pathOf(order.id))).status).toBe(404)
    expect((await other.post(pathOf(order.id), {})).status).toBe(404)
  }
  expect((await ada.get(pathOf('none'))).status).toBe(404)
  const visitor = shop.visitor()
  const { email, password } = order.customer as Customer
  const login = await visitor.get(pathOf(order.id))
  expect((await visitor.press(login, 'Login', { email, password })).path).toBe(pathOf(order.id))

  for (const tab of [page, page]) {
    const cancelled = await ada.press(tab, 'Cancel')
    expect([cancelled.status, cancelled.path]).toEqual([200, pathOf(order.id)])
    expect(cancelled.text).toContain('Order Cancelled!')
    expect(linksOf(cancelled)).toEqual(['Order Again', 'Back to My Orders'])
    expect(eventsOf(cancelled)[1]).toBe('You cancelled this order. Nothing was charged.')
  }
  expect(await shop.stockOf(order.violin)).toBe(10)
})

test('says on the payment page that the order was cancelled in another tab, and leads to it', async ({ shop }) => {
  const order = await anOrder(shop)
  const ada = await signedIn(shop, order)
  const path = `/dashboard/myOrders/payment/${order.id}`
  const open = await ada.get(path)
  await ada.press(await ada.get(pathOf(order.id)), 'Cancel')
  await ada.get(pathOf(order.id)) // takes the toast
  for (const page of [await ada.press(open, 'Pay on the secure page'), await ada.get(path)]) {
    expect([page.status, page.path]).toEqual([410, path])
    expect(noticeOf(page)).toBe('You cancelled this order. Nothing was charged.')
    expect(page.page.querySelectorAll('main .actions a').map((link) => link.getAttribute('href'))).toEqual([
      `/instruments/${order.violin}?again=${order.id}`,
      pathOf(order.id),
      '/dashboard/myOrders',
    ])
  }
  // Stripe had the money, and the shop has not heard of it yet.
  const back = await ada.get(`${path}?from=checkout`)
  expect(noticeOf(back)).toBe(
    'This order was cancelled before your payment arrived. We refund the payment to your card.',
  )
  const stranger = await shop.visitor().signIn(await shop.customer())
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.post(path, {})).status).toBe(404)
})

test('shows payment, parcel and refunds of an order in the words of its customer', async ({ shop }) => {
  const order = await aPaidOrder(shop)
  const ada = await signedIn(shop, order)
  const path = pathOf(order.id)
  const admin = await shop.visitor().signIn(await shop.admin())
  const manage = `/dashboard/manageOrders/${order.id}`
  await admin.press(await admin.get(manage), 'Save note', { note: 'A secret' })
  const trackingUrl = 'https://ups.example/1'
  await admin.press(await admin.get(manage), 'Ship Now', { carrier: 'UPS', trackingNumber: '1Z', trackingUrl })
  await refund(admin, order.id, { amount: '20.50', reason: 'A <dent>' })
  await shop.faults({ stripe: { failNext: 50, status: 503 } })
  await refund(admin, order.id, { amount: '1', reason: 'Late' })

  const page = await ada.get(path)
  expect(eventsOf(page)).toEqual([
    'You placed the order.',
    'You paid $500.00 by card.',
    'Your order is on its way to you.',
    'We have refunded $20.50 of your order to your card. Banks take 5 to 10 days to show it. Reason: A <dent>',
    'We are refunding $1.00 to your card. Reason: Late',
  ])
  expect(linksOf(page)).toEqual([
    ...['Order Again', 'Receipt', 'Invoice INV-1-1', 'Credit note CN-1-1', 'Back to My Orders'],
  ])
  expect(page.page.querySelector(`a[href="${trackingUrl}"]`)).not.toBeNull()
  for (const words of ['Paid', 'Shipped', 'UPS', '1Z', '$21.50', order.transactionId])
    expect(page.text).toContain(words)
  const data = await (await ada.fetch(`${path}.data`)).text()
  for (const secret of ['A secret', 'The Shopkeeper', 'note changed'])
    expect([secret, (page.html + data).includes(secret)]).toEqual([secret, false])
  const refused = await ada.post(path, {})
  expect([refused.status, refused.page.querySelector('#form-error')!.textContent]).toEqual([
    409,
    'This order is paid and can no longer be cancelled.',
  ])
})

test('says that an order was not paid in time', async ({ shop }) => {
  const order = await anOrder(shop)
  const ada = await signedIn(shop, order)
  await releaseExpiredHolds(later(shop, 73 * 60), 10)
  const page = await ada.get(pathOf(order.id))
  const why = 'Your order was not paid in time, so we have cancelled it. Nothing was charged.'
  expect(eventsOf(page)[1]).toBe(why)
  expect(noticeOf(await ada.get(`/dashboard/myOrders/payment/${order.id}`))).toBe(why)
})

test('fills in the purchase page from an order, at the price of today', async ({ shop }) => {
  const order = await anOrder(shop)
  const ada = await signedIn(shop, order)
  await ada.press(await ada.get('/dashboard/myProfile'), 'Update Profile', { name: 'Ada', address: '2 Elsewhere' })
  await alter(shop, order.violin, { priceCents: 300_00, version: 2 })
  const page = await ada.get(pathOf(order.id))
  const link = page.page.querySelectorAll('main a').find(({ textContent }) => textContent === 'Order Again')!
  const path = `/instruments/${order.violin}?again=${order.id}`
  expect(link.getAttribute('href')).toBe(path)
  const form = await ada.get(path)
  const filled = ['orderQuantity', 'customerAddress', 'customerPhone'].map((field) => valueOf(form, field))
  expect(filled).toEqual(['2', '1 Bow Lane', '07700 900123'])
  expect([form.page.querySelector('[data-total]')!.textContent, form.text.includes('C-1001')]).toEqual([
    '$600.00',
    true,
  ])
  await ada.press(form, 'Order Now')
  expect(await shop.ordersOf(order.customer)).toHaveLength(2)

  const stranger = await shop.visitor().signIn(await shop.customer())
  const empty = await stranger.get(path)
  expect([valueOf(empty, 'customerAddress'), empty.text.includes('C-1001')]).toEqual(['', false])
})

test('says on the order and on the purchase page what cannot be ordered again', async ({ shop }) => {
  shop.skipInvariants('the minimum rises without a trace')
  const order = await anOrder(shop, { stock: 5, quantity: 3 })
  const ada = await signedIn(shop, order)
  const path = `/instruments/${order.violin}?again=${order.id}`
  const look = async () => {
    const [page, form] = [await ada.get(pathOf(order.id)), await ada.get(path)]
    expect([page.status, form.status]).toEqual([200, 200])
    return { page, form, hrefs: page.page.querySelectorAll('main .actions a').map((link) => link.getAttribute('href')) }
  }
  expect((await look()).form.text).toContain('Only 2 left today')
  await cancelBehindItsBack(shop, order.id)
  await alter(shop, order.violin, { minQuantity: 4, version: 2 })
  const more = (await look()).form
  expect([valueOf(more, 'orderQuantity'), more.text.includes('The minimum order is 4 today.')]).toEqual(['', true])
  const bea = await shop.signedIn(await shop.customer())
  const delivery = { orderQuantity: '4', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
  await bea.press(await bea.get(`/instruments/${order.violin}`), 'Order Now', delivery)
  const short = await look()
  expect(short.page.text).toContain('Only 1 left, below the minimum order today')
  expect(short.form.text).toContain('You cannot order it right now.')
  expect([short.hrefs.length, short.hrefs[0]!.startsWith('/catalog/')]).toEqual([2, true])
  await alter(shop, order.violin, { removedAt: 1, hidden: 1 })
  const gone = await look()
  expect([gone.form.path, gone.hrefs]).toEqual([pathOf(order.id), ['/allInstruments', '/dashboard/myOrders']])
  expect(gone.page.text).toContain('Concert Violin is not on sale any more.')
})
