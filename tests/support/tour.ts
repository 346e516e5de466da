import { Authenticator } from './authenticator'
import { commandRows, password } from './command-rows'
import { payAt } from './hosted-page'
import { paths, plainPagesFor } from './pages'
import type { Customer, Shop } from './shop'
import { tourByProgram } from './tour-by-api'
import type { PageResponse } from './test-browser'
import { appCode } from './totp'

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
type Next = (what: string) => void

async function linkTo(shop: Shop, email: string): Promise<string> {
  const [mail] = await shop.emailsTo(email)
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail!.text)![0])
  return pathname + search
}

/** Every page with its cursors and filters, every command of every page, and every call of the API. */
export async function tour(
  shop: Shop,
  { customer, admin, instrument }: { customer: Customer; admin: Customer; instrument: string },
  next: Next,
): Promise<void> {
  await asAnybody(shop, instrument, next)
  await lookAt(shop, customer, customerAddresses, next)
  await lookAt(shop, admin, adminAddresses(customer), next)
  // With fewer orders than an account may have.
  const buyer = await shop.customer()
  await buy(shop, buyer, instrument, next)
  await withPasskey(shop, customer, next)
  await withSecondFactor(shop, admin, next)
  await tourByProgram(shop, { customer: buyer, admin, instrument }, next)
  await sendCommands(shop, await shop.customer(), admin, next)
}

const customerAddresses = [
  ...plainPagesFor('customer'),
  ...['/dashboard/myOrders?before=o1000', '/dashboard/quotes?before=q1000', '/dashboard/quotes/q4'],
  ...['/dashboard/quotes/new?instrument=i902', '/dashboard/wishes?instrument=i900', '/dashboard/myProfile/data.json'],
]

const of = (path: string, queries: string[]) => queries.map((query) => `/dashboard/${path}${query}`)

function adminAddresses({ id }: { id: string }): string[] {
  const [from, to] = [-9, -8].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
  const states = ['', 'paid', 'unpaid', 'shipped', 'refunded', 'cancelled'].flatMap((state) => [
    ...['', '&before=o1000', '&q=violin', '&q=C-1500', '&q=pi_o2', '&q=u3@example.com'].map(
      (more) => `?status=${state}${more}`,
    ),
    ...['', '&before=o1000', '&after=o1000'].map((more) => `?status=${state}&from=${from}&to=${to}${more}`),
  ])
  return [
    ...plainPagesFor('admin'),
    ...of('makeAdmin', ['?after=u900', '?q=u12', '?q=example', '?q=example&after=u900', '?q=u1', '?q=u&after=u900']),
    ...of('makeAdmin/', ['u9', `${id}?before=o1000`]),
    ...of('messages', ['?done=1']),
    ...of('manageQuotes', ['?after=q900', '?answered=1', '?answered=1&after=q901', '/q6']),
    ...of('manageProduct', [
      '?after=i900',
      '?q=violin',
      '?state=low&family=brass',
      '?state=sold-out',
      '?sort=name&page=3',
    ]),
    ...of('manageProduct', ['?sort=stock', '?sort=price&q=no', '?delete=i7', '.csv', '/i8', '/i8/history']),
    ...of('manageProduct', ['/i8/history?before=99999', '/several?product=i30&product=i31']),
    ...of('addProduct', ['?from=i8']),
    ...of('reports', ['?month=2026-11', '.csv', '.csv?month=2026-11', '.csv?of=searches']),
    ...of('settings/', ['webhooks?before=99999', 'pages/new?starter=terms', 'emails/refund', 'families/brass']),
    ...of('manageOrders', states),
    ...of('manageOrders', ['/o2', '/o2/packingSlip', '/o2/refund?amount=1&reason=Dent&restock=1']),
    ...of('manageOrders/packingSlips', ['?order=o2&order=o3&order=o1000']),
    ...of('manageOrders.csv', ['?from=2026-01-01', '?order=o2&order=o3', '?q=violin&status=paid', '?status=refunded']),
  ]
}

async function lookAt(shop: Shop, who: Customer, addresses: string[], next: Next): Promise<void> {
  next('signing in')
  const browser = await shop.visitor().signIn(who)
  for (const address of addresses) {
    next(address)
    const { status } = await browser.get(address)
    if (status !== 200) throw new Error(`${address}: ${status}`)
  }
}

async function buy(shop: Shop, customer: Customer, instrument: string, next: Next): Promise<void> {
  const browser = await shop.signedIn(customer)
  const order = async (quantity: number, more: Record<string, string> = {}) => {
    next('the purchase page')
    const page = await browser.get(`/instruments/${instrument}`)
    next(`ordering ${quantity}`)
    return browser.press(page, 'Order Now', { orderQuantity: String(quantity), ...parcel, ...more })
  }
  const payment = await order(2)
  next('opening a checkout')
  const { location } = await browser.press(payment, 'Pay on the secure page')
  next('paying')
  const back = new URL((await payAt(location!)).location!)
  await browser.get(back.pathname + back.search)
  const id = back.pathname.split('/').at(-1)!
  for (const path of [id, `receipt/${id}`, `invoice/${id}`]) {
    next(`a page of an order: ${path.split('/')[0]}`)
    await browser.get(`/dashboard/myOrders/${path}`)
  }
  next('the purchase page, again')
  await browser.get(`/instruments/${instrument}?again=${id}`)
  for (const quantity of [1_000_000, 1]) await order(quantity)
  await order(1, { replaceUnpaid: 'on' })
  await order((await shop.stockOf(instrument)) + 3)
}

async function withPasskey(shop: Shop, customer: Customer, next: Next): Promise<void> {
  const [browser, key] = [await shop.signedIn(customer), new Authenticator(shop.deps.origin)]
  const creation = await browser.get('/dashboard/myProfile/passkey')
  const options = creation.page.querySelector('form[data-passkey]')!.getAttribute('data-passkey')!
  const credential = key.create(JSON.parse(options) as { challenge: string })
  next('adding a passkey')
  await browser.post('/dashboard/myProfile/passkey', { name: 'Phone', credential })
  const visitor = shop.visitor()
  const challenge = { method: 'POST', headers: { origin: visitor.origin }, body: new URLSearchParams() }
  const asked = await (await visitor.fetch('/login/passkey', challenge)).json<{ challenge: string }>()
  next('signing in with a passkey')
  await visitor.post('/login/passkey', { credential: key.get(asked, { userHandle: null }) })
  next('signing out')
  await browser.press(await browser.get('/dashboard'), 'Sign Out')
}

async function sendCommands(shop: Shop, customer: Customer, admin: Customer, next: Next): Promise<void> {
  for (const { page, who, by, id = '', fields = {}, asks, code } of await commandRows(shop, admin, customer)) {
    const browser = await shop.signedIn(by ?? (who === 'admin' ? admin : customer))
    const { path } = paths.find(({ file }) => file.replace(/\.tsx?$/, '') === `routes/${page}`)!
    next([page, fields.intent ?? fields.act ?? fields.command ?? ''].join(' ').trim())
    const right = { ...(asks?.startsWith('password') && { password }), ...(code && { code: code() }) }
    const { status } = await browser.post(path.replace(/:\w+\??/, id), { ...fields, ...right })
    if (status >= 500) throw new Error(`${page} ${JSON.stringify(fields)}: ${status}`)
  }
}

async function asAnybody(shop: Shop, instrument: string, next: Next): Promise<void> {
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

async function withSecondFactor(shop: Shop, { email, password }: Customer, next: Next) {
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
