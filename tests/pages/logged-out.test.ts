import { drafts, instruments, orderRefunds, quotes, reviews, sessions } from '../../app/db/schema'
import { askForPrice } from '../../app/store/quotes/quotes.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { revokeAdmin } from '../../app/store/accounts/users.server'
import { newId } from '../../app/store/shared/ids.server'
import { chooseAtGoogle } from '../support/google-page'
import { aPaidOrder } from '../support/payments'
import { appCode } from '../support/totp'
import { expect, parcel, test, type Customer, type Shop } from '../support/shop'
import type { PageResponse, TestBrowser } from '../support/test-browser'

const endSessions = (shop: Shop) => shop.deps.db.delete(sessions)
const asLeft = 'You were logged out, so nothing was saved. Your form is as you left it.'
const review = { description: 'A warm tone.\n\nI would order again: 100 % & more <3' }

/** What the form of a button has in a field. */
function valueIn({ page }: PageResponse, button: string, field: string): string | undefined {
  const form = page
    .querySelectorAll('button')
    .find((each) => each.textContent.trim() === button)!
    .closest('form')!
  const control = form.querySelector(`[name=${field}]`)
  if (!control) return undefined
  if (control.tagName === 'TEXTAREA') return control.textContent.replace(/^\n/, '')
  if (control.tagName === 'SELECT') return control.querySelector('option[selected]')?.getAttribute('value')
  return control.getAttribute('value')
}

const logIn = (browser: TestBrowser, page: PageResponse, { email, password }: Customer) =>
  browser.press(page, 'Login', { email, password })

interface Form {
  path: string
  /** Of the page with the form; it is sent to the path. */
  query?: string
  button: string
  typed: Record<string, string>
  done: string
}

/** The session ends while the form is filled in: it comes back after the login, and is sent once more. */
async function survives(
  shop: Shop,
  browser: TestBrowser,
  user: Customer,
  { path, query = '', button, typed, done }: Form,
) {
  const form = await browser.get(path + query)
  const id = valueIn(form, button, 'submissionId')
  await endSessions(shop)
  let login = await browser.press(form, button, typed)
  // The lists and pages of admins lead home (R5).
  if (login.path === '/') {
    expect(login.text, path).toContain('You were logged out. Log in to continue.')
    login = await browser.get('/login')
  } else expect(login.text, path).toContain('Log in, and your form is as you left it.')
  const again = await logIn(browser, login, user)
  expect([again.status, again.path.replace(/[?&]send=?$/, '')]).toEqual([200, path])
  expect(again.text, path).toContain(asLeft)
  for (const [name, value] of Object.entries(typed)) expect(valueIn(again, button, name), `${path} ${name}`).toBe(value)
  expect(valueIn(again, button, 'submissionId')).toBe(id)
  const sent = await browser.press(again, button)
  expect([path, sent.status, sent.text]).toEqual([path, 200, expect.stringContaining(done)])
  expect(await shop.deps.db.$count(drafts)).toBe(0)
}

test('shows every form of a customer as it was sent before the login', async ({ shop }) => {
  const violin = await shop.sells({ name: 'Violin', price: 100_00 })
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const browser = await shop.visitor().signIn(ada)
  const offered = { orderQuantity: 4, instrumentId: violin, submissionId: newId(), note: '' }
  const { id: quote } = await askForPrice(shop.deps, ada, offered)
  const shopkeeper = await shop.signedIn(admin)
  const answer = { price: '90', orderQuantity: '4' }
  await shopkeeper.press(await shopkeeper.get(`/dashboard/manageQuotes/${quote}`), 'Send the offer', answer)
  const forms: Form[] = [
    {
      path: `/instruments/${violin}`,
      button: 'Order Now',
      typed: { orderQuantity: '7', ...parcel, company: 'Ada & Daughters' },
      done: 'New order added. Please complete payment!',
    },
    { path: '/dashboard/addReview', button: 'Submit', typed: review, done: 'Thank you for your time and feedback!' },
    {
      path: '/dashboard/myProfile',
      button: 'Update Profile',
      typed: { name: 'Ada L', address: '2 Bow Lane\nCremona', phone: '07700 900124' },
      done: 'Your profile is updated',
    },
    {
      path: `/dashboard/quotes/new?instrument=${violin}`,
      button: 'Ask for a volume price',
      typed: { orderQuantity: '40', note: 'For a school' },
      done: 'Awaiting reply',
    },
    {
      path: `/dashboard/quotes/${quote}`,
      button: 'Accept: order 4 for $360.00',
      typed: { customerAddress: '9 Bow Lane', customerPhone: '07700 900125', purchaseOrder: 'PO-7' },
      done: 'New order added. Please complete payment!',
    },
  ]
  for (const form of forms) await survives(shop, browser, ada, form)
  const placed = await shop.ordersOf(ada)
  expect(placed.map(({ quantity, customerAddress }) => [quantity, customerAddress])).toEqual([
    [7, parcel.customerAddress],
    [4, '9 Bow Lane'],
  ])
  expect(await shop.deps.db.$count(reviews)).toBe(1)
  expect(await shop.deps.db.$count(quotes)).toBe(2)
})

test('shows every form of an admin as it was sent before the login', async ({ shop }) => {
  const [paid, refunded] = [await aPaidOrder(shop), await aPaidOrder(shop)]
  const admin = await shop.admin()
  const { customer, violin } = paid
  await addReview(shop.deps, customer, { ...review, submissionId: newId() })
  const asked = { orderQuantity: 4, instrumentId: violin, submissionId: newId(), note: '' }
  const [first, second] = [
    await askForPrice(shop.deps, customer, asked),
    await askForPrice(shop.deps, customer, { ...asked, submissionId: newId() }),
  ]
  const order = `/dashboard/manageOrders/${paid.id}`
  const shipment = { carrier: 'UPS', trackingNumber: '1Z 999', trackingUrl: 'https://ups.example/1Z999' }
  const product = { name: 'Piccolo', img: '/plates/x.svg', price: '349.99', minQuantity: '2', description: 'High.' }
  const browser = await shop.visitor().signIn(admin)
  const forms: Form[] = [
    {
      path: '/dashboard/addProduct',
      button: 'Add Product',
      typed: { ...product, availableQuantity: '12', breakFrom2: '10', breakPrice2: '300' },
      done: 'New Product added!',
    },
    {
      path: `/dashboard/manageProduct/${violin}`,
      button: 'Save',
      typed: { name: 'Violin 1/2', stockChange: '-1', stockNote: 'Dent' },
      done: 'Product updated.',
    },
    { path: order, button: 'Ship Now', typed: shipment, done: 'Order marked as shipped.' },
    { path: order, button: 'Save shipment', typed: { ...shipment, carrier: 'DHL' }, done: 'Shipment saved.' },
    { path: order, button: 'Save note', typed: { note: 'Call\nfirst' }, done: 'Note saved.' },
    {
      path: `/dashboard/manageOrders/${refunded.id}/refund`,
      query: '?amount=12.50&reason=Scratch&restock=1',
      button: 'Refund',
      typed: {},
      done: 'Refunded $12.50.',
    },
    {
      path: `/dashboard/manageQuotes/${first.id}`,
      button: 'Send the offer',
      typed: { price: '80', orderQuantity: '5', reply: 'With cases' },
      done: 'Your answer is on its way',
    },
    {
      path: `/dashboard/manageQuotes/${second.id}`,
      button: 'Decline',
      typed: { reason: 'Sold out' },
      done: 'Your answer is on its way',
    },
    { path: '/dashboard/reviews', button: 'Reply', typed: { reply: 'Thank you!' }, done: 'Thank you!' },
    { path: '/dashboard/manageProduct', button: 'Save', typed: { availableQuantity: '12' }, done: 'Violin 1/2' },
  ]
  for (const form of forms) await survives(shop, browser, admin, form)
  expect(await shop.deps.db.$count(orderRefunds)).toBe(1)
  expect(await shop.stockOf(violin)).toBe(10 - 2 - 1 + 5)
  expect(await shop.deps.db.$count(instruments)).toBe(3)
})

test('says that a chosen file is gone', async ({ shop }) => {
  const admin = await shop.admin()
  const browser = await shop.visitor().signIn(admin)
  await endSessions(shop)
  const form = new FormData()
  form.set('name', 'Viola')
  form.set('picture', new File(['x'.repeat(3_000_000)], 'viola.png', { type: 'image/png' }))
  const login = await browser.post('/dashboard/addProduct', form)
  const again = await logIn(browser, login, admin)
  expect(again.text).toContain(`${asLeft} Choose the file again, and send it.`)
  expect(valueIn(again, 'Add Product', 'name')).toBe('Viola')
})

test('works for a form that scripts sent, for a second form, and by Google and a second factor', async ({ shop }) => {
  const ada = await shop.customer()
  const violin = await shop.sells()
  const browser = await shop.visitor().signIn(ada)
  const factor = await browser.press(await browser.get('/dashboard/myProfile/secondFactor'), 'Set up', {
    password: ada.password,
  })
  const secret = factor.page.querySelector('main code')!.text
  await browser.press(factor, 'Switch on', { code: appCode(secret) })
  await endSessions(shop)
  const body = new URLSearchParams({ orderQuantity: '3', ...parcel })
  const sent = await browser.fetch(`/instruments/${violin}.data`, {
    method: 'POST',
    body,
    headers: { origin: shop.deps.origin },
  })
  expect([sent.status, await sent.text()]).toEqual([202, expect.stringContaining('/login?redirectTo=')])
  const login = await browser.post('/dashboard/addReview', review)
  const start = await browser.press(login, 'Continue with Google')
  const back = await chooseAtGoogle(start.location!, { email: ada.email })
  const code = await browser.get(back.pathname + back.search)
  const shown = await browser.press(code, 'Continue', { code: appCode(secret, { steps: 1 }) })
  expect([shown.path, valueIn(shown, 'Submit', 'description')]).toEqual(['/dashboard/addReview', review.description])
  const order = await browser.get(`/instruments/${violin}`)
  expect(valueIn(order, 'Order Now', 'orderQuantity')).toBe('3')
  expect(await shop.ordersOf(ada)).toEqual([])
  // What was sent is not shown again.
  await browser.press(shown, 'Submit')
  expect((await browser.get('/dashboard/addReview')).text).not.toContain(asLeft)
  expect((await browser.get('/dashboard')).path).toBe('/dashboard')
})

test('shows a draft to its own user only, in this browser, until sign-out', async ({ shop }) => {
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const browser = await shop.visitor().signIn(ada)
  const form = await browser.get('/dashboard/addReview')
  await endSessions(shop)
  const login = await browser.press(form, 'Submit', review)
  const [row] = await shop.deps.db.select().from(drafts)
  expect(row!.userId).toBe(ada.id)
  expect(Buffer.from(row!.content, 'base64url').toString()).not.toContain('warm')

  const bobs = await logIn(browser, login, bob)
  expect([bobs.path.startsWith('/dashboard/addReview'), bobs.text.includes(asLeft)]).toEqual([true, false])
  expect(bobs.html).not.toContain('A warm tone')
  const elsewhere = await shop.visitor().signIn(ada)
  expect((await elsewhere.get('/dashboard/addReview')).html).not.toContain('A warm tone')

  await endSessions(shop)
  const adas = await logIn(browser, await browser.get('/login'), ada)
  expect([adas.path, adas.html]).toEqual(['/dashboard/addReview', expect.stringContaining('A warm tone')])
  const home = await browser.press(adas, 'Sign Out')
  expect([home.path, browser.cookie('draft'), browser.cookie('session-user')]).toEqual(['/', undefined, undefined])
  expect(await shop.deps.db.$count(drafts)).toBe(0)
  const later = await logIn(browser, await browser.get('/login'), ada)
  expect((await browser.get('/dashboard/addReview')).html + later.html).not.toContain('A warm tone')
  // After sign-out nobody is known any more.
  await browser.press(later, 'Sign Out')
  await browser.post('/dashboard/addReview', review)
  expect(await shop.deps.db.$count(drafts)).toBe(0)
})

test('stores nothing for a stranger, no password or code, and little of anybody', async ({ shop }) => {
  const ada = await shop.customer()
  const forged = [undefined, ada.id, btoa(JSON.stringify(ada.id)), `${btoa(JSON.stringify(ada.id))}.x`, '%', '']
  for (const cookie of forged) {
    const stranger = shop.visitor()
    stranger.setCookie('session', 'abc')
    if (cookie !== undefined) stranger.setCookie('session-user', cookie)
    expect((await stranger.post('/dashboard/addReview', review)).path).toBe(
      '/login?redirectTo=%2Fdashboard%2FaddReview',
    )
  }
  const browser = await shop.visitor().signIn(ada)
  await endSessions(shop)
  const path = '/dashboard/addReview'
  await browser.post(path, { description: 'x'.repeat(40_000) })
  await browser.post('/dashboard/myProfile/secondFactor', { password: ada.password, code: '123456' })
  await browser.fetch(path, { method: 'POST', body: '{"description":"x"}', headers: { origin: shop.deps.origin } })
  await browser.post(path, review, { origin: 'https://evil.example' })
  expect(await shop.deps.db.$count(drafts)).toBe(0)

  await browser.post('/dashboard/myProfile/secondFactor', { act: 'begin', password: ada.password, code: '123456' })
  for (let nth = 0; nth < 6; nth++) await browser.post(`/instruments/i${nth}`, { orderQuantity: '1' })
  expect(await shop.deps.db.$count(drafts)).toBe(3)
  const factor = await logIn(browser, await browser.get('/login?redirectTo=/dashboard/myProfile/secondFactor'), ada)
  expect(factor.html).not.toMatch(/123456|correct horse/)
})

test('tells a former admin at every press, and a program, that the role is gone', async ({ shop }) => {
  const { id, violin, customer } = await aPaidOrder(shop)
  const [root, admin] = [await shop.admin(), await shop.admin()]
  const browser = await shop.visitor().signIn(admin)
  const [order, list, remove, product] = [
    await browser.get(`/dashboard/manageOrders/${id}`),
    await browser.get('/dashboard/manageOrders'),
    await browser.get(`/dashboard/manageProduct?delete=${violin}`),
    await browser.get('/dashboard/addProduct'),
  ]
  await revokeAdmin(shop.deps, root, admin.email)
  const typed = { name: 'X', price: '1', minQuantity: '1', availableQuantity: '1' }
  for (const press of [
    () => browser.press(order, 'Ship Now'),
    () => browser.press(list, 'Ship Now'),
    () => browser.press(remove, 'Delete Product'),
    () => browser.press(product, 'Add Product', typed),
    () => browser.get('/dashboard/manageOrders'),
  ]) {
    const page = await press()
    expect([page.path, page.text]).toEqual(['/dashboard', expect.stringContaining('You are no longer an admin.')])
  }
  const headers = { origin: shop.deps.origin, accept: 'application/json' }
  const call = (who: TestBrowser) => who.fetch(`/instruments/${violin}`, { method: 'DELETE', headers })
  const refused = await call(browser)
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { error: { message: 'You are no longer an admin.' } },
  ])
  const ada = await shop.signedIn(customer)
  expect(await (await call(ada)).json()).toMatchObject({ error: { message: 'This is for admins only.' } })
  expect((await ada.post('/dashboard/manageOrders', { orderId: id })).text).toContain('That page is for admins only.')
  expect(await shop.piecesIn(violin, 'paid')).toBe(2)
})
