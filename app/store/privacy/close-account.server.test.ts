import { eq, sql } from 'drizzle-orm'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, aPaidOrder, payElsewhere, stateOf } from '../../../tests/support/payments'
import { expect, test, type Store, at, orderInput } from '../../../tests/support/store'
import {
  auditLog,
  contactMessages,
  emails,
  identities,
  orders,
  paymentAttempts,
  quotes,
  refunds,
  reviews,
  sessions,
  users,
  wishes,
} from '../../db/schema'
import { joinIdentity, signInWithGoogle } from '../accounts/google-sign-in.server'
import { writeCustomerNote } from '../accounts/customer-notes.server'
import { issueAccessToken, tokenUser } from '../accounts/access-tokens.server'
import { findSessionUser, prepareSession, startSession } from '../accounts/sign-in.server'
import { grantAdmin, revokeAdmin } from '../accounts/users.server'
import { addWish } from '../catalog/wishes.server'
import { closeAccount, eraseOldOrders, readClosing } from './close-account.server'
import { sendMessage } from '../email/contact.server'
import { deliverPendingEmails, forgetOldEmails } from '../operations/deliver-email.server'
import { newId } from '../shared/ids.server'
import { shipOrder } from '../orders/manage-order.server'
import { acceptQuote } from '../ordering/accept-quote.server'
import { placeOrder } from '../ordering/place-order.server'
import { readOwnData } from './own-data.server'
import { confirmOrderPayment, handleUnknownPayment } from '../payments/confirm-payment.server'
import { refundOrder } from '../payments/order-refunds.server'
import { startCheckout } from '../payments/payments.server'
import { askForPrice, offerPrice } from '../quotes/quotes.server'
import { addReview } from '../reviews/reviews.server'

const row = async ({ deps: { db } }: Store, { id }: { id: string }) =>
  (await db.select().from(users).where(eq(users.id, id)))[0]!

/** Everything that the database has, but for the trigrams of the full-text indexes. */
async function dump({ deps: { db } }: Store): Promise<string> {
  const tables = await db.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_search%' ESCAPE '\\'`,
  )
  const rows = await Promise.all(tables.map(({ name }) => db.all(sql.raw(`SELECT * FROM "${name}"`))))
  return JSON.stringify(rows).toLowerCase()
}

test('cancels unpaid orders, ends every way in, and leaves paid orders as they were', async ({ shop }) => {
  const { customer, violin, id } = await aPaidOrder(shop, { stock: 10 })
  const unpaid = await placeOrder(shop.deps, customer, orderInput(violin, 3))
  const begun = await placeOrder(shop.deps, customer, orderInput(violin, 1))
  await startCheckout(shop.deps, customer, begun.id)
  const { session, insert } = await prepareSession(shop.deps, customer, 'Firefox')
  await insert
  const { token } = await issueAccessToken(shop.deps, session.secret)
  await addReview(shop.deps, customer, { description: 'A warm sound.' })
  const before = await shop.ordersOf(customer)
  expect(await readClosing(shop.deps, customer)).toEqual({
    unpaidOrders: 2,
    unshippedOrders: 1,
    paidOrders: 1,
    reviews: 1,
    isLastAdmin: false,
  })

  expect(await closeAccount(shop.deps, customer)).toBe(true)
  expect(await closeAccount(shop.deps, customer)).toBe(false)
  expect(await shop.stockOf(violin)).toBe(8)
  expect([await findSessionUser(shop.deps, session.secret), await (await tokenUser(shop.deps, token)).select]).toEqual([
    null,
    [],
  ])
  const after = await shop.ordersOf(customer)
  expect(after.find((order) => order.id === id)).toEqual(before.find((order) => order.id === id))
  for (const { id } of [unpaid, begun])
    expect(after.find((order) => order.id === id)).toMatchObject({
      state: 'cancelled',
      movedBy: 'account closed',
      customerName: 'Closed account',
      customerEmail: 'closed account',
      customerAddress: '',
      customerPhone: '',
    })
  expect(await row(shop, customer)).toMatchObject({ name: 'Closed account', email: `closed account ${customer.id}` })
  expect(await shop.deps.db.select().from(reviews)).toMatchObject([
    { name: 'Closed account', description: 'A warm sound.' },
  ])
  const log = await shop.deps.db.select().from(auditLog).where(eq(auditLog.userId, customer.id))
  expect(log).toMatchObject([{ event: 'account closed', actor: customer.id }])

  await deliverPendingEmails(shop.deps)
  const subjects = (await shop.emailsTo(customer.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Your account is closed')
  expect(subjects.filter((subject) => /^(Cancelled|Your order)/.test(subject))).toHaveLength(1)
  expect((await shop.emailsTo(shop.deps.shopEmail)).at(0)!.text).toContain(
    `npm run task -- close-account ${customer.id}`,
  )
})

test('a shop ships and refunds the paid orders of a closed account, and writes to the old address', async ({
  shop,
}) => {
  const { customer, id } = await aPaidOrder(shop)
  const admin = await shop.admin()
  await closeAccount(shop.deps, customer)
  await shipOrder(shop.deps, admin, id)
  await refundOrder(shop.deps, admin, id, { amount: 1_00, reason: 'Dent', restock: 0, submissionId: newId() })
  await deliverPendingEmails(shop.deps)
  const subjects = (await shop.emailsTo(customer.email)).map(({ subject }) => subject.split(':')[0])
  expect(subjects).toEqual(expect.arrayContaining(['Receipt', 'On its way', 'Refund', 'Your account is closed']))
})

test('refunds a payment that arrives after the account is closed, and writes nobody about it', async ({ shop }) => {
  const { customer, id } = await anOrder(shop)
  await closeAccount(shop.deps, customer)
  const intent = await payElsewhere(shop, 500_00, { order: id, customer: customer.id })
  const found = await shop.deps.payments.find('intent', intent)
  await handleUnknownPayment(shop.deps, (found as Extract<typeof found, { state: 'paid' }>).payment)
  expect(await shop.deps.db.select().from(refunds)).toMatchObject([{ orderId: id, amountCents: 500_00 }])
  expect((await shop.deps.db.select().from(refunds))[0]!.madeAt).not.toBeNull()
  expect(await stateOf(shop, customer, id)).toBe('gone')
  expect((await shop.deps.db.select().from(emails)).filter(({ id }) => id.startsWith('refund'))).toEqual([])
})

test('closes nothing while a payment is under way, when one has just arrived, or when Stripe is down', async ({
  shop,
}) => {
  const { customer, id } = await anOrder(shop)
  const { url } = await startCheckout(shop.deps, customer, id)
  const refusal = async (deps = shop.deps) => {
    const error: unknown = await closeAccount(deps, customer).catch((error: unknown) => error)
    expect(await row(shop, customer)).toMatchObject({ email: customer.email, closedAt: null })
    return error
  }
  const busy = { ...shop.deps.payments, close: () => Promise.resolve({ state: 'open' as const, clientSecret: null }) }
  expect(await refusal({ ...shop.deps, payments: busy })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is under way. Nothing is closed.') as string,
  })
  await shop.faults({ stripe: { failNext: 3, status: 503 } })
  expect(await refusal()).toMatchObject({ code: 'unavailable' })
  await payAt(url)
  expect(await refusal()).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('was just paid') as string,
  })
  expect(await stateOf(shop, customer, id)).toBe('paid')

  // Another window begins to pay between the look and the batch.
  const other = await anOrder(shop)
  await startCheckout(shop.deps, other.customer, other.id)
  const close: typeof shop.deps.payments.close = async (kind, id) => {
    const state = await shop.deps.payments.close(kind, id)
    await shop.deps.db.update(paymentAttempts).set({ state: 'closed' }).where(eq(paymentAttempts.orderId, other.id))
    await startCheckout(shop.deps, other.customer, other.id)
    return state
  }
  const late = { ...shop.deps, payments: { ...shop.deps.payments, close } }
  await expect(closeAccount(late, other.customer)).rejects.toMatchObject({ code: 'conflict' })
  expect((await row(shop, other.customer)).closedAt).toBeNull()
})

test('does not promise the pieces of an order that is refunded in full', async ({ shop }) => {
  const { customer, id } = await aPaidOrder(shop)
  const admin = await shop.admin()
  const refund = { reason: 'Dent', restock: 0, submissionId: newId() }
  expect((await readClosing(shop.deps, customer)).unshippedOrders).toBe(1)
  await refundOrder(shop.deps, admin, id, { ...refund, amount: 500_00 })
  expect(await readClosing(shop.deps, customer)).toMatchObject({ unshippedOrders: 0, paidOrders: 1 })
})

test('never closes the last admin: of two who close at once, one stays', async ({ shop }) => {
  const [one, other] = [await shop.admin(), await shop.admin()]
  const results = await Promise.allSettled([closeAccount(shop.deps, one), closeAccount(shop.deps, other)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const admins = await shop.deps.db.select({ id: users.id }).from(users).where(eq(users.role, 'admin'))
  expect(admins).toHaveLength(1)
  await expect(closeAccount(shop.deps, admins[0]!)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The shop needs an admin: make somebody else one first.',
  })
  expect((await readClosing(shop.deps, admins[0]!)).isLastAdmin).toBe(true)

  const unverified = await shop.customer({ verified: false })
  await grantAdmin(shop.deps, 'test', unverified.email)
  await expect(closeAccount(shop.deps, admins[0]!)).rejects.toMatchObject({ code: 'conflict' })
  await expect(
    shop.deps.db
      .run(sql`UPDATE users SET role = 'customer', name = 'Closed account', email = 'closed account ' || id, closed_at = 1
      WHERE id = ${admins[0]!.id}`),
  ).rejects.toThrow()
  await closeAccount(shop.deps, unverified)
  await expect(revokeAdmin(shop.deps, admins[0]!, (await row(shop, admins[0]!)).email)).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('a closed account stays closed, whoever writes', async ({ shop }) => {
  const { customer, violin, id } = await aPaidOrder(shop)
  const open = await aPaidOrder(shop)
  await closeAccount(shop.deps, customer)
  const { db } = shop.deps
  const { email } = await row(shop, customer)
  for (const change of [
    { name: 'Ada' },
    { email: customer.email },
    { closedAt: null },
    { role: 'admin' as const },
    { address: 'x' },
  ])
    await expect(db.update(users).set(change).where(eq(users.id, customer.id))).rejects.toThrow()
  await expect(startSession(shop.deps, { id: customer.id, passwordHash: null }, 'Firefox')).rejects.toThrow()
  await expect(placeOrder(shop.deps, customer, orderInput(violin))).rejects.toThrow()
  await expect(addReview(shop.deps, customer, { description: 'Late' })).rejects.toThrow()
  const google = { issuer: 'x', subject: 'y', email, emailVerified: true, isHosted: true, name: 'Ada' }
  await joinIdentity(shop.deps, customer, google)
  const wish = addWish(shop.deps, customer, await shop.sells({ stock: 0 }))
  await expect(wish).rejects.toThrow()
  await expect(
    askForPrice(shop.deps, customer, { submissionId: newId(), instrumentId: violin, orderQuantity: 1 }),
  ).rejects.toThrow()
  for (const table of [identities, sessions, wishes, quotes]) expect(await db.$count(table)).toBe(0)
  expect(await grantAdmin(shop.deps, 'test', email)).toBeNull()

  const setEmail = (order: string, customerEmail: string) =>
    db.update(orders).set({ customerEmail }).where(eq(orders.id, order))
  await expect(setEmail(id, 'eve@example.com')).rejects.toThrow()
  await expect(setEmail(open.id, 'closed account')).rejects.toThrow()
  await setEmail(id, 'closed account')
  await expect(setEmail(id, customer.email)).rejects.toThrow()
  await expect(db.update(orders).set({ totalCents: 1 }).where(eq(orders.id, id))).rejects.toThrow()
})

const needles = ['zaphira quennell', 'zaphira@needle.example', '07700 909909', '9 needle street', 'sub-zaphira']
/** Columns of text that have what a customer is called or where a customer lives. */
const personal = {
  users: ['name', 'email', 'image', 'address', 'phone'],
  sessions: ['user_agent'],
  identities: ['subject'],
  orders: [
    'customer_name',
    'customer_email',
    'customer_address',
    'customer_phone',
    'staff_note',
    'tracking_number',
    'tracking_url',
    'company',
    'vat_number',
    'purchase_order',
  ],
  invoices: ['buyer_name', 'buyer_address', 'company', 'vat_number', 'purchase_order'],
  quotes: ['note'],
  reviews: ['name'],
  contact_messages: ['name', 'email', 'message'],
  customer_notes: ['note'],
  emails: ['recipient', 'subject', 'text', 'html'],
}
/** Columns of text that never have it: ids, states, hashes, and what admins and reviewers write for the record. Products have none. */
const other = `access_tokens: token_hash session_hash
api_keys: id secret_hash user_id name scopes
audit_log: event actor instrument_id order_id user_id note submission_id
buyers: customer_id last_month
contact_messages: id
credit_notes: order_id order_refund_id
customer_notes: customer_id written_by
discounts: code instruments families
disputes: id order_id state reason
drafts: id user_id content
empty_searches: month words
email_tokens: token_hash user_id purpose
emails: id kind about_id
families: slug name former
former_prices: instrument_id
health: ballast cron_run
log_readers: name
identities: issuer user_id
invoices: order_id
monthly_customers: month
monthly_sales: month instrument_id
order_refunds: id order_id submission_id reason moved_by refund_id
orders: id customer_id instrument_id submission_id quote_id discount_code product_name state transaction_id moved_by carrier ip_hash language dispute
pages: id slug former title body footer changed_by published_title published_body
passkeys: id user_id user_handle public_key name
passwords: user_id hash
payment_attempts: order_id kind state provider_id url
quotes: id customer_id instrument_id submission_id state reply answered_by
rate_limits: key
recovery_codes: user_id code_hash
refunds: transaction_id order_id refund_id
reviews: id user_id instrument_id img description hidden_reason reply
second_factors: user_id secret
sellers: name address vat_number
sessions: token_hash user_id
settings_versions: document saved_by
shop_settings: order_emails message_emails quote_emails stock_emails
unmatched_payments: transaction_id order_id refund_id
submissions: actor key content
users: id role staff_role
webhook_deliveries: id endpoint_id type subject payload state answer
webhook_endpoints: id url secret events state reason
webhook_events: id type
wishes: id user_id instrument_id language`

test('every column of text is known: a new one must be erased too, if it can have a customer’s name', async ({
  shop,
}) => {
  const columns = await shop.deps.db.all<{ table: string; column: string }>(sql`
    SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.type = 'TEXT' AND m.name <> 'instruments' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND m.sql LIKE '%STRICT%'`)
  const known = [
    ...Object.entries(personal).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
    ...other.split('\n').flatMap((line) => {
      const [table, names] = line.split(': ')
      return names!.split(' ').map((name) => `${table}.${name}`)
    }),
  ]
  expect(columns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(known.sort())
})

test('after the years for the books, no table has the customer’s name, email, phone or address', async ({ shop }) => {
  const violin = await shop.sells({ price: 250_00, stock: 20 })
  const google = { issuer: 'https://accounts.google.com', subject: 'sub-zaphira', emailVerified: true, isHosted: true }
  const who = { name: 'Zaphira Quennell', email: 'zaphira@needle.example' }
  const { userId: id } = await signInWithGoogle(shop.deps, { ...google, ...who }, 'Firefox of Zaphira Quennell')
  const customer = { id, ...who }
  const { db } = shop.deps
  const home = { customerAddress: '9 Needle Street', customerPhone: '07700 909909' }
  const place = () => placeOrder(shop.deps, customer, { ...orderInput(violin), ...home })
  const [paid, shipped] = [await place(), await place()]
  await db.update(orders).set({ company: 'Zaphira Quennell', vatNumber: 'Zaphira', purchaseOrder: 'Zaphira' })
  for (const order of [paid, shipped]) {
    await payAt((await startCheckout(shop.deps, customer, order.id)).url)
  }
  for (const order of [paid, shipped]) await confirmOrderPayment(shop.deps, order.id)
  await shipOrder(shop.deps, await shop.admin(), shipped.id, {
    carrier: 'UPS',
    trackingNumber: 'Zaphira Quennell',
    trackingUrl: 'https://ups.example/zaphira@needle.example',
  })
  const [unpaid, cancelled] = [await place(), await place()]
  await db
    .update(orders)
    .set({ state: 'cancelled', cancelledAt: Date.now(), movedBy: id })
    .where(eq(orders.id, cancelled.id))
  await db.update(orders).set({ staffNote: 'Call Zaphira Quennell' })
  await writeCustomerNote(shop.deps, await shop.admin(), id, { note: 'Zaphira Quennell pays late.' })
  await db
    .update(users)
    .set({ image: 'https://img.example/zaphira@needle.example', address: '9 Needle Street', phone: '07700 909909' })
    .where(eq(users.id, id))
  await addReview(shop.deps, customer, { description: 'A warm sound.' })
  const message = { ...who, message: 'I live at 9 Needle Street. Zaphira Quennell', copy: true }
  await sendMessage(shop.deps, message, '203.0.113.9')
  for (const accepted of [true, false]) {
    const quote = { submissionId: newId(), instrumentId: violin, orderQuantity: 2, note: 'Zaphira Quennell' }
    const { id: quoteId } = await askForPrice(shop.deps, customer, quote)
    const offer = { price: 200_00, orderQuantity: 2, validUntil: Date.now() + 99_000, reply: 'Gladly.' }
    await offerPrice(shop.deps, await shop.admin(), quoteId, offer)
    if (accepted) await acceptQuote(shop.deps, customer, quoteId, home)
  }
  await deliverPendingEmails(shop.deps)
  await sendMessage(shop.deps, { ...message, name: 'Zaphira Quennell again' }, '203.0.113.9')
  for (const needle of needles) expect(await dump(shop)).toContain(needle)

  await closeAccount(shop.deps, customer)
  const kept = await db.select().from(orders).where(eq(orders.customerEmail, who.email))
  expect(kept.map((order) => order.id).sort()).toEqual([paid.id, shipped.id].sort())
  expect([await db.$count(contactMessages), await db.$count(identities), await db.$count(sessions)]).toEqual([0, 0, 0])
  expect((await db.select().from(orders).where(eq(orders.id, unpaid.id)))[0]).toMatchObject({
    customerName: 'Closed account',
  })
  await deliverPendingEmails(shop.deps)
  const totals = () =>
    db.select({ id: orders.id, total: orders.totalCents, state: orders.state, paidAt: orders.paidAt }).from(orders)
  const before = [await totals(), await shop.stockOf(violin)]

  const year = new Date().getUTCFullYear()
  await eraseOldOrders(at(shop, Date.UTC(year + 11, 0, 1) - 1))
  expect(await db.$count(orders, eq(orders.customerEmail, who.email))).toBe(2)
  expect((await row(shop, customer)).keptSince).not.toBeNull()
  const later = at(shop, Date.UTC(year + 11, 0, 1))
  await eraseOldOrders(later)
  await forgetOldEmails(later)
  const rest = await dump(shop)
  for (const needle of [...needles, 'zaphira', 'needle']) expect(rest).not.toContain(needle)
  expect((await row(shop, customer)).keptSince).toBeNull()
  expect([await totals(), await shop.stockOf(violin)]).toEqual(before)
})

test('the address registers anew, also by Google, and the new account sees nothing of before', async ({ shop }) => {
  const google = {
    issuer: 'https://accounts.google.com',
    subject: '1',
    emailVerified: true,
    isHosted: true,
    name: 'Ada',
    email: 'ada@example.com',
  }
  const first = await signInWithGoogle(shop.deps, google, 'Firefox')
  const violin = await shop.sells()
  const old = { id: first.userId }
  const { id } = await placeOrder(shop.deps, old, orderInput(violin, 1))
  await payAt((await startCheckout(shop.deps, old, id)).url)
  await confirmOrderPayment(shop.deps, id)
  await deliverPendingEmails(shop.deps)
  await closeAccount(shop.deps, old)
  await deliverPendingEmails(shop.deps)
  const again = await signInWithGoogle(at(shop, Date.now() + 1000), google, 'Firefox')
  expect(again.userId).not.toBe(first.userId)
  await shipOrder(at(shop, Date.now() + 2000), await shop.admin(), id)
  await deliverPendingEmails(at(shop, Date.now() + 3000))
  expect((await shop.emailsTo('ada@example.com'))[0]!.subject).toMatch(/^On its way/)
  const parts: object[] = []
  for await (const part of readOwnData(shop.deps, { id: again.userId })) parts.push(part)
  expect(parts.slice(1)).toEqual([{ orders: [] }, { emails: [] }])
  expect(await shop.ordersOf({ id: again.userId })).toEqual([])
})

test('an unverified account gets and deletes no messages of the address', async ({ shop }) => {
  const eve = await shop.customer({ verified: false })
  await sendMessage(
    shop.deps,
    { name: 'Ada', email: eve.email, message: 'Where is my order?', copy: false },
    '203.0.113.9',
  )
  const parts: object[] = []
  for await (const part of readOwnData(shop.deps, eve)) parts.push(part)
  expect(parts).toEqual([
    expect.objectContaining({ account: expect.objectContaining({ messages: [] }) as object }),
    { orders: [] },
  ])
  await closeAccount(shop.deps, eve, { deleteReviews: true })
  expect(await shop.deps.db.$count(contactMessages)).toBe(1)
})
