import { auditLog, contactMessages, emails, health } from '../../app/db/schema'
import { addReview } from '../../app/store/reviews/reviews.server'
import { sendMessage } from '../../app/store/email/contact.server'
import { newId } from '../../app/store/shared/ids.server'
import { maxAttempts } from '../../app/store/shared/limits'
import { askForPrice } from '../../app/store/quotes/quotes.server'
import { expect, test, type Shop } from '../support/shop'

async function shopkeeper(shop: Shop) {
  const admin = await shop.admin()
  return { admin, browser: await shop.visitor().signIn(admin) }
}

const lost = {
  kind: 'test' as const,
  recipient: 'ada@example.com',
  subject: '',
  text: '',
  html: '',
  createdAt: 1,
  dueAt: 9e15,
}

const eventsOf = async (shop: Shop, admin: { id: string }) =>
  (await shop.deps.db.select().from(auditLog))
    .filter(({ actor }) => actor === admin.id)
    .map(({ event, note }) => [event, note])

test('hides a review with a reason, and shows it again, on every page and in the API at once', async ({ shop }) => {
  const { admin, browser } = await shopkeeper(shop)
  const { id } = await addReview(shop.deps, await shop.customer(), { description: 'Buy at cheap-flutes.example' })
  const isPublic = async () => {
    const [home, list, api] = [shop.visitor(), shop.visitor(), shop.visitor()]
    const texts = [(await home.get('/home')).text, (await list.get('/reviews')).text]
    const json = await api.fetch('/reviews', { headers: { accept: 'application/json' } })
    return [...texts, await json.text()].map((text) => text.includes('cheap-flutes'))
  }
  expect(await isPublic()).toEqual([true, true, true])

  const withoutReason = await browser.press(await browser.get('/dashboard/reviews'), 'Hide', { reason: ' ' })
  expect(withoutReason.status).toBe(422)
  expect(withoutReason.page.querySelector('details[open] .error')?.text).toBe('Give a reason')
  expect(await isPublic()).toEqual([true, true, true])

  const hidden = await browser.press(withoutReason, 'Hide', { reason: 'Advertising' })
  expect(hidden.text).toContain('The review is hidden.')
  expect(hidden.text).toContain('Hidden: Advertising')
  expect(await isPublic()).toEqual([false, false, false])

  await browser.press(hidden, 'Show')
  expect(await isPublic()).toEqual([true, true, true])
  expect(await eventsOf(shop, admin)).toEqual([
    ['review hidden', `${id} Advertising`],
    ['review shown', id],
  ])
})

test('lists the reviews with so many stars alone', async ({ shop }) => {
  const { browser } = await shopkeeper(shop)
  const ada = await shop.customer()
  for (const [description, rating] of [
    ['Fine.', 5],
    ['Flat.', 2],
    ['Says nothing of stars.', undefined],
  ] as const)
    await addReview(shop.deps, ada, { description, ...(rating && { rating }) })
  const textsAt = async (path: string) =>
    (await browser.get(path)).page.querySelectorAll('.entries .text').map(({ text }) => text)
  expect(await textsAt('/dashboard/reviews')).toHaveLength(3)
  expect(await textsAt('/dashboard/reviews?stars=2')).toEqual(['Flat.'])
  expect(await textsAt('/dashboard/reviews?stars=none')).toHaveLength(3)
})

test('shows a public reply below the review until it is removed', async ({ shop }) => {
  const { admin, browser } = await shopkeeper(shop)
  const { id } = await addReview(shop.deps, await shop.customer(), { description: 'It came late.' })
  const replyOf = async () => (await shop.visitor().get('/reviews')).page.querySelector('.review .reply')?.text
  const list = () => browser.get('/dashboard/reviews')
  await browser.press(await list(), 'Reply', { reply: 'We are <b>sorry</b>.' })
  expect(await replyOf()).toBe('Cadenza answers: We are <b>sorry</b>.')
  await browser.press(await list(), 'Reply', { reply: 'We are <b>sorry</b>.' })
  await browser.press(await list(), 'Reply', { reply: '' })
  expect(await replyOf()).toBeUndefined()
  expect(await eventsOf(shop, admin)).toEqual([
    ['review answered', `${id} We are <b>sorry</b>.`],
    ['review answered', `${id} (answer removed)`],
  ])
})

test('lists messages to answer, and those that are done apart', async ({ shop }) => {
  const { admin, browser } = await shopkeeper(shop)
  const message = { name: 'Zoë & Co', email: 'zoe+a@example.org', message: 'Do you have\nharps?', copy: false }
  await sendMessage(shop.deps, message, '203.0.113.9')
  const inbox = await browser.get('/dashboard/messages')
  const after = await browser.press(inbox, 'Done')
  expect(after.text).toContain('Nothing to answer')
  await browser.press(inbox, 'Done')
  const done = await browser.get('/dashboard/messages?done=1')
  expect(done.text).toContain('Zoë & Co')
  await browser.press(done, 'Open again')
  expect((await browser.get('/dashboard/messages')).text).toContain('Zoë & Co')
  const [{ id } = { id: '' }] = await shop.deps.db.select().from(contactMessages)
  expect(await eventsOf(shop, admin)).toEqual([
    ['message done', id],
    ['message open again', id],
  ])
})

test('answers a message by an email, closes it, and sends the same reply once', async ({ shop }) => {
  const { admin, browser } = await shopkeeper(shop)
  await sendMessage(shop.deps, { name: 'Zoë', email: 'zoe@example.org', message: 'Harps?', copy: false }, '203.0.113.9')
  const inbox = await browser.get('/dashboard/messages')
  const empty = await browser.press(inbox, 'Send and close', { reply: ' ' })
  expect([empty.status, empty.page.querySelector('.entries .error')?.text]).toEqual([422, 'Write a reply first'])
  const sent = await browser.press(empty, 'Send and close', { reply: 'Yes, in <May>.' })
  expect(sent.text).toContain('Your reply is on its way to zoe@example.org.')
  expect(sent.text).toContain('Nothing to answer')
  expect((await browser.press(inbox, 'Send and close', { reply: 'Yes, in <May>.' })).status).toBe(200)
  const other = await browser.press(inbox, 'Send and close', { reply: 'No.' })
  expect([other.status, other.text.includes('This message is done.')]).toEqual([409, true])
  const [reply, ...others] = await shop.emailsTo('zoe@example.org')
  expect(others).toEqual([])
  expect(reply!.text).toMatch(/Hello Zoë.*Yes, in <May>\..*You wrote:.*Harps\?/s)
  expect((await eventsOf(shop, admin)).map(([event]) => event)).toEqual(['message done'])
})

test('moderates no review that is not there', async ({ shop }) => {
  const { browser: admin } = await shopkeeper(shop)
  const missing = await admin.post('/dashboard/reviews', { intent: 'show', reviewId: 'none' })
  expect([missing.status, missing.text.includes('There is no such review.')]).toEqual([404, true])
})

test('leads the shopkeeper to what there is to do', async ({ shop }) => {
  const { browser } = await shopkeeper(shop)
  await shop.sells({ name: 'Rebec', stock: 1, minimum: 2 })
  const message = { name: 'Zoë', email: 'zoe@example.org', message: 'Harps?', copy: false }
  await sendMessage(shop.deps, message, '203.0.113.9')
  const { page } = await browser.get('/dashboard')
  const tasks = page.querySelectorAll('.tasks li').map((task) => task.text.trim())
  expect(tasks).toEqual(['To ship 0', 'Low stock 1', 'Messages 1', 'Price requests 0'])
  expect(page.querySelectorAll('#low-stock a, a[href^="/dashboard/manageProduct/"]').map(({ text }) => text)).toEqual([
    'Rebec',
  ])
  const customer = await shop.visitor().signIn(await shop.customer())
  expect((await customer.get('/dashboard')).text).not.toContain('Low stock')
})

test('counts what waits in the menu of every page, and marks where one is', async ({ shop }) => {
  const { browser } = await shopkeeper(shop)
  const message = { name: 'Zoë', email: 'zoe@example.org', message: 'Harps?', copy: false }
  await sendMessage(shop.deps, message, '203.0.113.9')
  await shop.deps.db.update(health).set({ cronFinishedAt: Date.now() })
  await shop.deps.db.insert(emails).values({ ...lost, id: 'given up', attempts: maxAttempts })
  await shop.deps.db.insert(emails).values({ ...lost, id: 'waiting', attempts: 1 })
  const ada = await shop.customer()
  const wish = { submissionId: newId(), instrumentId: await shop.sells(), orderQuantity: 3 }
  await askForPrice(shop.deps, ada, wish)
  const menu = async (path: string) => {
    const items = (await browser.get(path)).page.querySelectorAll('nav[aria-label=Dashboard] a[href^="/"]')
    const current = items.filter((item) => item.getAttribute('aria-current') === 'page')
    return { items: items.map(({ text }) => text).slice(5), current: current.map(({ text }) => text) }
  }
  const counted = ['Messages (1)', 'Price Requests (1)', 'Reviews', 'Reports', 'Settings', 'What is wrong (1)']
  for (const [path, name] of [
    ['/dashboard/manageOrders', 'Manage All Orders'],
    ['/dashboard/manageOrders/pickingList', 'Manage All Orders'],
    ['/dashboard/manageProduct/import', 'Manage Products'],
    ['/dashboard/manageProduct/pictures', 'Manage Products'],
    ['/dashboard/makeAdmin', 'Make Admin'],
    [`/dashboard/makeAdmin/${ada.id}`, 'Make Admin'],
    ['/dashboard/messages', 'Messages (1)'],
    ['/dashboard/manageQuotes', 'Price Requests (1)'],
    ['/dashboard/problems', 'What is wrong (1)'],
    ['/dashboard/reviews', 'Reviews'],
    ['/dashboard/settings', 'Settings'],
    ['/dashboard/settings/pages/new', 'Settings'],
    ['/dashboard/settings/families/brass', 'Settings'],
    ['/dashboard/settings/discounts', 'Settings'],
    ['/dashboard/settings/emails/refund', 'Settings'],
    ['/dashboard/settings/keys', 'Settings'],
    ['/dashboard/settings/webhooks', 'Settings'],
  ] as const)
    expect([path, await menu(path)]).toEqual([path, { items: counted, current: [name] }])
  await browser.press(await browser.get('/dashboard/messages'), 'Done')
  await shop.deps.db.delete(emails)
  expect((await menu('/dashboard')).items).toEqual(['Messages', 'Price Requests (1)', 'Reviews', 'Reports', 'Settings'])
  const customer = await shop.visitor().signIn(ada)
  expect((await customer.get('/dashboard')).text).not.toContain('Messages')
})
