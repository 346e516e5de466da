import { eq, sql } from 'drizzle-orm'
import { aPaidOrder } from '../../../tests/support/payments'
import { expect, test, type Store, orderInput } from '../../../tests/support/store'
import { auditLog, emails, instruments } from '../../db/schema'
import { changeStock } from '../catalog/manage-instruments.server'
import { day } from '../shared/dates'
import { deliverPendingEmails } from './deliver-email.server'
import { sendMessage } from '../email/contact.server'
import { askForPrice } from '../quotes/quotes.server'
import { shipOrder } from '../orders/manage-order.server'
import { newId } from '../shared/ids.server'
import { placeOrder } from '../ordering/place-order.server'
import { chooseShopEmails, enqueueDailySummary, readShopEmails } from './shop-emails.server'

const inbox = async (shop: Store) => {
  await deliverPendingEmails(shop.deps)
  return shop.emailsTo('shop@cadenza.example')
}

async function sellsWithThreshold(shop: Store, stock: number, lowStock: number) {
  const id = await shop.sells({ name: 'Oboe', stock })
  await shop.deps.db.update(instruments).set({ lowStock }).where(eq(instruments.id, id))
  return id
}

test('emails the shop once each time the stock falls to the threshold, under concurrent orders', async ({ shop }) => {
  const id = await sellsWithThreshold(shop, 25, 10)
  const admin = await shop.admin()
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.customer({ verified: false })))
  await Promise.all(buyers.map((buyer) => placeOrder(shop.deps, buyer, orderInput(id, 1))))
  expect(await shop.stockOf(id)).toBe(5)
  const [first, ...others] = await inbox(shop)
  expect([first!.subject, others]).toEqual(['Low stock: Oboe', []])
  expect(first!.text).toContain('The stock of Oboe has fallen. 5 left now. You wanted an email at 10.')
  expect(first!.text).toContain(`http://127.0.0.1:8788/dashboard/manageProduct/${id}`)

  const change = (pieces: number, direction: 'in' | 'out') =>
    changeStock(shop.deps, admin, id, { pieces, direction, reason: null, submissionId: newId() })
  // At the threshold is not above it.
  await change(5, 'in')
  await change(1, 'out')
  expect(await inbox(shop)).toHaveLength(1)
  await change(2, 'in')
  await change(1, 'out')
  expect(await inbox(shop)).toHaveLength(2)
})

test('sends no email about low stock without a threshold, and one about the last piece with the threshold 0', async ({
  shop,
}) => {
  const admin = await shop.admin()
  const [without, atZero] = [await shop.sells({ stock: 2 }), await sellsWithThreshold(shop, 2, 0)]
  for (const id of [without, atZero]) {
    const takeOut = (pieces: number) =>
      changeStock(shop.deps, admin, id, { pieces, direction: 'out', reason: null, submissionId: newId() })
    await takeOut(1)
    expect(await inbox(shop)).toEqual([])
    await takeOut(1)
  }
  expect(await inbox(shop)).toHaveLength(1)
})

test('emails the shop about messages, price requests and low stock until an admin chooses none', async ({ shop }) => {
  const admin = await shop.admin()
  const customer = await shop.customer()
  const write = async () => {
    const message = { name: 'Jo', email: 'jo@shop.com', message: 'Hello', copy: true }
    await sendMessage(shop.deps, message, '192.0.2.1')
    const id = await sellsWithThreshold(shop, 9, 8)
    await askForPrice(shop.deps, customer, { instrumentId: id, orderQuantity: 2, submissionId: newId() })
    await changeStock(shop.deps, admin, id, { pieces: 1, direction: 'out', reason: null, submissionId: newId() })
    return (await inbox(shop)).map(({ subject }) => subject.replace(/:.*| from.*/, '')).sort()
  }
  const all = ['Low stock', 'Message', 'Price request']
  expect(await write()).toEqual(all)
  const none = { messageEmails: 'none', quoteEmails: 'none', stockEmails: 'none' } as const
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'none', ...none })
  expect(await write()).toEqual(all)
  // The copy for the sender comes all the same.
  expect(await shop.emailsTo('jo@shop.com')).toHaveLength(2)
  // What is not chosen stays as it is.
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'none' })
  expect(await readShopEmails(shop.deps)).toEqual({ orderEmails: 'none', ...none })
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'none', ...none, messageEmails: 'each' })
  expect(await write()).toEqual([...all, 'Message'].sort())
  const notes = (await shop.deps.db.select().from(auditLog)).filter(({ event }) => event === 'shop emails changed')
  expect(notes.map(({ actor, note }) => [actor, note])).toEqual([
    [admin.id, 'messages each → none, price requests each → none, low stock each → none'],
    [admin.id, 'messages none → each'],
  ])
})

test('emails the shop about each paid order while it wants that, and records who chose it', async ({ shop }) => {
  const admin = await shop.admin()
  const choose = (orderEmails: 'each' | 'daily' | 'none') => chooseShopEmails(shop.deps, admin, { orderEmails })
  expect((await readShopEmails(shop.deps)).orderEmails).toBe('none')
  await aPaidOrder(shop)
  await choose('each')
  await choose('each')
  const { id, customer } = await aPaidOrder(shop)
  await choose('none')
  await aPaidOrder(shop)
  const [email, ...others] = await inbox(shop)
  expect([email!.subject, others]).toEqual(['New order: C-1002, 2 × Concert Violin', []])
  for (const text of [
    ...[`${customer.name} <${customer.email}> has paid $500.00.`, 'Total: $500.00', '1 Bow Lane'],
    `http://127.0.0.1:8788/dashboard/manageOrders/${id}`,
  ])
    expect(email!.text).toContain(text)
  const choices = await shop.deps.db.select().from(auditLog).where(eq(auditLog.event, 'shop emails changed'))
  expect(choices.map(({ actor, note }) => [actor, note])).toEqual([
    [admin.id, 'none → each'],
    [admin.id, 'each → none'],
  ])
})

test('sends one summary of a day with paid orders, however often and late the cron trigger runs', async ({ shop }) => {
  const admin = await shop.admin()
  await shop.sells({ name: 'Rebec', stock: 1, minimum: 3 })
  const [{ id }] = [await aPaidOrder(shop), await aPaidOrder(shop), await aPaidOrder(shop, { quantity: 1 })]
  await shipOrder(shop.deps, admin, id)
  const today = Math.floor(Date.now() / day)
  const at = (days: number, hours: number) => ({
    ...shop.deps,
    now: () => (today + days) * day + hours * 60 * 60 * 1000,
  })
  const summaries = async () => {
    const rows = await shop.deps.db.select({ id: emails.id, recipient: emails.recipient }).from(emails)
    return rows.filter(({ id }) => id.startsWith('daily'))
  }
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'none' })
  await enqueueDailySummary(at(1, 1))
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'daily' })
  await enqueueDailySummary(at(0, 23))
  expect(await summaries()).toEqual([])
  await Promise.all([1, 1, 1, 9].map((hours) => enqueueDailySummary(at(1, hours))))
  await deliverPendingEmails(at(1, 9))
  await enqueueDailySummary(at(1, 23))
  // No orders were paid on that day.
  await enqueueDailySummary(at(2, 1))
  await deliverPendingEmails(at(2, 1))
  const date = new Date(today * day).toISOString().slice(0, 10)
  expect(await summaries()).toEqual([{ id: `daily summary:${date}`, recipient: 'shop@cadenza.example' }])
  const [email, ...others] = await inbox(shop)
  expect([email!.subject, others]).toEqual([`Your shop on ${date}`, []])
  for (const line of ['Paid orders: 3', 'Revenue: $1,250.00', 'To ship: 2', 'Low stock: Rebec: 1'])
    expect(email!.text).toContain(line)
  expect(email!.text).toContain('http://127.0.0.1:8788/dashboard')
})

test('waits with the summary until the payments of the day are counted', async ({ shop }) => {
  await chooseShopEmails(shop.deps, await shop.admin(), { orderEmails: 'daily' })
  await aPaidOrder(shop)
  const tomorrow = { ...shop.deps, now: () => (Math.floor(Date.now() / day) + 1) * day }
  const summaries = async () => {
    await enqueueDailySummary(tomorrow)
    return (await shop.deps.db.select().from(emails)).filter(({ kind }) => kind === 'daily summary').length
  }
  await shop.deps.db.run(
    sql`INSERT INTO daily_sales (day, orders, revenue_cents) VALUES (${Math.floor(Date.now() / day)}, 9, 9)`,
  )
  expect(await summaries()).toBe(0)
  await shop.deps.db.run(sql`DELETE FROM daily_sales`)
  await shop.readLog()
  expect(await summaries()).toBe(1)
})

test.for<[number, string | null]>([
  [0, null],
  [5, null],
  [6, 'The first 5 of 6'],
  [7, 'The first 5 of 7'],
])('says in the summary how many are low when it lists at most five of %i: %s', async ([low, more], { shop }) => {
  const admin = await shop.admin()
  for (let nth = 0; nth < low; nth++) await shop.sells({ name: 'Rebec', stock: 1, minimum: 3 })
  await aPaidOrder(shop)
  await chooseShopEmails(shop.deps, admin, { orderEmails: 'daily' })
  const tomorrow = { ...shop.deps, now: () => (Math.floor(Date.now() / day) + 1) * day }
  await deliverPendingEmails(shop.deps)
  await enqueueDailySummary(tomorrow)
  await deliverPendingEmails(tomorrow)
  const [email] = await inbox(shop)
  expect(email!.text.match(/Rebec: 1|Low stock: nothing/g)).toHaveLength(low === 0 ? 1 : 5)
  expect(/The first .*/.exec(email!.text)?.[0] ?? null).toBe(more)
})
