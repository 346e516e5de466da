import { eq } from 'drizzle-orm'
import { passwords, sessions, users } from '../../app/db/schema'
import { newId } from '../../app/store/shared/ids.server'
import { acceptQuote } from '../../app/store/ordering/accept-quote.server'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { askForPrice, offerPrice } from '../../app/store/quotes/quotes.server'
import { addReview } from '../../app/store/reviews/reviews.server'
import { chooseAtGoogle } from '../support/google-page'
import { payAt } from '../support/hosted-page'
import { expect, test, type Customer, type Shop } from '../support/shop'
import type { TestBrowser } from '../support/test-browser'
import { appCode } from '../support/totp'

const path = '/dashboard/myProfile/data'

async function order(browser: TestBrowser, instrument: string, isPaid: boolean) {
  const page = await browser.get(`/instruments/${instrument}`)
  const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123', orderQuantity: '2' }
  await browser.press(page, 'Order Now', parcel)
  if (!isPaid) return
  const mine = await browser.get('/dashboard/myOrders')
  const payPath = mine.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!
  const payment = await browser.press(await browser.get(payPath), 'Pay on the secure page')
  const back = new URL((await payAt(payment.location!)).location!)
  await browser.get(back.pathname + back.search)
}

async function withOrders(shop: Shop, customer: Customer) {
  const violin = await shop.sells({ price: 250_00, stock: 10 })
  const browser = await shop.visitor().signIn(customer)
  await order(browser, violin, true)
  await order(browser, violin, false)
  await addReview(shop.deps, customer, { description: 'A warm sound.' })
  return { browser, violin }
}

test('downloads all data of the customer, and nothing of others, with the password', async ({ shop }) => {
  const [ada, bea] = [await shop.customer({ name: 'Ada' }), await shop.customer({ name: 'Bea' })]
  const { browser } = await withOrders(shop, ada)
  await shop.deps.db.update(users).set({ address: '1 Bow Lane' }).where(eq(users.id, ada.id))
  await withOrders(shop, bea)
  const link = (await browser.get('/dashboard/myProfile')).page.querySelector(`a[href="${path}"]`)
  expect(link).not.toBeNull()
  const wrong = await browser.press(await browser.get(path), 'Download my data', { password: 'not the password' })
  expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('Wrong email or password.')])
  const empty = await browser.press(wrong, 'Download my data', { password: '' })
  expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Password is Required')])
  const ready = await browser.press(empty, 'Download my data', { password: ada.password })
  expect(ready.page.querySelector('meta[http-equiv=refresh]')?.getAttribute('content')).toBe(`0;url=${path}.json`)

  const file = await browser.fetch(`${path}.json`)
  expect(file.headers.get('cache-control')).toBe('private, no-store')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
  const text = await file.text()
  const data = JSON.parse(text) as Record<string, never>
  expect(data).toMatchObject({
    shop: shop.deps.origin,
    profile: { email: ada.email, address: '1 Bow Lane' },
    signIn: {
      password: { changedAt: expect.stringMatching(/^20/) as string },
      sessions: [{ browser: expect.any(String) as string }],
      apiKeys: [],
    },
    reviews: [{ name: 'Ada', description: 'A warm sound.' }],
    messages: [],
    orders: [
      {
        state: 'paid',
        totalCents: 500_00,
        events: [
          { event: 'order placed', by: 'you' },
          { event: 'order paid', by: 'Stripe' },
        ],
      },
      { state: 'unpaid', customerAddress: '1 Bow Lane', refunds: [] },
    ],
    emails: expect.arrayContaining([
      expect.objectContaining({ subject: expect.stringMatching(/^order/) as string }),
    ]) as object[],
  })
  const [{ hash } = { hash: '' }] = await shop.deps.db.select().from(passwords).where(eq(passwords.userId, ada.id))
  const secrets = await shop.deps.db.select({ hash: sessions.tokenHash }).from(sessions)
  for (const other of [bea.id, bea.email, 'Bea', hash, ...secrets.map(({ hash }) => hash)])
    expect(text).not.toContain(other)

  await shop.deps.db.update(sessions).set({ createdAt: Date.now() - 15 * 60_000 })
  for (const page of [`${path}.json`, `${path}/close`])
    expect((await browser.get(page)).path).toMatch(/^\/login\/confirm\?redirectTo=%2Fdashboard%2FmyProfile%2Fdata/)
  expect((await browser.post(`${path}/close`, {})).path).toMatch(/^\/login\/confirm/)
  expect((await shop.visitor().get(`${path}.json`)).path).toMatch(/^\/login\?/)
})

test('downloads invoices, credit notes and accepted offers by their numbers', async ({ shop }) => {
  const [ada, admin] = [await shop.customer(), await shop.admin()]
  const { browser, violin } = await withOrders(shop, ada)
  const [paid] = await shop.ordersOf(ada)
  await refundOrder(shop.deps, admin, paid!.id, { amount: 100_00, reason: 'Dent', restock: 0, submissionId: newId() })
  const { id } = await askForPrice(shop.deps, ada, { submissionId: newId(), instrumentId: violin, orderQuantity: 3 })
  await offerPrice(shop.deps, admin, id, { price: 200_00, orderQuantity: 3, validUntil: Date.now() + 60_000 })
  await acceptQuote(shop.deps, ada, id, { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' })
  await browser.press(await browser.get(path), 'Download my data', { password: ada.password })
  const data = await (await browser.fetch(`${path}.json`)).json()
  expect(data).toMatchObject({
    orders: [
      { number: 1001, invoices: [{ number: 'INV-1-1' }], creditNotes: [{ number: 'CN-1-1', amountCents: 100_00 }] },
      { number: 1002, invoices: [], creditNotes: [] },
      { number: 1003 },
    ],
    quotes: [{ state: 'offered', order: 'C-1003' }],
  })
})

test('closes the account after a page that says what happens, for every browser and token', async ({ shop }) => {
  const ada = await shop.customer({ name: 'Ada' })
  const { browser, violin } = await withOrders(shop, ada)
  const elsewhere = await shop.visitor().signIn(ada)
  const headers = { origin: shop.deps.origin, 'content-type': 'application/json' }
  const issued = await elsewhere.fetch(`/user/${ada.email}`, { method: 'PUT', headers, body: '{}' })
  const { token } = await issued.json<{ token: string }>()
  const withToken = () =>
    fetch(`${shop.deps.origin}/order?customerEmail=${ada.email}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await withToken()).status).toBe(200)

  const question = await browser.press(await browser.get(path), 'Close my account', { password: ada.password })
  expect(question.path).toBe(`${path}/close`)
  for (const text of [
    'Nobody can undo this',
    '1 unpaid order is cancelled',
    'We still send 1 paid order',
    '10 whole years',
    ada.email,
  ])
    expect(question.text).toContain(text)
  expect((await shop.ordersOf(ada)).map(({ state }) => state)).toEqual(['paid', 'unpaid'])
  const closed = await browser.press(question, 'Close my account', { deleteReviews: 'on' })
  expect([closed.path, closed.text]).toEqual(['/', expect.stringContaining('Your account is closed.')])
  expect(closed.text).not.toContain('A warm sound.')
  expect(browser.cookie('session')).toBeUndefined()
  expect(await shop.stockOf(violin)).toBe(8)
  expect((await withToken()).status).toBe(401)
  expect((await elsewhere.get('/dashboard')).path).toBe('/login?redirectTo=%2Fdashboard')
  const login = await browser.press(await browser.get('/login'), 'Login', {
    email: ada.email,
    password: ada.password,
  })
  expect([login.status, login.text]).toEqual([401, expect.stringContaining('Wrong email or password.')])
  const subjects = (await shop.emailsTo(ada.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Your account is closed')

  const admin = await shop.visitor().signIn(await shop.admin())
  const list = await admin.get('/dashboard/makeAdmin?q=closed')
  expect(list.text).toContain(`closed account ${ada.id}`)
  const [row] = list.page.querySelectorAll('tr').filter(({ text }) => text.includes(ada.id))
  expect([row!.querySelectorAll('button').length, row!.text]).toEqual([0, expect.stringContaining('Closed account')])
  const person = await admin.get(`/dashboard/makeAdmin/${ada.id}`)
  expect([person.text, person.page.querySelectorAll('main button').length]).toEqual([
    expect.stringContaining('Closed on'),
    0,
  ])
  const [paid] = await shop.ordersOf(ada)
  const page = await admin.get(`/dashboard/manageOrders/${paid!.id}`)
  expect(page.text).toContain('The customer has closed the account.')
  expect(page.text).toContain('1 Bow Lane')

  const anew = await browser.press(await browser.get('/register'), 'Register', {
    name: 'Ada',
    email: ada.email,
    password: 'another horse',
  })
  expect(anew.status).toBe(200)
  expect((await browser.get('/dashboard/myOrders')).text).toContain('No orders yet')
  expect((await browser.get(`/dashboard/myOrders/${paid!.id}`)).status).toBe(404)
})

test('asks an account of Google alone for Google, one with a second factor for a code, and keeps the last admin', async ({
  shop,
}) => {
  const browser = shop.visitor()
  const start = async (page: string, button: string) => {
    const { location } = await browser.press(await browser.get(page), button)
    const back = await chooseAtGoogle(location!, { email: 'zoe@example.com' })
    return browser.get(back.pathname + back.search)
  }
  await start('/login', 'Continue with Google')
  expect((await browser.press(await browser.get(path), 'Close my account')).path).toBe(`${path}/close`)
  await shop.deps.db.update(sessions).set({ createdAt: Date.now() - 15 * 60_000 })
  const old = await browser.get(path)
  expect([old.page.querySelector('button[value=close]'), old.text]).toEqual([
    null,
    expect.stringContaining('has no password'),
  ])
  expect((await browser.post(path, { act: 'close' })).status).toBe(422)
  expect((await start(path, 'Continue with Google')).path).toBe(path)
  expect((await browser.press(await browser.get(path), 'Download my data')).path).toBe(`${path}?download`)

  const admin = await shop.admin()
  const office = await shop.visitor().signIn(admin)
  const begun = await office.press(await office.get('/dashboard/myProfile/secondFactor'), 'Set up', {
    password: admin.password,
  })
  const secret = begun.page.querySelector('main code')!.text
  await office.press(begun, 'Switch on', { code: appCode(secret) })
  const asked = await office.press(await office.get(path), 'Close my account', { password: admin.password })
  expect(asked.path).toBe(`/login/code?redirectTo=${encodeURIComponent(`${path}/close`)}`)
  const question = await office.press(asked, 'Continue', { code: appCode(secret, { steps: 1 }) })
  expect([question.path, question.page.querySelectorAll('main form').length]).toEqual([`${path}/close`, 0])
  expect(question.text).toContain('You are the only admin')
  expect((await office.post(`${path}/close`, {})).status).toBe(409)
})
