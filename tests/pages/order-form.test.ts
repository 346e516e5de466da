import { expect, vi } from 'vitest'
import { test, parcel } from '../support/shop'

/** R54 */
const paymentPage = /^\/dashboard\/myOrders\/payment\/[\w-]+$/

test('places an order through the form, and leads to the page of its payment', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Concert Violin', price: 1_450_00, minimum: 2, stock: 10 })
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const page = await browser.get(`/instruments/${violin}`)
  const after = await browser.press(page, 'Order Now', { ...parcel, orderQuantity: '3' })

  const [order] = await shop.ordersOf(ada)
  expect(after.path).toBe(`/dashboard/myOrders/payment/${order!.id}`)
  expect(after.text).toContain('New order added. Please complete payment!')
  expect(after.text).toContain('You ordered 3 pieces of Concert Violin. Please pay: $4,350.00')
  expect(await shop.stockOf(violin)).toBe(7)
  const list = await browser.get('/dashboard/myOrders')
  expect(list.text).not.toContain('New order added')
  expect(list.text).toContain('$4,350.00')
})

test.for([
  ['nothing', '', 'Order quantity is Required'],
  ['letters', 'many', 'Order quantity must be a whole number'],
  ['a fraction', '2.5', 'Order quantity must be a whole number'],
  ['a negative number', '-3', 'cannot be less than minimum order'],
  ['zero', '0', 'cannot be less than minimum order'],
  ['one below the minimum', '1', 'cannot be less than minimum order'],
  ['one above the stock', '11', 'Cannot be more than available'],
  ['1e308', '1e308', 'Order quantity must be a whole number'],
  ['2^63', '9223372036854775808', 'Cannot be more than available'],
  ['infinity', 'Infinity', 'Order quantity must be a whole number'],
  ['a NUL', '2\u0000', 'Order quantity must be a whole number'],
  ['HTML', '<b>2</b>', 'Order quantity must be a whole number'],
] as const)('a quantity of %s is refused beside the field and stores nothing', async ([, typed, message], { shop }) => {
  const violin = await shop.sells({ minimum: 2, stock: 10 })
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const response = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', {
    ...parcel,
    orderQuantity: typed,
  })
  expect(response.status).toBe(422)
  expect(response.page.querySelector('#orderQuantity-error')?.textContent).toBe(message)
  expect(response.page.querySelector('#customerAddress')?.textContent.trim()).toBe('1 Bow Lane')
  expect(await shop.ordersOf(ada)).toEqual([])
  expect(await shop.stockOf(violin)).toBe(10)
})

test.for([
  ['an empty address', { customerAddress: '   ' }, 'customerAddress', 'Address is Required'],
  [
    '100 kB of address',
    { customerAddress: 'x'.repeat(100_000) },
    'customerAddress',
    'Address must be at most 500 characters',
  ],
  [
    'a NUL in the address',
    { customerAddress: 'a\u0000b' },
    'customerAddress',
    'Address contains characters that are not allowed',
  ],
  ['an empty phone', { customerPhone: '' }, 'customerPhone', 'Phone is Required'],
  ['ten digits of phone', { customerPhone: '0123456789' }, 'customerPhone', 'Phone must be 11 digits'],
  ['words for a phone', { customerPhone: 'call my mother' }, 'customerPhone', 'Phone must be 11 digits'],
] as const)('refuses %s beside the field and preserves the input', async ([, wrong, field, message], { shop }) => {
  const violin = await shop.sells()
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const response = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', {
    ...parcel,
    orderQuantity: '2',
    ...wrong,
  })
  expect(response.status).toBe(422)
  expect(response.page.querySelector(`#${field}-error`)?.textContent).toBe(message)
  expect(response.page.querySelector('#orderQuantity')?.getAttribute('value')).toBe('2')
  expect(await shop.ordersOf(ada)).toEqual([])
})

test('escapes user input on every page', async ({ shop }) => {
  const violin = await shop.sells({ name: '<script>alert(1)</script> & Söhne 🎻' })
  const browser = await shop.visitor().signIn(await shop.customer({ name: '</script><img src=x onerror=alert(1)>' }))
  const page = await browser.get(`/instruments/${violin}`)
  const after = await browser.press(page, 'Order Now', { ...parcel, customerAddress: '<b>李</b>', orderQuantity: '1' })
  expect(after.path).toMatch(paymentPage)
  for (const { html } of [page, after]) {
    expect(html).not.toContain('<script>alert(1)')
    expect(html).not.toContain('<img src=x')
  }
  expect(after.text).toContain('<script>alert(1)</script> & Söhne 🎻')
})

test('refuses an order whose page was shown to another customer', async ({ shop }) => {
  const violin = await shop.sells()
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const page = await (await shop.visitor().signIn(ada)).get(`/instruments/${violin}`)
  const browser = await shop.visitor().signIn(bea)
  const response = await browser.press(page, 'Order Now', { ...parcel, orderQuantity: '1' })
  expect(response.status).toBe(409)
  expect(response.text).toContain(`You are logged in as ${bea.email} now. Nothing was ordered. Reload this page.`)
  expect([await shop.ordersOf(ada), await shop.ordersOf(bea)]).toEqual([[], []])
})

test('ignores fields that customers must not set', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00 })
  const [ada, bea] = [await shop.customer(), await shop.customer()]
  const browser = await shop.visitor().signIn(ada)
  const extraFields = {
    customerEmail: bea.email,
    customerId: bea.id,
    orderPrice: '0.01',
    totalCents: '1',
    state: 'paid',
    transactionId: 'pi_free',
  }
  const page = await browser.get(`/instruments/${violin}`)
  await browser.press(page, 'Order Now', { ...parcel, orderQuantity: '1' }, { extraFields })
  expect(await shop.ordersOf(ada)).toMatchObject([{ customerEmail: ada.email, totalCents: 100_00, state: 'unpaid' }])
  expect(await shop.ordersOf(bea)).toEqual([])
})

test('accepts a fractional hold and rejects empty hours at startup', async ({ shop }) => {
  const violin = await shop.sells({ stock: 3 })
  const ada = await shop.customer()
  await shop.configure({ ORDER_HOLD_HOURS: '0.57' })
  const browser = await shop.visitor().signIn(ada)
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', { ...parcel, orderQuantity: '3' })
  const [order] = await shop.ordersOf(ada)
  expect(order!.holdUntil! - order!.createdAt).toBe(2_052_000)
  await shop.configure({ ORDER_HOLD_HOURS: '' })
  expect((await shop.visitor().get('/home')).status).toBe(500)
  await vi.waitUntil(() => shop.log.join('\n').includes('ORDER_HOLD_HOURS'), { timeout: 15_000 })
})

test('accepts a corrected quantity on the error page', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10 })
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const page = await browser.get(`/instruments/${violin}`)
  const refused = await browser.press(page, 'Order Now', { ...parcel, orderQuantity: '99' })
  expect(refused.page.querySelector('#orderQuantity-error')?.textContent).toBe('Cannot be more than available')
  expect((await browser.press(refused, 'Order Now', { orderQuantity: '2' })).path).toMatch(paymentPage)
  expect(await shop.ordersOf(ada)).toMatchObject([{ quantity: 2 }])
})

test.for([
  [0, 'Sold out. You cannot order it right now.'],
  [3, 'Only 3 left, below the minimum order. You cannot order it right now.'],
] as const)('shows a message and links on Purchase with %i left', async ([stock, words], { shop }) => {
  const violin = await shop.sells({ stock, minimum: 4 })
  const browser = await shop.visitor().signIn(await shop.customer())
  for (const path of ['/', '/allInstruments']) {
    const { page } = await browser.get(path)
    const links = page.querySelectorAll('a').filter((link) => /^purchase$/i.test(link.textContent.trim()))
    expect([path, links.map((link) => link.getAttribute('href'))]).toEqual([path, [`/instruments/${violin}`]])
  }
  const { text, page } = await browser.get(`/instruments/${violin}`)
  expect(text).toContain(words)
  expect(page.querySelectorAll('main .actions a').map((link) => link.getAttribute('href'))).toEqual([
    `/dashboard/wishes?instrument=${violin}`,
    '/allInstruments',
    '/home#contact',
  ])
})

test('says what is bought, where it goes and how long it is held', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Concert Violin', price: 1_450_00, minimum: 2, stock: 10 })
  const ada = await shop.customer({ name: 'Ada' })
  const browser = await shop.visitor().signIn(ada)
  const purchase = await browser.get(`/instruments/${violin}`)
  const { page, text } = purchase
  expect(page.querySelector('h1 a')?.getAttribute('href')).toBe('/catalog/concert-violin')
  expect(page.querySelector('[data-total]')?.textContent).toBe('from $2,900.00')
  expect(page.querySelectorAll('[readonly]').map((field) => field.getAttribute('value'))).toEqual(['Ada', ada.email])
  expect(text).toContain('Delivery is included in the price. We reserve')
  expect(text).toContain('We reserve your pieces for 72 hours, and cancel the order if it is not paid by then.')
  expect(text).not.toContain('not verified')
  const refused = await browser.press(purchase, 'Order Now', { ...parcel, orderQuantity: '3', customerPhone: '1' })
  expect(refused.page.querySelector('[data-total]')?.textContent).toBe('$4,350.00')
  expect(refused.page.querySelector('.order-bar')?.textContent).toContain('Total for 3')
  await shop.configure({ ORDER_HOLD_HOURS: '0', DELIVERY_TIME: '5 to 8 days', RETURNS: 'Within 30 days' })
  const later = await shop.visitor().signIn(ada)
  expect((await later.get(`/instruments/${violin}`)).text).toContain(
    'Delivery takes 5 to 8 days, and is included in the price. Returns: Within 30 days. We reserve your pieces until you pay or cancel.',
  )
})

test('says that an order is not paid yet, with the way to pay it', async ({ shop }) => {
  const [violin, oboe] = [await shop.sells(), await shop.sells({ name: 'Oboe' })]
  const ada = await shop.customer()
  const browser = await shop.visitor().signIn(ada)
  const notice = async () => (await browser.get(`/instruments/${violin}`)).page.querySelector('.notice')
  expect(await notice()).toBeNull()
  await browser.press(await browser.get(`/instruments/${oboe}`), 'Order Now', { ...parcel, orderQuantity: '1' })
  const [order] = await shop.ordersOf(ada)
  expect((await notice())!.text).toBe('Your order C-1001 is not paid yet. Pay it')
  expect((await notice())!.querySelector('a')!.getAttribute('href')).toBe(`/dashboard/myOrders/payment/${order!.id}`)
  const again = await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', {
    ...parcel,
    orderQuantity: '1',
  })
  expect(again.path).toMatch(paymentPage)
  expect((await notice())!.text).toBe('You have 2 unpaid orders. My Orders')
})
