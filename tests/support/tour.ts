import { desc, eq } from 'drizzle-orm'
import { instruments, orders } from '../../app/db/schema'
import { Authenticator } from './authenticator'
import { payAt } from './hosted-page'
import { plainPagesFor } from './pages'
import type { Customer, Shop } from './shop'
import { tourByProgram } from './tour-by-api'
import type { PageResponse, TestBrowser } from './test-browser'
import { appCode } from './totp'

const day = 24 * 60 * 60 * 1000
const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

async function linkTo(shop: Shop, email: string): Promise<string> {
  const [mail] = await shop.emailsTo(email)
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail!.text)![0])
  return pathname + search
}

export async function tour(
  shop: Shop,
  { customer, admin, instrument }: { customer: Customer; admin: Customer; instrument: string },
  next: (what: string) => void,
): Promise<void> {
  await asAnybody(shop, instrument, next)
  await asCustomer(shop, customer, instrument, next)
  await asAdmin(shop, { customer, admin }, next)
  await withSecondFactor(shop, admin, next)
  await tourByProgram(shop, { customer, admin, instrument }, next)
  await byClosing(shop, instrument, next)
}

async function asAnybody(shop: Shop, instrument: string, next: (what: string) => void): Promise<void> {
  const browser = shop.visitor()
  const look = async (path: string): Promise<PageResponse> => {
    next(path)
    const response = await browser.get(path)
    if (response.status >= 500) throw new Error(`${path}: ${response.status}`)
    return response
  }
  const home = await look('/')
  next('the contact form')
  await browser.press(home, 'Send', { name: 'Zoë', email: 'zoe@example.com', message: 'Hello' })
  for (const path of [
    '/allInstruments',
    '/allInstruments?page=18',
    '/allInstruments?q=violin',
    '/allInstruments?q=violn&sort=price',
    '/allInstruments?q=violin&max=1',
    '/allInstruments?family=cases&inStock=1',
    '/catalog/i900',
    '/sitemap.xml',
    '/feed.xml',
    '/merchant.xml',
    '/catalog.html',
    '/reviews?before=r900',
    '/healthz',
    '/healthz?deep',
    '/openapi.json',
    '/nowhere',
    `/instruments/${instrument}`,
    ...plainPagesFor('anybody'),
  ])
    await look(path)

  next('registering')
  const password = 'correct horse'
  await browser.press(await browser.get('/register'), 'Register', { name: 'Zoë', email: 'zoe@example.com', password })
  next('verifying an email')
  await browser.press(await browser.get(await linkTo(shop, 'zoe@example.com')), 'Verify my email')
  next('forgetting a password')
  await browser.press(await browser.get('/forgot-password'), 'Send the link', { email: 'zoe@example.com' })
  const page = await look(await linkTo(shop, 'zoe@example.com'))
  next('choosing a password')
  await browser.press(page, 'Change my password', { password: 'another horse' })

  for (const what of ['joining an account at Google', 'signing in by Google']) {
    next(what)
    const visitor = shop.visitor()
    const { location } = await visitor.press(await visitor.get('/login'), 'Continue with Google')
    const choice = new URLSearchParams({ choice: 'typed', email: 'zoe@example.com', name: 'Zoë', verified: 'on' })
    const headers = { origin: new URL(location!).origin }
    const choiceResponse = await fetch(location!, { method: 'POST', redirect: 'manual', headers, body: choice })
    const back = new URL(choiceResponse.headers.get('location')!)
    await visitor.get(back.pathname + back.search)
  }
}

async function asCustomer(shop: Shop, customer: Customer, instrument: string, next: (what: string) => void) {
  next('signing in')
  const browser = await shop.visitor().signIn(customer)
  await shop.visitor().signIn(customer)
  const at = async (path: string, what = path) => {
    next(what)
    const response = await browser.get(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return response
  }
  const order = async (quantity: number, more: Record<string, string> = {}) => {
    const page = await at(`/instruments/${instrument}`, 'the purchase page')
    next(`ordering ${quantity}`)
    await browser.press(page, 'Order Now', { orderQuantity: String(quantity), ...parcel, ...more })
    const newest = await browser.get('/dashboard/myOrders')
    return newest.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!.split('/').pop()!
  }
  for (const path of plainPagesFor('customer')) await at(path)
  const id = await order(2)
  await order(1_000_000)
  await at('/dashboard/myOrders?before=o1000')

  const payment = await at(`/dashboard/myOrders/payment/${id}`, 'the payment page')
  next('opening a checkout')
  const { location } = await browser.press(payment, 'Pay on the secure page')
  next('paying')
  const paid = await payAt(location!)
  const back = new URL(paid.location!)
  await browser.get(back.pathname + back.search)
  const receipt = await at(`/dashboard/myOrders/receipt/${id}`, 'the receipt')
  await at(`/dashboard/myOrders/invoice/${id}`, 'the invoice')
  next('sending the receipt again')
  await browser.press(receipt, 'Send the receipt again')
  const own = await at(`/dashboard/myOrders/${id}`, 'the page of an order')
  await at(own.page.querySelector('a[href*="?again="]')!.getAttribute('href')!, 'the purchase page, again')

  await order(1)
  await order(1, { replaceUnpaid: 'on' })
  await order((await shop.stockOf(instrument)) + 3)
  next('cancelling')
  await browser.press(await browser.get('/dashboard/myOrders'), 'Cancel')
  next('writing a review')
  await browser.press(await browser.get('/dashboard/addReview'), 'Submit', { description: 'Good' })
  next('the profile')
  await browser.press(await browser.get('/dashboard/myProfile'), 'Update Profile', { name: 'Ada' })
  await wish(shop, customer, browser, next)
  await accept(browser, at, next)
  next('downloading my data')
  const ownData = await browser.get('/dashboard/myProfile/data')
  await browser.press(ownData, 'Download my data', { password: customer.password })
  await at('/dashboard/myProfile/data.json')
  const key = new Authenticator(shop.deps.origin)
  const creation = await browser.get('/dashboard/myProfile/passkey')
  const options = JSON.parse(creation.page.querySelector('form[data-passkey]')!.getAttribute('data-passkey')!) as {
    challenge: string
  }
  next('adding a passkey')
  await browser.post('/dashboard/myProfile/passkey', { name: 'Phone', credential: key.create(options) })
  const visitor = shop.visitor()
  const challenge = { method: 'POST', headers: { origin: visitor.origin }, body: new URLSearchParams() }
  const asked = await (await visitor.fetch('/login/passkey', challenge)).json<{ challenge: string }>()
  next('signing in with a passkey')
  await visitor.post('/login/passkey', { credential: key.get(asked, { userHandle: null }) })
  next('removing a passkey')
  await browser.press(await browser.get('/dashboard/myProfile/sessions'), 'Remove')
  next('signing out everywhere else')
  await browser.press(await browser.get('/dashboard/myProfile/sessions'), 'Sign out everywhere else')
  next('signing out')
  await browser.press(await browser.get('/dashboard'), 'Sign Out')
}

async function wish(shop: Shop, customer: Customer, browser: TestBrowser, next: (what: string) => void) {
  const setMinimum = (minQuantity: number) =>
    shop.deps.db.update(instruments).set({ minQuantity }).where(eq(instruments.id, 'i900'))
  await setMinimum(100)
  next('a wish')
  const path = '/dashboard/wishes?instrument=i900'
  const wished = await browser.press(await browser.get(path), 'Yes, email me once')
  next('ending a wish')
  await browser.press(wished, 'Do not email me')
  await browser.press(await browser.get(path), 'Yes, email me once')
  await setMinimum(1)
  next('emails of wishes')
  await browser.post('/dashboard/wishes', { instrumentId: 'i901' })
  const mail = (await shop.emailsTo(customer.email)).find(({ subject }) => subject.startsWith('Back in stock'))
  next('/unsubscribe')
  await browser.get(/\/unsubscribe\?token=[\w-]+/.exec(mail!.text)![0])
}

async function accept(
  browser: TestBrowser,
  at: (path: string, what?: string) => Promise<PageResponse>,
  next: (what: string) => void,
) {
  const form = await at('/dashboard/quotes/new?instrument=i902')
  next('asking for a price')
  await browser.press(form, 'Ask for a volume price', { orderQuantity: '2' })
  await at('/dashboard/quotes?before=q1000')
  const offer = await at('/dashboard/quotes/q4')
  next('accepting an offer')
  await browser.press(offer, 'Accept: order 2 for $180.00', parcel)
  await browser.press(await browser.get('/dashboard/myOrders'), 'Cancel')
}

async function byClosing(shop: Shop, instrument: string, next: (what: string) => void) {
  const customer = await shop.customer()
  const browser = await shop.visitor().signIn(customer)
  const page = await browser.get(`/instruments/${instrument}`)
  await browser.press(page, 'Order Now', { orderQuantity: '1', ...parcel })
  const asked = await browser.get('/dashboard/myProfile/data')
  next('the page about closing the account')
  const question = await browser.press(asked, 'Close my account', { password: customer.password })
  next('closing the account')
  await browser.press(question, 'Close my account')
}

async function withSecondFactor(shop: Shop, { email, password }: Customer, next: (what: string) => void) {
  const browser = await shop.visitor().signIn({ email, password })
  const path = '/dashboard/myProfile/secondFactor'
  next(path)
  const page = await browser.get(path)
  next('setting up a second factor')
  const begun = await browser.press(page, 'Set up', { password })
  const secret = begun.page.querySelector('main code')!.text
  const on = await browser.press(begun, 'Switch on', { code: appCode(secret) })
  const codes = on.page.querySelectorAll('main li code').map(({ text }) => text)
  for (const code of [appCode(secret, { steps: 1 }), codes[0]!]) {
    next('signing in with a code')
    const visitor = shop.visitor()
    const asked = await visitor.press(await visitor.get('/login'), 'Login', { email, password })
    await visitor.press(asked, 'Continue', { code })
  }
  next('switching the second factor off')
  await browser.press(await browser.get(path), 'Switch off', { password, code: codes[1]! })
}

async function asAdmin(
  shop: Shop,
  { customer, admin }: { customer: Customer; admin: Customer },
  next: (what: string) => void,
): Promise<void> {
  const browser = await shop.visitor().signIn(admin)
  const at = async (path: string) => {
    next(path)
    const response = await browser.get(path)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return response
  }
  for (const path of plainPagesFor('admin')) await at(path)
  const users = await at('/dashboard/makeAdmin')
  for (const query of ['after=u900', 'q=u12', 'q=example', 'q=example&after=u900', 'q=u1', 'q=u&after=u900'])
    await at(`/dashboard/makeAdmin?${query}`)
  await at('/dashboard/makeAdmin/u9')
  await at(`/dashboard/makeAdmin/${customer.id}?before=o1000`)
  next('making an admin')
  const made = await browser.press(await browser.press(users, 'Make Admin'), 'Make Admin')
  next('revoking an admin')
  await browser.press(await browser.press(made, 'Revoke Admin'), 'Revoke Admin')
  next('adding a product')
  const product = {
    name: 'Rebec',
    img: '/plates/oboe.svg',
    description: 'Old',
    price: '12',
    availableQuantity: '5',
    minQuantity: '1',
  }
  await browser.press(await browser.get('/dashboard/addProduct'), 'Add Product', product)
  await at('/dashboard/messages?done=1')
  for (const query of ['?after=q900', '?answered=1', '?answered=1&after=q901'])
    await at(`/dashboard/manageQuotes${query}`)
  const request = await at('/dashboard/manageQuotes/q6')
  next('answering a request')
  await browser.press(request, 'Send the offer')
  next('declining a request')
  await browser.press(await at('/dashboard/manageQuotes/q7'), 'Decline', { reason: 'Sorry' })
  await at('/dashboard/manageProduct?after=i900')
  for (const query of [
    'q=violin',
    'state=low&family=brass',
    'state=sold-out',
    'sort=name&page=3',
    'sort=stock',
    'sort=price&q=no',
  ])
    await at(`/dashboard/manageProduct?${query}`)
  const deletePage = await at('/dashboard/manageProduct?delete=i7')
  next('deleting a product')
  await browser.press(deletePage, 'Delete Product')
  next('/dashboard/manageProduct.csv')
  const file = await (await browser.fetch('/dashboard/manageProduct.csv')).text()
  for (const intent of ['check', 'apply']) {
    next(`importing: ${intent}`)
    const form = new FormData()
    const lines = file.split('\r\n').filter((line) => /^\uFEFF?"(id|i1[0-3])",/.test(line))
    form.set('file', new File([lines.join('\n').replaceAll(/,"",""$/gm, ',1,Found')], 'products.csv'))
    form.set('intent', intent)
    await browser.post('/dashboard/manageProduct/import', form)
  }
  next('copying pictures')
  await browser.post('/dashboard/manageProduct/pictures', {})
  const products = await browser.get('/dashboard/manageProduct?after=i900')
  next('hiding a product')
  const hidden = await browser.press(products, 'Hide')
  next('changing the stock of a product')
  await browser.press(hidden, 'Add', { pieces: '3' })
  next('hiding several products')
  await browser.post('/dashboard/manageProduct', { command: 'hide-all', product: 'i30' })
  await at('/dashboard/manageProduct/several?product=i30&product=i31')
  await at('/dashboard/manageProduct/i8/history')
  await at('/dashboard/manageProduct/i8/history?before=99999')
  await at('/dashboard/addProduct?from=i8')
  for (const page of ['?month=2026-11', '.csv', '.csv?month=2026-11', '.csv?of=searches'])
    await at(`/dashboard/reports${page}`)
  const settings = await at('/dashboard/settings')
  next('changing the settings')
  await browser.press(settings, 'Save', { returns: 'Within 14 days' })
  const email = await at('/dashboard/settings/emails/refund')
  next('changing the words of an email')
  const words = await browser.press(email, 'Save', { subject: 'Refund of {sum}' })
  next('sending a test of an email')
  await browser.press(words, 'Send me a test')
  const keys = await at('/dashboard/settings/keys')
  next('making a key')
  await browser.press(keys, 'Make the key', { name: 'Warehouse', readOrders: 'on' })
  next('revoking a key')
  await browser.press(await browser.get('/dashboard/settings/keys'), 'Revoke')
  const webhooks = await at('/dashboard/settings/webhooks?before=99999')
  next('adding an endpoint')
  await browser.press(webhooks, 'Add the endpoint', { url: 'http://127.0.0.1:9/', orderPaid: 'on' })
  next('testing an endpoint')
  await browser.press(await browser.get('/dashboard/settings/webhooks'), 'Send a test event')
  next('deleting an endpoint')
  await browser.press(await browser.get('/dashboard/settings/webhooks'), 'Delete')
  const shopEmails = await at('/dashboard/shopEmails')
  next('choosing the emails to the shop')
  await browser.press(shopEmails, 'Save', { orderEmails: 'daily' })
  const codes = await at('/dashboard/settings/discounts')
  next('making a discount code')
  const withCode = await browser.press(codes, 'Make the code', { code: 'SPRING', percent: '10' })
  next('ending a discount code')
  await browser.press(withCode, 'End')
  next('adding a family')
  const families = '/dashboard/settings/families'
  const drums = { intent: 'add', name: 'Drums', slug: 'drums' }
  await browser.post(families, drums)
  next('moving a family')
  await browser.post(families, { intent: 'move', slug: 'drums', place: '0' })
  next('hiding a family')
  await browser.post(families, { intent: 'hide', slug: 'drums' })
  const family = await at('/dashboard/settings/families/drums')
  next('changing a family')
  await browser.press(family, 'Save', { name: 'Percussion', slug: 'percussion' })
  next('deleting a family')
  await browser.post(`${families}/brass`, { intent: 'delete' })
  await browser.post(`${families}/percussion`, { intent: 'delete' })
  const terms = await at('/dashboard/settings/pages/new?starter=terms')
  next('publishing a page')
  const published = await browser.press(terms, 'Publish')
  for (const path of ['/pages/terms-of-use', '/sitemap.xml', '/home']) await at(path)
  next('changing a page')
  const draft = await browser.press(published, 'Withdraw')
  next('deleting a page')
  await browser.press(draft, 'Delete for good')
  const edit = await at('/dashboard/manageProduct/i8')
  next('changing a product')
  await browser.press(edit, 'Save', { price: '13', stockChange: '2', stockNote: 'Found' })
  const all = await at('/dashboard/manageOrders')
  next('shipping')
  await browser.press(all, 'Ship Now')
  for (const state of ['', 'paid', 'unpaid', 'shipped', 'refunded', 'cancelled']) {
    await at(`/dashboard/manageOrders?status=${state}`)
    await at(`/dashboard/manageOrders?status=${state}&before=o1000`)
    const [from, to] = [-9, -8].map((days) => new Date(Date.now() + days * day).toISOString().slice(0, 10))
    for (const cursor of ['', '&before=o1000', '&after=o1000'])
      await at(`/dashboard/manageOrders?status=${state}&from=${from}&to=${to}${cursor}`)
    for (const q of ['violin', 'C-1500', 'pi_o2', 'u3@example.com'])
      await at(`/dashboard/manageOrders?status=${state}&q=${q}`)
  }
  await at('/dashboard/manageOrders.csv?from=2026-01-01')
  const [paid] = await shop.deps.db.select({ id: orders.id }).from(orders).orderBy(desc(orders.paidAt)).limit(1)
  const order = await at(`/dashboard/manageOrders/${paid!.id}`)
  await at(`/dashboard/manageOrders/${paid!.id}/packingSlip`)
  next('writing a note')
  await browser.press(order, 'Save note', { note: 'Call first' })
  next('correcting a shipment')
  const shipped = await browser.get('/dashboard/manageOrders/o3')
  await browser.press(shipped, 'Save shipment', { carrier: 'UPS' })
  next('shipping several')
  await browser.post('/dashboard/manageOrders', { order: 'o12' })
  const question = await at(`/dashboard/manageOrders/${paid!.id}/refund?amount=1&reason=Dent&restock=1`)
  next('refunding')
  await browser.press(question, 'Refund')
  next('shipping, and the next')
  await browser.press(await browser.get('/dashboard/manageOrders/o22?q=violin'), 'Ship and open the next')
  await at('/dashboard/manageOrders/packingSlips?order=o2&order=o3&order=o1000')
  for (const query of ['order=o2&order=o3', 'q=violin&status=paid', 'status=refunded'])
    await at(`/dashboard/manageOrders.csv?${query}`)
  const credited = await at(`/dashboard/manageOrders/${paid!.id}`)
  await at(credited.page.querySelector('a[href*="/CN-"]')!.getAttribute('href')!)
}
