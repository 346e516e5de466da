import { isNull } from 'drizzle-orm'
import { parse } from 'node-html-parser'
import { emails, orders } from '../../app/db/schema'
import { newId } from '../../app/store/shared/ids.server'
import { refundOrder } from '../../app/store/payments/order-refunds.server'
import { runScheduledTasks } from '../../app/store/operations/scheduled-tasks.server'
import { payAt } from '../support/hosted-page'
import { expect, test, type Shop, parcel } from '../support/shop'
import { unpaidOrder } from '../support/unpaid-order'

const anOrder = (shop: Shop) =>
  unpaidOrder(shop, {
    name: 'Concert Violin <4/4>',
    price: 1_450_00,
    delivery: { ...parcel, customerAddress: '1 Bow <Lane>\nCremona' },
  })

const subjects = async (shop: Shop, { email }: { email: string }) =>
  (await shop.emailsTo(email)).map(({ subject }) => subject).reverse()

async function paysOnTheHostedPage({ browser, id }: Awaited<ReturnType<typeof anOrder>>) {
  const page = await browser.get(`/dashboard/myOrders/payment/${id}`)
  const { location } = await browser.press(page, 'Pay on the secure page')
  await payAt(location!)
  return browser.get(`/dashboard/myOrders/payment/${id}?from=checkout`)
}

test('emails a placed order with its total, hold and payment link', async ({ shop }) => {
  const { customer, browser, id } = await anOrder(shop)
  const [email] = await shop.emailsTo(customer.email)
  expect(email!.subject).toBe('Your order: C-1001, 2 × Concert Violin <4/4>')
  expect(email!.text).toContain('Total: $2,900.00')
  expect(email!.text).toMatch(/Your pieces are reserved until \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
  expect(email!.text).toContain(`Instrument: Concert Violin <4/4> (${shop.deps.origin}/catalog/concert-violin-4-4)\n`)
  const link = /Pay \S+:\n(http\S+)/.exec(email!.text)![1]!
  expect(link).toBe(`${shop.deps.origin}/dashboard/myOrders/payment/${id}`)
  expect((await browser.get(new URL(link).pathname)).text).toContain('Please pay: $2,900.00')
  expect(email!.html).not.toContain('<Lane>')
  expect(parse(email!.html).textContent).toContain('1 Bow <Lane>')
})

test('emails one receipt for a payment', async ({ shop }) => {
  const placed = await anOrder(shop)
  await paysOnTheHostedPage(placed)
  await placed.browser.get(`/dashboard/myOrders/payment/${placed.id}`)
  await runScheduledTasks(shop.deps)
  expect(await subjects(shop, placed.customer)).toEqual([
    'Your order: C-1001, 2 × Concert Violin <4/4>',
    'Receipt: C-1001, 2 × Concert Violin <4/4>',
  ])
  const [receipt] = await shop.emailsTo(placed.customer.email)
  expect(receipt!.text).toMatch(/Transaction id: pi_\w+/)
  expect(receipt!.text).toContain(`${shop.deps.origin}/dashboard/myOrders/receipt/${placed.id}`)
})

test('emails a cancellation and an expired hold', async ({ shop }) => {
  const [first, second] = [await anOrder(shop), await anOrder(shop)]
  await first.browser.press(await first.browser.get('/dashboard/myOrders'), 'Cancel')
  const [cancelled] = await shop.emailsTo(first.customer.email)
  expect(cancelled!.subject).toBe('Cancelled: C-1001, 2 × Concert Violin <4/4>')
  expect(cancelled!.text).toContain('You cancelled this order. Nothing was charged.')

  await shop.emailsTo(second.customer.email)
  await runScheduledTasks({ ...shop.deps, now: () => Date.now() + 73 * 60 * 60 * 1000 })
  const [expired] = await shop.emailsTo(second.customer.email)
  expect(expired!.subject).toBe('Cancelled: C-1002, 2 × Concert Violin <4/4>')
  expect(expired!.text).toContain('was not paid in time')
})

test('accepts orders while email is down and sends each email once later', async ({ shop }) => {
  await shop.faults({ mail: { failNext: 1000 } })
  const placed = await anOrder(shop)
  expect((await paysOnTheHostedPage(placed)).text).toContain('Your payment is successful!')
  expect(await shop.emailsTo(placed.customer.email)).toEqual([])
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  const later = { ...shop.deps, now: () => Date.now() + 10 * 60 * 1000 }
  await Promise.all([runScheduledTasks(later), runScheduledTasks(later)])
  await runScheduledTasks(later)
  expect((await subjects(shop, placed.customer)).sort()).toEqual([
    'Receipt: C-1001, 2 × Concert Violin <4/4>',
    'Your order: C-1001, 2 × Concert Violin <4/4>',
  ])
})

test('sends an email once when the provider’s response is lost', async ({ shop }) => {
  await shop.faults({ mail: { failNext: 1, status: 500, when: 'after' } })
  const placed = await anOrder(shop)
  expect(await subjects(shop, placed.customer)).toHaveLength(1)
  await paysOnTheHostedPage(placed)
  await shop.emailsTo(placed.customer.email)
  await runScheduledTasks({ ...shop.deps, now: () => Date.now() + 10 * 60 * 1000 })
  expect(await subjects(shop, placed.customer)).toHaveLength(2)
  const { db } = shop.deps
  expect(await db.select({ id: emails.id }).from(emails).where(isNull(emails.sentAt))).toEqual([])
})

test('sends emails without waiting for a slow payment provider', async ({ shop }) => {
  await shop.faults({ mail: { failNext: 1 } })
  const { customer, browser, id } = await anOrder(shop)
  await browser.press(await browser.get(`/dashboard/myOrders/payment/${id}`), 'Pay on the secure page')
  const { payments } = shop.deps
  let subjectsBeforePayment: string[] = []
  const find: typeof payments.find = async (...what) => {
    subjectsBeforePayment = await subjects(shop, customer)
    return payments.find(...what)
  }
  await runScheduledTasks({ ...shop.deps, payments: { ...payments, find }, now: () => Date.now() + 10 * 60 * 1000 })
  expect(subjectsBeforePayment).toEqual(['Your order: C-1001, 2 × Concert Violin <4/4>'])
})

test('shows a receipt to its customer and to admins once the order is paid', async ({ shop }) => {
  const placed = await anOrder(shop)
  const path = `/dashboard/myOrders/receipt/${placed.id}`
  expect((await placed.browser.get(path)).status).toBe(404)
  await paysOnTheHostedPage(placed)

  const orders = await placed.browser.get('/dashboard/myOrders')
  expect(orders.page.querySelector(`a[href="${path}"]`)?.textContent).toBe('Receipt')
  const shopkeeper = await shop.visitor().signIn(await shop.admin())
  for (const browser of [placed.browser, shopkeeper]) {
    const receipt = await browser.get(path)
    expect(receipt.text).toContain('$2,900.00')
    expect(receipt.text).toMatch(/pi_\w+/)
    expect(receipt.text).toContain('1 Bow <Lane>')
  }
  const other = await shop.visitor().signIn(await shop.customer())
  expect((await other.get(path)).status).toBe(404)
  expect((await shop.visitor().get(path)).path).toContain('/login?redirectTo=')
})

test('shows the paid order on the page after the payment, to its customer only', async ({ shop }) => {
  const placed = await anOrder(shop)
  const path = `/dashboard/myOrders/payment/${placed.id}`
  const unpaid = await placed.browser.get(path)
  expect(unpaid.text).toContain('You ordered 2 pieces of Concert Violin <4/4>. Please pay: $2,900.00')
  expect(unpaid.text).toContain('Order C-1001 ships to: Ada, 1 Bow <Lane>, Cremona')
  for (const page of [await paysOnTheHostedPage(placed), await placed.browser.get(path)]) {
    for (const words of [
      ...[
        'Order C-1001',
        'Your payment is successful!',
        'Thank you for your order.',
        'Concert Violin <4/4>',
        '$2,900.00',
      ],
      ...['1 Bow <Lane>', 'We pack your order', `We email your receipt to ${placed.customer.email}.`, 'You paid on '],
    ])
      expect(page.text).toContain(words)
    expect(page.page.querySelectorAll('main .button').map((link) => link.getAttribute('href'))).toEqual([
      path.replace('/payment', ''),
    ])
    const links = page.page.querySelectorAll('main .actions a').map((link) => link.getAttribute('href'))
    expect(links).toEqual([
      path.replace('payment', 'receipt'),
      path.replace('payment', 'invoice'),
      expect.stringMatching(/^\/dashboard\/addReview\?about=[\w-]+$/),
      '/dashboard/myOrders',
    ])
    expect(page.page.querySelector('nav[aria-label=Dashboard]')).toBeNull()
  }
  const admin = await shop.admin()
  for (const user of [await shop.customer(), admin])
    expect((await (await shop.visitor().signIn(user)).get(path)).status).toBe(404)

  await shop.deps.db.update(orders).set({ state: 'shipped', shippedAt: 1, movedBy: admin.id })
  expect((await placed.browser.get(path)).text).toContain('We shipped your order on 1 Jan 1970.')
})

test('emails the receipt to a customer who has not verified the address', async ({ shop }) => {
  const violin = await shop.sells({ price: 2_950_00 })
  const browser = shop.visitor()
  const email = 'newcomer@example.com'
  await browser.press(await browser.get('/register'), 'Register', { name: 'Ada', email, password: 'correct horse' })
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', { ...parcel, orderQuantity: '2' })
  const list = await browser.get('/dashboard/myOrders')
  const path = list.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!
  await payAt((await browser.press(await browser.get(path), 'Pay on the secure page')).location!)
  const paid = await browser.get(path)
  expect(paid.text).toContain(`We email your receipt to ${email}`)
  expect(paid.text).not.toContain('verify your email')
  expect(await subjects(shop, { email })).toEqual(['Please verify your email', 'Receipt: C-1001, 2 × Concert Violin'])

  // R52: all that follows, too.
  const [order] = await shop.deps.db.select().from(orders)
  const admin = await shop.admin()
  const shopkeeper = await shop.visitor().signIn(admin)
  await shopkeeper.press(await shopkeeper.get(`/dashboard/manageOrders/${order!.id}`), 'Ship Now')
  expect((await subjects(shop, { email })).at(-1)).toBe('On its way: C-1001, 2 × Concert Violin')
  const { id, totalCents: amount } = order!
  await refundOrder(shop.deps, admin, id, { submissionId: newId(), amount, reason: 'A scratch' })
  await runScheduledTasks(shop.deps)
  expect((await subjects(shop, { email })).at(-1)).toBe('Refund: $5,900.00 for C-1001')
})

test('sends the receipt again, from the order and the receipt', async ({ shop }) => {
  const placed = await anOrder(shop)
  await paysOnTheHostedPage(placed)
  const button = 'Send the receipt again'
  const words = `Your receipt is on its way to ${placed.customer.email}.`
  const receipts = async () =>
    (await subjects(shop, placed.customer)).filter((subject) => subject.startsWith('Receipt: ')).length
  expect(await receipts()).toBe(1)
  const path = `/dashboard/myOrders/${placed.id}`
  const receiptPage = `/dashboard/myOrders/receipt/${placed.id}`
  const paid = await placed.browser.get(path)
  // A second press is the same email.
  for (const after of await Promise.all([paid, paid].map((page) => placed.browser.press(page, button))))
    expect([after.path, after.text.includes(words)]).toEqual([path, true])
  expect(await receipts()).toBe(2)
  expect((await placed.browser.press(await placed.browser.get(receiptPage), button)).path).toBe(receiptPage)
  expect(await receipts()).toBe(2)
  for (let press = 0; press < 2; press++) await placed.browser.press(paid, button)
  const refused = await placed.browser.press(paid, button)
  expect([refused.status, refused.path]).toEqual([429, receiptPage])
  expect(refused.page.querySelector('[role=alert]')!.text).toMatch(/^Too many attempts\. Please wait \d+ minutes?/)
  const shopkeeper = await shop.visitor().signIn(await shop.admin())
  const theirs = await shopkeeper.get(receiptPage)
  expect([theirs.status, theirs.text.includes(button)]).toEqual([200, false])
  expect((await shopkeeper.post(receiptPage, {})).status).toBe(404)
})

test('sends one email about an order that is cancelled before its first email goes out', async ({ shop }) => {
  await shop.faults({ mail: { failNext: 1000 } })
  const { customer, browser } = await anOrder(shop)
  await browser.press(await browser.get('/dashboard/myOrders'), 'Cancel')
  await shop.emailsTo(customer.email)
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await runScheduledTasks({ ...shop.deps, now: () => Date.now() + 10 * 60 * 1000 })
  const emails = await shop.emailsTo(customer.email)
  expect(emails).toMatchObject([{ subject: expect.stringContaining('Cancelled: ') as string }])
})
