import { payAt } from './hosted-page'
import { adminPages, customerPages, openPages } from './pages'
import { TestBrowser, type PageResponse } from './test-browser'

type OnPage = (name: string, response: PageResponse) => PageResponse

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
const password = 'practice'

/** Visits every page of the demo shop, in every state, with every role. */
export async function everyPage(origin: string, onPage: OnPage): Promise<void> {
  const signedIn = async (email: string) => {
    const browser = new TestBrowser(origin)
    await browser.signIn({ email, password })
    return browser
  }
  const [ada, admin] = [await signedIn('ada@example.com'), await signedIn('admin@example.com')]
  await beforeTheFirstOrder(admin, onPage)
  const orderId = await asCustomer(ada, onPage)
  await asAdmin(admin, orderId, onPage)
  await asAnybody(new TestBrowser(origin), onPage)
  await visitEmptyShop(new TestBrowser(origin), admin, onPage)
}

function pageActions(browser: TestBrowser, who: string, onPage: OnPage) {
  return {
    look: async (path: string) => onPage(`${who} ${path}`, await browser.get(path)),
    press: async (response: PageResponse, button: string, typed: Record<string, string> = {}, state = 'after') =>
      onPage(`${who} ${response.path} ${state} ${button}`, await browser.press(response, button, typed)),
  }
}

async function asAnybody(browser: TestBrowser, onPage: OnPage): Promise<void> {
  const { look, press } = pageActions(browser, 'anybody', onPage)
  for (const path of [
    ...openPages,
    '/allInstruments',
    '/allInstruments?q=clarinet&max=800',
    '/allInstruments?q=theremin',
    '/catalog/concert-violin-4-4',
    '/login?redirectTo=%2Finstruments%2Fviolin-4-4',
  ])
    await look(path)
  const home = await look('/')
  await press(home, 'Send', { email: 'x' }, 'with a wrong')
  await press(home, 'Send', { name: 'Zoë', email: 'zoe@example.com', message: 'Hello' })
  const login = await look('/login')
  await press(login, 'Login', { email: 'x', password: '' }, 'with a wrong')
  await press(login, 'Login', { email: 'ada@example.com', password: 'not this one' }, 'with a refused')
  const forgotten = await look('/forgot-password')
  await press(forgotten, 'Send the link', { email: 'x' }, 'with a wrong')
  await press(forgotten, 'Send the link', { email: 'zoe@example.com' })
  const register = await look('/register')
  await press(register, 'Register', { email: 'x' }, 'with a wrong')
  await press(register, 'Register', { name: 'Zoë', email: 'zoe@example.com', password })
}

async function beforeTheFirstOrder(admin: TestBrowser, onPage: OnPage): Promise<void> {
  const { look } = pageActions(admin, 'admin, empty', onPage)
  for (const path of ['/dashboard/myOrders', '/dashboard/manageOrders', '/dashboard/manageOrders?status=paid'])
    await look(path)
}

async function asCustomer(browser: TestBrowser, onPage: OnPage): Promise<string> {
  const { look, press } = pageActions(browser, 'customer', onPage)
  const purchase = await look('/instruments/oboe')
  await press(purchase, 'Order Now', { orderQuantity: '999999' }, 'with a wrong')
  const quantity = purchase.page.querySelector('#orderQuantity')!.getAttribute('min')!
  const payment = await press(purchase, 'Order Now', { orderQuantity: quantity, ...parcel })
  const orderId = payment.path.split('/').pop()!
  await look('/instruments/oboe')
  await look('/dashboard/myOrders/payment/none')
  const { location } = await browser.press(payment, 'Pay on the secure page')
  await payAt(location!)
  await look(`/dashboard/myOrders/payment/${orderId}`)
  await look(`/dashboard/myOrders/receipt/${orderId}`)
  await look(`/dashboard/myOrders/invoice/${orderId}`)
  await look(`/dashboard/myOrders/${orderId}`)
  await look(`/instruments/oboe?again=${orderId}`)
  const again = await look('/instruments/violin-4-4')
  const min = again.page.querySelector('#orderQuantity')!.getAttribute('min')!
  await press(again, 'Order Now', { orderQuantity: min, ...parcel })
  const unpaid = await look('/dashboard/myOrders')
  await press(await look(unpaid.page.querySelector('tbody th a')!.getAttribute('href')!), 'Cancel')

  const review = await look('/dashboard/addReview')
  await press(review, 'Submit', { description: '' }, 'with a wrong')
  await press(review, 'Submit', { description: 'Good <b>strings</b> & "bows"' })
  const profile = await look('/dashboard/myProfile')
  await press(profile, 'Update Profile', { name: '', phone: 'x' }, 'with a wrong')
  await press(profile, 'Update Profile', { name: 'Ada', phone: '07700 900123' })
  await look('/dashboard/makeAdmin')
  await afterThePayment(browser, orderId, onPage)
  return orderId
}

async function afterThePayment(browser: TestBrowser, orderId: string, onPage: OnPage): Promise<void> {
  const { look, press } = pageActions(browser, 'customer', onPage)
  await look(`/dashboard/myOrders/receipt/${orderId}`)
  const question = await look('/dashboard/quotes/new?instrument=oboe')
  await press(question, 'Ask for a volume price', { orderQuantity: 'x' }, 'with a wrong')
  await press(question, 'Ask for a volume price', { orderQuantity: '50', note: 'For a "school" & its band' })
  const data = await look('/dashboard/myProfile/data')
  await press(data, 'Download my data', { password: 'not this one' }, 'with a refused')
  for (const path of customerPages) await look(path)
}

async function asAdmin(browser: TestBrowser, orderId: string, onPage: OnPage): Promise<void> {
  const { look, press } = pageActions(browser, 'admin', onPage)
  for (const path of ['/dashboard', '/dashboard/makeAdmin', '/dashboard/manageOrders/none']) await look(path)
  await press(await look('/dashboard/makeAdmin?q=example'), 'Make Admin')
  const product = await look('/dashboard/addProduct')
  await press(product, 'Add Product', { name: '' }, 'with a wrong')
  const edit = await look('/dashboard/manageProduct/oboe')
  await press(edit, 'Save', { price: 'x', stockChange: 'x' }, 'with a wrong')
  await press(edit, 'Save', { stockChange: '2', stockNote: 'Found' })
  const orders = await look('/dashboard/manageOrders')
  await press(orders, 'Ship Now')
  await press(orders, 'Ship Now', {}, 'with a second')
  for (const state of ['paid', 'unpaid', 'shipped', 'refunded', 'cancelled'])
    await look(`/dashboard/manageOrders?status=${state}`)
  await look(`/dashboard/manageOrders/${orderId}`)
  await look(`/dashboard/manageOrders/${orderId}/refund?amount=1&reason=Dent`)
  await look(`/dashboard/manageOrders/${orderId}/refund?amount=x&reason=`)
  await look(`/dashboard/manageOrders/packingSlips?order=${orderId}`)
  await look(`/dashboard/manageOrders/${orderId}/packingSlip`)
  const requests = await look('/dashboard/manageQuotes')
  const request = await look(requests.page.querySelector('main tbody th a')!.getAttribute('href')!)
  await press(request, 'Send the offer', { price: 'x', orderQuantity: '0' }, 'with a wrong')
  await press(request, 'Send the offer', { price: '2000', orderQuantity: '5', reply: 'With cases.' })
  await look('/dashboard/manageQuotes?answered=1')
  const terms = await look('/dashboard/settings/pages/new?starter=terms')
  await press(terms, 'Publish', { body: '<b>' }, 'with a wrong')
  await press(terms, 'Preview')
  await press(terms, 'Publish')
  await look('/pages/terms-of-use')
  const discounts = await look('/dashboard/settings/discounts')
  await press(discounts, 'Make the code', { code: 'x', percent: '0' }, 'with a wrong')
  await press(discounts, 'Make the code', { code: 'AUTUMN', percent: '10', minTotal: '500' })
  const email = await look('/dashboard/settings/emails/order-paid')
  await press(email, 'Save', { text: 'Thank you.' }, 'with a wrong')
  await press(email, 'Preview')
  const keys = await look('/dashboard/settings/keys')
  await press(keys, 'Make the key', { name: '' }, 'with a wrong')
  await press(keys, 'Make the key', { name: 'Warehouse', ship: 'on' })
  const webhooks = await look('/dashboard/settings/webhooks')
  await press(webhooks, 'Add the endpoint', { url: 'http://example.com' }, 'with a wrong')
  await press(webhooks, 'Add the endpoint', { url: 'http://127.0.0.1:9/', orderPaid: 'on' })
  await press(await look('/dashboard/settings/webhooks'), 'Send a test event')
  for (const path of adminPages) await look(path)
}

async function visitEmptyShop(visitor: TestBrowser, admin: TestBrowser, onPage: OnPage): Promise<void> {
  const path = '/dashboard/manageProduct'
  let page = await admin.get(path)
  for (let box; (box = page.page.querySelector('input[name="delete"]'));) {
    const instrumentId = box.getAttribute('value')!
    page = await admin.post(path, { command: 'delete', instrumentId })
  }
  onPage('admin, empty shop manageProduct', page)
  const { look } = pageActions(visitor, 'anybody, empty shop', onPage)
  for (const each of ['/', '/allInstruments', '/instruments/oboe']) await look(each)
}
