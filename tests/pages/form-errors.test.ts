import { startCheckout } from '../../app/store/payments/payments.server'
import { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
import { prepareSession } from '../../app/store/accounts/sign-in.server'
import { placeOrder } from '../../app/store/ordering/place-order.server'
import { payAt } from '../support/hosted-page'
import { expect, test, type Shop, orderInput } from '../support/shop'
import type { PageResponse } from '../support/test-browser'

const attributes = (response: PageResponse, selector: string, name: string) =>
  response.page.querySelectorAll(selector).map((element) => element.getAttribute(name))
const title = ({ page }: PageResponse) => page.querySelector('title')!.text
const focused = ({ page }: PageResponse) => page.querySelectorAll('[autofocus]')

interface WrongForm {
  path: string
  button: string
  typed: Record<string, string>
  /** The invalid fields from top to bottom. */
  wrong: string[]
  as: 'visitor' | 'customer' | 'admin'
}

const wrongForms: WrongForm[] = [
  { path: '/forgot-password', button: 'Send the link', typed: {}, wrong: ['email'], as: 'visitor' },
  { path: '/home', button: 'Send', typed: {}, wrong: ['name', 'email', 'message'], as: 'visitor' },
  { path: '/login/confirm', button: 'Continue', typed: {}, wrong: ['password'], as: 'customer' },
  {
    path: '/instruments/',
    button: 'Order Now',
    typed: { orderQuantity: '0', customerPhone: '12' },
    wrong: ['orderQuantity', 'customerAddress', 'customerPhone'],
    as: 'customer',
  },
  { path: '/dashboard/addReview', button: 'Submit', typed: {}, wrong: ['description'], as: 'customer' },
  {
    path: '/dashboard/myProfile',
    button: 'Update Profile',
    typed: { name: '', image: 'x', phone: '12' },
    wrong: ['name', 'image', 'phone'],
    as: 'customer',
  },
  {
    path: '/dashboard/addProduct',
    button: 'Add Product',
    typed: { brand: 'x'.repeat(61), description: 'x'.repeat(2001) },
    wrong: ['name', 'price', 'minQuantity', 'availableQuantity', 'img', 'description', 'brand'],
    as: 'admin',
  },
  {
    path: '/dashboard/manageProduct/',
    button: 'Save',
    typed: { name: '', price: '0', stockChange: '1.5', stockNote: 'x'.repeat(201) },
    wrong: ['name', 'price', 'stockChange', 'stockNote'],
    as: 'admin',
  },
]

test.for(wrongForms)(
  'lists the wrong fields at the top of $path',
  async ({ path, button, typed, wrong, as }, { shop }) => {
    const browser = as === 'visitor' ? shop.visitor() : await shop.signedIn(await shop[as]())
    const address = path.endsWith('/') ? path + (await shop.sells()) : path
    const response = await browser.press(await browser.get(address), button, typed)
    expectSummary(response, wrong)
  },
)

test.for([
  ['/login', 'Login', ['email', 'password']],
  ['/register', 'Register', ['name', 'email', 'password']],
] as const)(
  'says each error of the short form %s once, and focuses its field',
  async ([path, button, wrong], { shop }) => {
    const visitor = shop.visitor()
    const response = await visitor.press(await visitor.get(path), button)
    expect(title(response)).toMatch(/^Error: /)
    expect(attributes(response, '[aria-invalid]', 'id')).toEqual(wrong)
    expect(attributes(response, '.error', 'id')).toEqual(wrong.map((name) => `${name}-error`))
    expect(focused(response).map(({ id }) => id)).toEqual([wrong[0]])
  },
)

test('lists a wrong new password at the top of the form that the link opens', async ({ shop }) => {
  const ada = await shop.customer()
  const browser = shop.visitor()
  await browser.press(await browser.get('/forgot-password'), 'Send the link', { email: ada.email })
  const [email] = await shop.emailsTo(ada.email)
  const form = await browser.get(/\/reset-password\S+/.exec(email!.text)![0])
  expectSummary(await browser.press(form, 'Change my password', { password: 'short' }), ['password'])
})

function expectSummary(response: PageResponse, wrong: string[]): void {
  expect(response.status).toBe(422)
  expect(title(response)).toMatch(/^Error: /)
  const { page } = response
  const messages = wrong.map((name) => page.querySelector(`#${name}-error`)?.text)
  expect(messages).not.toContain(undefined)
  const [summary, ...others] = page.querySelectorAll('main [role=alert]')
  expect(others).toEqual([])
  expect(summary!.querySelector('h2')?.text).toBe('There is a problem')
  expect(summary!.querySelectorAll('li a').map((link) => [link.getAttribute('href'), link.text])).toEqual(
    wrong.map((name, index) => [`#${name}`, messages[index]]),
  )
  expect(summary!.closest('form')!.querySelector('div, input, label')).toBe(summary)
  expect(attributes(response, '[aria-invalid]', 'id')).toEqual(wrong)
  for (const name of wrong) {
    expect(page.querySelector(`#${name}`)?.getAttribute('aria-describedby')).toContain(`${name}-error`)
  }
  expect(focused(response).map(({ id }) => id)).toEqual([wrong[0]])
}

test('shows and focuses a refusal of a whole form beside its button', async ({ shop }) => {
  const violin = await shop.sells({ stock: 10, price: 100_00 })
  const ada = await shop.customer()
  const browser = await shop.signedIn(ada)
  const login = await shop.visitor().get('/login')
  const cases = [
    [await shop.visitor().press(login, 'Login', { email: ada.email, password: 'not this one' }), 401, 'Login'],
    [
      await browser.press(
        await browser.get(`/instruments/${violin}`),
        'Order Now',
        { orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' },
        { extraFields: { unitPrice: '9900' } },
      ),
      409,
      'Total for 2 \\$200.00Order Now',
    ],
  ] as const
  for (const [response, status, button] of cases) {
    expect(response.status).toBe(status)
    expect(title(response)).toMatch(/^Error: /)
    const alerts = response.page.querySelectorAll('main [role=alert]')
    expect(focused(response)).toEqual(alerts)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]!.nextElementSibling?.text).toMatch(new RegExp(`^${button}`))
  }
})

const ordered = async (shop: Shop, instrumentId: string, customer: { id: string }) =>
  (await placeOrder(shop.deps, customer, orderInput(instrumentId))).id

test('returns from an action in a list to its row, or to the next if the row is gone', async ({ shop }) => {
  const [violin, viola] = [await shop.sells({ name: 'A violin' }), await shop.sells({ name: 'B viola' })]
  const ada = await shop.customer()
  const [older, newer] = [await ordered(shop, violin, ada), await ordered(shop, viola, ada)]
  const browser = await shop.signedIn(ada)
  const orders = '/dashboard/myOrders?before=zzz'
  const refused = await browser.post(orders, { orderId: 'none' })
  expect(refused.status).toBe(404)
  expect(title(refused)).toBe('Error: My Orders · Cadenza')
  expect(focused(refused).map(({ text }) => text)).toEqual(['Order not found.'])

  await (
    await prepareSession(shop.deps, ada, 'Firefox/1 Linux')
  ).insert
  await (
    await prepareSession(shop.deps, ada, 'Safari/1 iPhone')
  ).insert
  const path = '/dashboard/myProfile/sessions'
  const sessions = await browser.get(path)
  const ids = attributes(sessions, 'tbody th span', 'id')
  const row = sessions.page.querySelectorAll('tbody tr').findIndex((each) => each.text.includes('Firefox'))
  const ended = await browser.press(sessions, 'Sign out there', {}, { row: 'Firefox' })
  expect([ended.path, ended.fragment]).toEqual([path, `#${ids[row + 1] ?? ids[row - 1]}`])
  const alone = await browser.press(ended, 'Sign out everywhere else')
  expect([alone.path, alone.fragment]).toEqual([path, `#${attributes(alone, 'tbody th span', 'id')[0]}`])

  for (const id of [older, newer]) {
    await payAt((await startCheckout(shop.deps, ada, id)).url)
    await confirmOrderPayment(shop.deps, id)
  }
  const admin = await shop.signedIn(await shop.admin())
  const toShip = '/dashboard/manageOrders?status=paid'
  const shipped = await admin.press(await admin.get(toShip), 'Ship Now', {}, { row: 'B viola' })
  expect([shipped.path, shipped.fragment]).toEqual([toShip, `#${older}`])
  await admin.press(shipped, 'Ship Now')

  const users = `/dashboard/makeAdmin?after=${encodeURIComponent('')}`
  const removed = await admin.press(await admin.get(users), 'Remove User', {}, { row: ada.email })
  const made = await admin.press(await admin.press(removed, 'Make Admin', {}, { row: ada.email }), 'Make Admin')
  for (const after of [removed, made]) expect([after.path, after.fragment]).toEqual([users, `#${ada.id}`])
})

test('begins the form of a product with what changes most', async ({ shop }) => {
  const browser = await shop.signedIn(await shop.admin())
  const form = await browser.get(`/dashboard/manageProduct/${await shop.sells()}`)
  const order = attributes(form, '.product-form :is(input, select, textarea):not([type=hidden])', 'name')
  const first = ['name', 'family', 'price', 'minQuantity', 'stockChange', 'stockNote', 'picture', 'img']
  expect(order.slice(0, 8)).toEqual(first)
  expect(form.page.querySelectorAll('.fold[open] > summary').map(({ text }) => text)).toEqual([
    'Description and details',
    'Specification (0)',
    'Price breaks (0) and low stock',
  ])
})
