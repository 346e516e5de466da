import { sessions } from '../../app/db/schema'
import { payAt } from '../support/hosted-page'
import { startCheckout } from '../../app/store/payments/payments.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { programOf } from '../support/api-client'
import { expect, parcel, test, type Shop } from '../support/shop'

const path = '/dashboard/settings/discounts'

async function makes(shop: Shop, fields: Record<string, string>, extraFields = {}) {
  const admin = await shop.signedIn(await shop.admin())
  return { admin, made: await admin.press(await admin.get(path), 'Make the code', fields, { extraFields }) }
}

test('an admin makes a code, sees how often it is used, and ends it', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 100_00, stock: 20 })
  const { admin, made } = await makes(shop, {
    ...{
      code: 'spring-10',
      percent: '10',
      until: '2099-12-31',
      minTotal: '150',
      maxUses: '5',
      maxUsesPerCustomer: '2',
    },
    ...{ instruments: 'Viola', combines: 'on' },
  })
  expect([made.path, made.text.includes('The code SPRING-10 is made.')]).toEqual([path, true])
  const row = async () => (await admin.get(path)).page.querySelector('main tbody tr')!.text.replace(/\s+/g, ' ')
  expect(await row()).toMatch(
    /SPRING-10.*10% off from \$150\.00, volume and sale prices too.*until 31 Dec 2099.*Viola.*0 of 5 2 each.*End/,
  )
  const ada = await shop.signedIn(await shop.customer())
  const order = { orderQuantity: '2', ...parcel }
  const form = await ada.get(`/instruments/${violin}`)
  const paying = await ada.press(form, 'Order Now', { ...order, code: ' Spring-10 ' })
  expect(paying.path).toMatch(/^\/dashboard\/myOrders\/payment\//)
  expect(paying.text).toContain('New order added. Please complete payment!')
  expect(paying.page.querySelector('.total')!.text).toBe('$180.00')
  expect(paying.text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')).toContain('$20.00 off with code SPRING-10.')
  expect(await row()).toContain('1 of 5')
  await admin.press(await admin.get(path), 'End')
  expect(await row()).toMatch(/Ended/)
  const late = await ada.press(await ada.get(`/instruments/${violin}`), 'Order Now', { ...order, code: 'SPRING-10' })
  expect([late.status, late.text.includes('This code has ended.')]).toEqual([422, true])
  // What was typed is there again, and the field is open.
  const field = late.page.querySelector('#code')!
  expect([field.getAttribute('value'), field.closest('details')!.hasAttribute('open')]).toEqual(['SPRING-10', true])
})

test('shows the form of a code again with what is wrong in it', async ({ shop }) => {
  const { made } = await makes(shop, { code: 'x', percent: '10', amount: '5' }, { families: 'brass' })
  expect(made.status).toBe(422)
  for (const words of ['A code has 3 to 30 letters, digits and hyphens', 'There is a problem'])
    expect(made.text).toContain(words)
  expect(made.page.querySelector('#family-brass')!.hasAttribute('checked')).toBe(true)
  expect(made.page.querySelector('#code')!.getAttribute('value')).toBe('x')
})

test('a link with a code fills it in, shows the lower total, and says why one does not count', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 50, priceBreaks: [{ from: 10, priceCents: 80_00 }] })
  await makes(shop, { code: 'TEN', percent: '10' })
  const ada = await shop.signedIn(await shop.customer())
  const totalAt = async (query: string) => {
    const { page } = await ada.get(`/instruments/${violin}?${query}`)
    return page.querySelector('[data-total]')!.text
  }
  expect([
    ...[await totalAt('quantity=3'), await totalAt('quantity=3&code=ten'), await totalAt('quantity=10&code=TEN')],
    await totalAt('code=TEN'),
  ]).toEqual(['$300.00', '$270.00', '$800.00', 'from $90.00'])
  const page = await ada.get(`/instruments/${violin}?code=ten`)
  expect(page.page.querySelector('#code')!.getAttribute('value')).toBe('TEN')
  expect(page.text).toContain('TEN: 10% off')
  const unknown = await ada.get(`/instruments/${violin}?code=NONE`)
  expect(unknown.text).toContain('There is no such code. Check the spelling, or leave it empty.')
  const ordered = await ada.press(page, 'Order Now', { orderQuantity: '3', ...parcel })
  expect(ordered.page.querySelector('.total')!.text).toBe('$270.00')
})

test('a visitor who comes by a link with a code finds it filled in after registering', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 20 })
  await makes(shop, { code: 'TEN', percent: '10' })
  const visitor = shop.visitor()
  const login = await visitor.get(`/instruments/${violin}?code=TEN`)
  expect(login.path).toBe(`/login?redirectTo=${encodeURIComponent(`/instruments/${violin}?code=TEN`)}`)
  const register = await visitor.get(login.page.querySelector('.ways a[href^="/register"]')!.getAttribute('href')!)
  const joiner = { name: 'Bela', email: 'bela@example.com', password: 'correct horse' }
  const { page } = await visitor.press(register, 'Register', joiner)
  expect(page.querySelector('#code')!.getAttribute('value')).toBe('TEN')
})

test('a code that was typed is there again after a login in between', async ({ shop }) => {
  const violin = await shop.sells({ price: 100_00, stock: 20 })
  await makes(shop, { code: 'TEN', percent: '10' })
  const customer = await shop.customer()
  const ada = await shop.visitor().signIn(customer)
  const form = await ada.get(`/instruments/${violin}?quantity=2`)
  await shop.deps.db.delete(sessions)
  const login = await ada.press(form, 'Order Now', { ...parcel, code: 'ten' })
  const again = await ada.press(login, 'Login', { email: customer.email, password: customer.password })
  expect(again.page.querySelector('#code')!.getAttribute('value')).toBe('ten')
  const paying = await ada.press(again, 'Order Now')
  expect(paying.page.querySelector('.total')!.text).toBe('$180.00')
})

test('shows the discount on the order, receipt, invoice, emails, CSV, reports and JSON', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 100_00, stock: 20 })
  const { admin } = await makes(shop, { code: 'TEN', percent: '10' })
  const customer = await shop.customer()
  const ada = await programOf(shop, customer)
  const order = { instrumentId: violin, orderQuantity: 2, ...parcel, code: 'ten' }
  expect(await ada.call('POST', '/order', { ...order, orderPrice: 200 })).toMatchObject({ status: 409 })
  const placed = await ada.call('POST', '/order', { ...order, orderPrice: 180 })
  expect(placed.status).toBe(200)
  const id = String(placed.body.insertedId)
  expect((await ada.call('GET', `/order/${id}`)).body).toMatchObject({ orderPrice: 180, code: 'TEN', discount: 20 })
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
  await shop.readLog()

  const words = '$20.00 off with code TEN, in the price'
  const browser = await shop.signedIn(customer)
  for (const page of [`myOrders/${id}`, `myOrders/receipt/${id}`, `myOrders/invoice/${id}`])
    expect([page, (await browser.get(`/dashboard/${page}`)).text.includes(words)]).toEqual([page, true])
  expect((await admin.get(`/dashboard/manageOrders/${id}`)).text).toContain(words)
  const csv = await (await admin.fetch('/dashboard/manageOrders.csv')).text()
  expect(csv).toMatch(/,"Discount code","Discount","Dispute"\r\n/)
  expect(csv.replaceAll('"', '')).toMatch(/,90\.00,180\.00,.*,TEN,20\.00,\r\n/)
  const report = (await (await admin.fetch('/dashboard/reports.csv')).text()).replaceAll('"', '')
  expect(report).toMatch(/^\uFEFF?Month,Orders,Pieces,Revenue,Refunds,After refunds,Discounts,/)
  expect(report).toMatch(/,1,2,180\.00,0\.00,180\.00,20\.00,/)
  expect((await admin.get('/dashboard/reports')).text).toContain('$20.00')
  const emails = (await shop.emailsTo(customer.email)).filter(({ text }) => text.includes(words))
  expect(emails.length).toBeGreaterThanOrEqual(1)
})

test('a program reads why a code does not count, and cannot search for codes', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Viola', price: 100_00, stock: 20 })
  await makes(shop, { code: 'TEN', percent: '10', minTotal: '500' })
  const ada = await programOf(shop, await shop.customer())
  const order = (code: string) =>
    ada.call('POST', '/order', { instrumentId: violin, orderQuantity: 1, ...parcel, code })
  expect(await order('TEN')).toMatchObject({
    status: 422,
    body: { error: { fields: { code: ['This code counts for orders of $500.00 or more.'] } } },
  })
  for (let nth = 0; nth < 10; nth++)
    expect(await order(`NONE-${nth}`)).toMatchObject({
      status: 422,
      body: { error: { fields: { code: ['There is no such code. Check the spelling, or leave it empty.'] } } },
    })
  const over = await order('NONE')
  expect([over.status, Number(over.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await order('TEN')).toMatchObject({ status: 429 })
  expect(await ada.call('POST', '/order', { instrumentId: violin, orderQuantity: 1, ...parcel })).toMatchObject({
    status: 200,
  })
})
