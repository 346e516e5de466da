import { discounts } from '../../app/db/schema'
import { listMessages } from '../../app/store/email/contact.server'
import { expect, test } from '../support/shop'

/** One of its halves is the last that fits, whatever even or odd number of signs fits. */
const long = (length: number) => ['', 'a'].map((first) => first + 'm'.repeat(length - 1 - first.length) + '🎻 and on')

test('a message that is cut within an emoji hides neither itself nor the messages before it', async ({ shop }) => {
  const visitor = shop.visitor()
  const form = await visitor.get('/home')
  const written = ['An older one', `${'m'.repeat(999)}🎻 tail`, `${'m'.repeat(998)}👩🏽‍🎤 tail`]
  for (const [nth, message] of written.entries()) {
    const sender = { name: 'Nora Berg', email: `nora${nth}@example.com` }
    expect((await visitor.press(form, 'Send', { ...sender, message })).status).toBe(200)
  }
  const { messages } = await listMessages(shop.deps, { limit: 9, isDone: false })
  expect(messages).toHaveLength(3)
  const admin = await shop.signedIn(await shop.admin())
  const list = await admin.get('/dashboard/messages')
  expect([list.status, list.page.querySelectorAll('textarea[name=reply]').length]).toEqual([200, 3])
})

test('a link with what cannot be a discount code is a link without one, on every public page', async ({ shop }) => {
  await shop.sells({ name: 'Viola da braccio' })
  await shop.deps.db.insert(discounts).values({ code: 'MAY-5', percent: 5, minTotalCents: 0, fromAt: 0, createdAt: 0 })
  const visitor = shop.visitor()
  const pages = [
    '/',
    '/home',
    '/allInstruments',
    '/reviews',
    '/catalog/viola-da-braccio',
    '/de/home',
    '/login',
    '/register',
  ]
  for (const page of pages) {
    const { status } = await visitor.get(page)
    for (const code of [`${'A'.repeat(39)}🎻`, '🎻', 'A'.repeat(31), 'AB', '\ufffd', 'MÄRZ', '%00']) {
      const linked = await visitor.get(`${page}?code=${encodeURIComponent(code)}`)
      expect([page, code, linked.status]).toEqual([page, code, status])
    }
  }
})

test('what is typed into an address is cut between characters, in the shop and at the desk', async ({ shop }) => {
  const id = await shop.sells({ name: 'Rebec' })
  const admin = await shop.signedIn(await shop.admin())
  const pages: [path: string, lengths: Record<string, number>][] = [
    ['/allInstruments', { q: 200, min: 20, max: 20 }],
    [`/instruments/${id}`, { quantity: 20, code: 40 }],
    ['/dashboard/manageOrders', { q: 200, from: 20, to: 20, before: 100, after: 100 }],
    ['/dashboard/manageProduct', { q: 200, after: 100 }],
    ['/dashboard/makeAdmin', { q: 200, after: 100 }],
    ['/dashboard/addProduct', { name: 120 }],
  ]
  for (const [path, lengths] of pages)
    for (const [name, length] of Object.entries(lengths))
      for (const value of long(length)) {
        const { status, text } = await admin.get(`${path}?${new URLSearchParams({ [name]: value })}`)
        expect([path, name, status < 500, text.includes('\ufffd')]).toEqual([path, name, true, false])
      }
})
