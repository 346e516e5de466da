import { eq, like } from 'drizzle-orm'
import {
  contactMessages,
  instruments,
  emails,
  orderRefunds,
  orders,
  pages,
  quotes,
  reviews,
  sessions,
  users,
} from '../../app/db/schema'
import type { Config } from '../../app/http/config.server'
import { sharedSubmissionId } from '../../app/http/request/submission.server'
import { askForPrice, offerPrice } from '../../app/store/quotes/quotes.server'
import { newId } from '../../app/store/shared/ids.server'
import { payAt } from '../support/hosted-page'
import { anOrder, aPaidOrder, intentsAtStripe } from '../support/payments'
import { day, expect, parcel, test, type Customer, type Shop } from '../support/shop'
import type { PageResponse, TestBrowser } from '../support/test-browser'

interface Form {
  path: string
  button: string
  fields: Record<string, string>
  done: string
  count: () => Promise<number>
}

const forms: Record<string, (shop: Shop) => Promise<{ browser: TestBrowser; form: Form }>> = {
  async order(shop) {
    const violin = await shop.sells({ stock: 10 })
    const ada = await shop.customer()
    return {
      browser: await shop.visitor().signIn(ada),
      form: {
        path: `/instruments/${violin}`,
        button: 'Order Now',
        fields: { orderQuantity: '2', customerAddress: '1 Bow Lane', customerPhone: '07700 900123' },
        done: 'of Concert Violin. Please pay: ',
        count: async () => {
          const orders = await shop.ordersOf(ada)
          expect(await shop.stockOf(violin)).toBe(10 - 2 * orders.length)
          return orders.length
        },
      },
    }
  },
  async review(shop) {
    return {
      browser: await shop.visitor().signIn(await shop.customer()),
      form: {
        path: '/dashboard/addReview',
        button: 'Submit',
        fields: { description: 'A warm and even tone.' },
        done: 'Thank you for your time and feedback!',
        count: async () => (await shop.deps.db.select().from(reviews)).length,
      },
    }
  },
  async product(shop) {
    return {
      browser: await shop.visitor().signIn(await shop.admin()),
      form: {
        path: '/dashboard/addProduct',
        button: 'Add Product',
        fields: { name: 'Piccolo', img: '/plates/x.svg', price: '349.99', availableQuantity: '12', minQuantity: '2' },
        done: 'Add Product',
        count: async () => (await shop.deps.db.select().from(instruments)).length,
      },
    }
  },
  async refund(shop) {
    const { id } = await aPaidOrder(shop)
    return {
      browser: await shop.visitor().signIn(await shop.admin()),
      form: {
        path: `/dashboard/manageOrders/${id}/refund?amount=100&reason=Dent&restock=1`,
        button: 'Refund',
        fields: {},
        done: 'Order C-1001',
        count: async () => (await shop.deps.db.select().from(orderRefunds)).length,
      },
    }
  },
  async 'price request'(shop) {
    const violin = await shop.sells()
    return {
      browser: await shop.signedIn(await shop.customer()),
      form: {
        path: `/dashboard/quotes/new?instrument=${violin}`,
        button: 'Ask for a volume price',
        fields: { orderQuantity: '40', note: 'For a school' },
        done: 'Awaiting reply',
        count: () => shop.deps.db.$count(quotes),
      },
    }
  },
  async 'order of an offer'(shop) {
    const violin = await shop.sells({ stock: 10 })
    const [ada, admin] = [await shop.customer(), await shop.admin()]
    const asked = { orderQuantity: 4, instrumentId: violin, submissionId: newId(), note: '' }
    const { id } = await askForPrice(shop.deps, ada, asked)
    await offerPrice(shop.deps, admin, id, { price: 90_00, orderQuantity: 4, validUntil: Date.now() + day, reply: '' })
    return {
      browser: await shop.signedIn(ada),
      form: {
        path: `/dashboard/quotes/${id}`,
        button: 'Accept: order 4 for $360.00',
        fields: parcel,
        done: 'of Concert Violin. Please pay: ',
        count: async () => {
          const orders = await shop.ordersOf(ada)
          expect(await shop.stockOf(violin)).toBe(10 - 4 * orders.length)
          return orders.length
        },
      },
    }
  },
  async 'changed profile'(shop) {
    const ada = await shop.customer()
    const typed = { name: 'Ada L', address: '2 Bow Lane', phone: '07700 900124' }
    return {
      browser: await shop.signedIn(ada),
      form: {
        path: '/dashboard/myProfile',
        button: 'Update Profile',
        fields: typed,
        done: 'Your profile is updated',
        count: () => shop.deps.db.$count(users, eq(users.phone, typed.phone)),
      },
    }
  },
  async page(shop) {
    return {
      browser: await shop.visitor().signIn(await shop.admin()),
      form: {
        path: '/dashboard/settings/pages/new',
        button: 'Save draft',
        fields: { title: 'Opening hours', slug: 'opening-hours', body: 'Closed on Sundays.' },
        done: 'Opening hours',
        count: () => shop.deps.db.$count(pages),
      },
    }
  },
  async login(shop) {
    const { id, email, password } = await shop.customer()
    return {
      browser: shop.visitor(),
      form: {
        path: '/login',
        button: 'Login',
        fields: { email, password },
        done: 'Welcome to your Dashboard',
        // Of a lost answer, the browser has no cookie, and nobody else has.
        count: async () => Math.min(1, await shop.deps.db.$count(sessions, eq(sessions.userId, id))),
      },
    }
  },
  message(shop) {
    return Promise.resolve({
      browser: shop.visitor(),
      form: {
        path: '/home',
        button: 'Send',
        fields: { name: 'Zoë', email: 'zoe@example.com', message: 'Do you have a left-handed cello?' },
        done: 'Thank you. Your message is on its way to us.',
        count: async () => {
          const messages = await shop.deps.db.select().from(contactMessages)
          // One email to the shop and one copy to the sender.
          const rows = await shop.deps.db.select({ id: emails.id }).from(emails).where(like(emails.id, 'contact%'))
          expect(rows).toHaveLength(2 * messages.length)
          return messages.length
        },
      },
    })
  },
  account(shop) {
    return Promise.resolve({
      browser: shop.visitor(),
      form: {
        path: '/register',
        button: 'Register',
        fields: { name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' },
        done: 'Welcome to your Dashboard',
        count: async () => {
          const accounts = await shop.deps.db.select().from(users)
          const rows = await shop.deps.db
            .select({ id: emails.id })
            .from(emails)
            .where(like(emails.id, 'verify-email:%'))
          expect(rows).toHaveLength(accounts.length)
          return accounts.length
        },
      },
    })
  },
}

type Send = (page: PageResponse, cut?: 'before' | 'after') => Promise<PageResponse>

const ways: [string, (browser: TestBrowser, page: PageResponse, send: Send) => Promise<PageResponse[]>][] = [
  ['pressed twice at once', (_, page, send) => Promise.all([send(page), send(page)])],
  [
    'sent again from the page that Back leads to',
    async (browser, page, send) => [await send(page), await send(await browser.back())],
  ],
  [
    'sent again after an answer that got lost',
    async (browser, page, send) => {
      await expect(send(page, 'after')).rejects.toThrow('The connection broke')
      return [await send(await browser.backFromError())]
    },
  ],
  [
    'sent again after a request that got lost',
    async (browser, page, send) => {
      await expect(send(page, 'before')).rejects.toThrow('The connection broke')
      return [await send(await browser.backFromError())]
    },
  ],
]

for (const [name, open] of Object.entries(forms)) {
  test.for(ways)(`creates one ${name} from a form %s`, async ([, way], { shop }) => {
    const { browser, form } = await open(shop)
    let fields = form.fields
    const send: Send = (page, cut) => {
      const typed = fields
      fields = {}
      return browser.press(page, form.button, typed, { ...(cut && { cut }) })
    }
    const responses = await way(browser, await browser.get(form.path), send)
    for (const { status, text } of responses) {
      expect(status).toBe(200)
      expect(text).toContain(form.done)
    }
    expect(await form.count()).toBe(1)
  })
}

test.for(ways)('takes one payment from a form %s', async ([, way], { shop }) => {
  const { id, customer } = await anOrder(shop)
  const browser = await shop.signedIn(customer)
  const path = `/dashboard/myOrders/payment/${id}`
  const send: Send = (page, cut) => browser.press(page, 'Pay on the secure page', {}, { ...(cut && { cut }) })
  const places = (await way(browser, await browser.get(path), send)).map(({ location }) => location!)
  const stripe = new URL(shop.sandbox.url).origin
  expect(places.map((place) => new URL(place).origin)).toEqual(places.map(() => stripe))
  // One of two at once may close the other.
  const paid = await Promise.allSettled(places.map((place) => payAt(place)))
  expect(paid.filter(({ status }) => status === 'fulfilled')).not.toEqual([])
  expect((await browser.get(path)).text).toContain('Your payment is successful!')
  const again = await browser.back()
  expect([again.path, again.text]).toEqual([path, expect.stringContaining('Your payment is successful!')])
  expect(await intentsAtStripe(shop)).toHaveLength(1)
  expect(await shop.piecesIn((await shop.ordersOf(customer))[0]!.instrumentId, 'paid')).toBe(2)
})

test('leads back to the payment after the login when the session ended before the press', async ({ shop }) => {
  const { id, customer } = await anOrder(shop)
  const browser = await shop.visitor().signIn(customer as Customer)
  const form = await browser.get(`/dashboard/myOrders/payment/${id}`)
  await shop.deps.db.delete(sessions)
  const login = await browser.press(form, 'Pay on the secure page')
  const { email, password } = customer as Customer
  const back = await browser.press(login, 'Login', { email, password })
  expect(back.text).toContain('Please pay: $500.00')
  await payAt((await browser.press(back, 'Pay on the secure page')).location!)
  expect((await browser.get(form.path)).text).toContain('Your payment is successful!')
  expect(await intentsAtStripe(shop)).toHaveLength(1)
})

test('reports one order for a repeated form and another for another tab', async ({ shop }) => {
  const { browser, form } = await forms.order!(shop)
  const [first, second] = [await browser.get(form.path), await browser.get(form.path)]
  expect((await browser.press(first, form.button, form.fields)).text).toContain('New order added.')
  const again = await browser.press(first, form.button)
  expect(again.text).toContain('You already placed this order. It was not placed twice.')
  expect(again.text).not.toContain('New order added.')
  expect((await browser.press(second, form.button, form.fields)).text).toContain('New order added.')
  expect(await form.count()).toBe(2)
})

test.for([
  ['order', { orderQuantity: '3', customerAddress: '2 Bow Lane' }, 'placed an order with this form'],
  ['review', { description: 'Something else.' }, 'sent this with something else in it'],
  ['product', { availableQuantity: '13' }, 'sent this with something else in it'],
  ['price request', { note: 'For an orchestra' }, 'sent this with something else in it'],
  ['message', { message: 'Or a right-handed one?' }, 'sent this with something else in it'],
  ['page', { body: 'Closed on Mondays.', slug: 'hours' }, 'sent this with something else in it'],
] as const)(
  'refuses a used form that made a %s and now differs, and accepts it on the next try',
  async ([name, change, refusal], { shop }) => {
    const { browser, form } = await forms[name]!(shop)
    const page = await browser.get(form.path)
    await browser.press(page, form.button, form.fields)
    const refused = await browser.press(page, form.button, change)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(refusal)
    for (const typed of Object.values(change)) expect(refused.html).toContain(typed)
    const after = await browser.press(refused, form.button)
    expect(after.text).toContain(form.done)
    const made = name === 'order' ? (await shop.deps.db.select().from(orders)).length : await form.count()
    expect(made).toBe(2)
  },
)

test('refuses a stock form that was sent with other pieces, for another product, or to another page', async ({
  shop,
}) => {
  const [oboe, viola] = [await shop.sells({ stock: 10 }), await shop.sells({ stock: 20 })]
  const browser = await shop.visitor().signIn(await shop.admin())
  const stock = {
    command: 'stock',
    instrumentId: oboe,
    pieces: '5',
    direction: 'in',
    reason: '',
    submissionId: newId(),
  }
  const list = '/dashboard/manageProduct'
  const statuses: number[] = []
  for (const [path, change] of [
    [list, {}],
    [list, {}],
    [list, { pieces: '6' }],
    [list, { reason: 'Found' }],
    [list, { instrumentId: viola }],
    ['/dashboard/addReview', { description: 'Fine.' }],
    [`/instruments/${oboe}`, { orderQuantity: '1', ...parcel }],
    [list, {}],
  ] as const)
    statuses.push((await browser.post(path, { ...stock, ...change })).status)
  expect(statuses).toEqual([200, 200, 409, 409, 409, 409, 409, 200])
  expect([await shop.stockOf(oboe), await shop.stockOf(viola)]).toEqual([15, 20])
})

test('keeps the submission id of an invalid form', async ({ shop }) => {
  const { browser, form } = await forms.order!(shop)
  const page = await browser.get(form.path)
  const withMistake = await browser.press(page, form.button, { ...form.fields, customerPhone: '1' })
  expect(withMistake.status).toBe(422)
  await expect(browser.press(withMistake, form.button, form.fields, { cut: 'after' })).rejects.toThrow(
    'The connection broke',
  )
  expect((await browser.press(await browser.backFromError(), form.button)).text).toContain('You already placed')
  expect(await form.count()).toBe(1)
})

test('separates visitors with the same submission id', async ({ shop }) => {
  const { form } = await forms.message!(shop)
  for (const email of ['zoe@example.com', 'jo@example.com']) {
    const browser = shop.visitor()
    await browser.press(await browser.get(form.path), form.button, { ...form.fields, email })
  }
  expect(await form.count()).toBe(2)

  const { browser, form: signUp } = await forms.account!(shop)
  await browser.press(await browser.get(signUp.path), signUp.button, signUp.fields)
  const stranger = shop.visitor()
  const page = await stranger.get(signUp.path)
  const refused = await stranger.press(page, signUp.button, { ...signUp.fields, password: 'a guess' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('This email already has an account. Log in instead.')
  expect(stranger.cookie('session')).toBeUndefined()
  expect(await signUp.count()).toBe(1)
  // The right password must not sign in through another form.
  const later = await stranger.press(await stranger.get(signUp.path), signUp.button, signUp.fields, {
    extraFields: { submissionId: 'another-number' },
  })
  expect([later.status, stranger.cookie('session')]).toEqual([409, undefined])
})

test('rate-limits password guesses through the register form', async ({ shop }) => {
  const { browser, form } = await forms.account!(shop)
  await browser.press(await browser.get(form.path), form.button, form.fields)
  const stranger = shop.visitor()
  const page = await stranger.get(form.path)
  const statuses: number[] = []
  for (let guess = 0; guess < 11; guess++) {
    statuses.push((await stranger.press(page, form.button, { ...form.fields, password: `guess ${guess}` })).status)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(409), 429])
})

test('changes the submission id of public pages every hour, unpredictably', () => {
  const at = (now: number, secret = 'one secret') =>
    sharedSubmissionId({ config: { SESSION_SECRET: secret } as Config, now: () => now })
  const hour = 60 * 60 * 1000
  expect(at(hour)).toBe(at(2 * hour - 1))
  expect(new Set([at(hour - 1), at(hour), at(2 * hour), at(hour, 'another secret')]).size).toBe(4)
})

test('accepts the earlier submission ids of a reloaded page', async ({ shop }) => {
  const { browser, form } = await forms.review!(shop)
  const numbers = async () => {
    const { page } = await browser.get(form.path)
    return page.querySelectorAll('[name=restoredSubmissionId] option').map(({ text }) => text)
  }
  const [first] = await numbers()
  const [second, ...before] = await numbers()
  expect(before).toEqual([first])
  const restored = { submissionId: second!, restoredSubmissionId: first!, ...form.fields }
  await browser.post(form.path, { submissionId: first!, ...form.fields })
  await browser.post(form.path, restored)
  expect(await form.count()).toBe(1)
  expect((await numbers()).length).toBeLessThanOrEqual(4)
})

test('lets browsers store only form pages without a toast', async ({ shop }) => {
  const { browser, form } = await forms.review!(shop)
  const violin = await shop.sells()
  const cacheOf = ({ headers }: PageResponse) => headers.get('cache-control')
  for (const path of [form.path, `/instruments/${violin}`, '/dashboard/myProfile']) {
    expect(cacheOf(await browser.get(path)), path).toBe('private, no-cache')
  }
  for (const path of ['/dashboard', '/dashboard/myOrders', '/instruments/none']) {
    expect(cacheOf(await browser.get(path)), path).toBe('private, no-store')
  }
  const withMistake = await browser.press(await browser.get(form.path), form.button, { description: ' ' })
  expect(cacheOf(withMistake)).toBe('private, no-cache')
  const thanked = await browser.press(withMistake, form.button, form.fields)
  expect([thanked.path, cacheOf(thanked)]).toEqual([form.path, 'private, no-store'])
  const data = await browser.fetch(`${form.path}.data`)
  expect(data.headers.get('cache-control')).toBe('private, no-store')
})

test('clears the browser’s cache on the first page after sign-out', async ({ shop }) => {
  const { browser, form } = await forms.review!(shop)
  const home = await browser.press(await browser.get(form.path), 'Sign Out')
  const picture = home.page.querySelector('img[hidden]')!
  const { status, headers } = await browser.fetch(picture.getAttribute('src')!)
  expect([status, headers.get('clear-site-data'), headers.get('cache-control')]).toEqual([
    204,
    '"cache"',
    'private, no-store',
  ])
  const next = await browser.get('/')
  expect([next.path, next.page.querySelectorAll('img[hidden]').length]).toEqual([home.path, 0])
})
