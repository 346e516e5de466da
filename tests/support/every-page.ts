import { payAt } from './hosted-page'
import { TestBrowser, type Answer } from './test-browser'

type Keep = (name: string, answer: Answer) => Answer

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
const password = 'practice'

/** Shows every page of the demo shop, in the states that it can be in, to whoever may see it; `keep` gets each. */
export async function everyPage(origin: string, keep: Keep): Promise<void> {
  const signedIn = async (email: string) => {
    const browser = new TestBrowser(origin)
    await browser.signIn({ email, password })
    return browser
  }
  const [ada, admin] = [await signedIn('ada@example.com'), await signedIn('admin@example.com')]
  await beforeTheFirstOrder(admin, keep)
  const orderId = await asCustomer(ada, keep)
  await asAdmin(admin, orderId, keep)
  await asAnybody(new TestBrowser(origin), keep)
  await emptied(new TestBrowser(origin), admin, keep)
}

function keeper(browser: TestBrowser, who: string, keep: Keep) {
  return {
    look: async (path: string) => keep(`${who} ${path}`, await browser.get(path)),
    press: async (answer: Answer, button: string, typed: Record<string, string> = {}, state = 'after') =>
      keep(`${who} ${answer.path} ${state} ${button}`, await browser.press(answer, button, typed)),
  }
}

async function asAnybody(browser: TestBrowser, keep: Keep): Promise<void> {
  const { look, press } = keeper(browser, 'anybody', keep)
  for (const path of ['/allInstruments', '/reviews', '/nowhere', '/reset-password?token=x', '/verify-email?token=x'])
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

async function beforeTheFirstOrder(admin: TestBrowser, keep: Keep): Promise<void> {
  const { look } = keeper(admin, 'admin, empty', keep)
  for (const path of ['/dashboard/myOrders', '/dashboard/manageOrders', '/dashboard/manageOrders?status=paid'])
    await look(path)
}

async function asCustomer(browser: TestBrowser, keep: Keep): Promise<string> {
  const { look, press } = keeper(browser, 'customer', keep)
  const purchase = await look('/instruments/oboe')
  await press(purchase, 'Order Now', { orderQuantity: '999999' }, 'with a wrong')
  const quantity = purchase.page.querySelector('#orderQuantity')!.getAttribute('min')!
  const order = () => press(purchase, 'Order Now', { orderQuantity: quantity, ...parcel })
  const orders = await order()
  await look('/instruments/oboe')
  const orderId = orders.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!.split('/').pop()!
  const payment = await look(`/dashboard/myOrders/payment/${orderId}`)
  await look('/dashboard/myOrders/payment/none')
  const { location } = await browser.press(payment, 'Pay on the secure page')
  await payAt(location!)
  await look(`/dashboard/myOrders/payment/${orderId}`)
  await look(`/dashboard/myOrders/receipt/${orderId}`)
  const again = await look('/instruments/violin-4-4')
  const least = again.page.querySelector('#orderQuantity')!.getAttribute('min')!
  await press(again, 'Order Now', { orderQuantity: least, ...parcel })
  await press(await look('/dashboard/myOrders'), 'Cancel')

  await look('/dashboard')
  const review = await look('/dashboard/addReview')
  await press(review, 'Submit', { description: '' }, 'with a wrong')
  await press(review, 'Submit', { description: 'Good <b>strings</b> & "bows"' })
  const profile = await look('/dashboard/myProfile')
  await press(profile, 'Update Profile', { name: '', phone: 'x' }, 'with a wrong')
  await press(profile, 'Update Profile', { name: 'Ada', phone: '07700 900123' })
  await look('/dashboard/myProfile/sessions')
  await look('/dashboard/makeAdmin')
  return orderId
}

async function asAdmin(browser: TestBrowser, orderId: string, keep: Keep): Promise<void> {
  const { look, press } = keeper(browser, 'admin', keep)
  for (const path of ['/dashboard', '/dashboard/makeAdmin', '/dashboard/manageProduct?delete=oboe']) await look(path)
  const product = await look('/dashboard/addProduct')
  await press(product, 'Add Product', { name: '' }, 'with a wrong')
  const edit = await look('/dashboard/manageProduct/oboe')
  await press(edit, 'Save', { price: 'x', stockChange: 'x' }, 'with a wrong')
  await press(edit, 'Save', { stockChange: '2', stockNote: 'Found' })
  const orders = await look('/dashboard/manageOrders')
  await press(orders, 'Ship Now')
  await press(orders, 'Ship Now', {}, 'with a second')
  for (const state of ['paid', 'unpaid', 'shipped', 'cancelled']) await look(`/dashboard/manageOrders?status=${state}`)
  await look(`/dashboard/manageOrders/${orderId}`)
  await look('/dashboard/manageOrders/none')
}

/** Takes everything off sale first. */
async function emptied(anybody: TestBrowser, admin: TestBrowser, keep: Keep): Promise<void> {
  const path = '/dashboard/manageProduct'
  let page = await admin.get(path)
  for (let box; (box = page.page.querySelector('input[name="delete"]'));) {
    const instrumentId = box.getAttribute('value')!
    page = await admin.post(path, { instrumentId })
  }
  keep('admin, empty shop manageProduct', page)
  const { look } = keeper(anybody, 'anybody, empty shop', keep)
  for (const each of ['/', '/allInstruments', '/instruments/oboe']) await look(each)
}
