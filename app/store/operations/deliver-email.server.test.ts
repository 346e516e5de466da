import { eq, like } from 'drizzle-orm'
import type { SentEmail } from '../../../sandbox/resend/sent-email'
import { fakeProvider, paid } from '../../../tests/support/fake-provider'
import { payAt } from '../../../tests/support/hosted-page'
import { anOrder, payElsewhere } from '../../../tests/support/payments'
import { at, expect, hour, orderInput, test, type Store } from '../../../tests/support/store'
import { emails, instruments } from '../../db/schema'
import { inLanguage } from '../../i18n/language.server'
import { closeAccount, eraseOldOrders } from '../privacy/close-account.server'
import { EmailPause, type Email } from '../deps'
import { newId } from '../shared/ids.server'
import { enqueueEmail } from '../email/outbox.server'
import { deliverPendingEmails } from './deliver-email.server'
import { startCheckout } from '../payments/payments.server'
import { chooseShopEmails } from './shop-emails.server'
import { cancelOrder } from '../ordering/cancel-order.server'
import { releaseExpiredHolds } from '../ordering/holds.server'
import { placeOrder } from '../ordering/place-order.server'
import { shipOrder } from '../orders/manage-order.server'
import { confirmOrderPayment, handlePayment } from '../payments/confirm-payment.server'
import { refundOrder } from '../payments/order-refunds.server'

test('marks an email as sent that the provider accepted before a crash', async ({ shop }) => {
  const customer = await shop.customer()
  const { id } = await placeOrder(shop.deps, customer, {
    instrumentId: await shop.sells(),
    submissionId: newId(),
    orderQuantity: 1,
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
    replaceUnpaid: false,
  })
  const { email } = shop.deps
  const crashing = {
    async send(message: Parameters<typeof email.send>[0]) {
      await email.send(message)
      throw new Error('The Worker ends here')
    },
  }
  await deliverPendingEmails({ ...shop.deps, email: crashing })
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')

  const later = { ...shop.deps, now: () => Date.now() + 10 * 60_000 }
  expect(await deliverPendingEmails(later)).toEqual({ sent: 2 })
  const inbox = await (await fetch(`${shop.sandbox.url}/mail?to=${customer.email}`)).json<SentEmail[]>()
  expect(inbox.map(({ subject }) => subject.split(':')[0])).toEqual(['Receipt', 'Your order'])
})

test('sends each email once with parallel workers', async ({ shop }) => {
  await fill(shop.deps, 45)
  const sent: string[] = []
  const email = {
    send({ id }: { id: string }) {
      sent.push(id)
      return Promise.resolve()
    },
  }
  const results = await Promise.all([1, 2, 3, 4].map(() => deliverPendingEmails({ ...shop.deps, email })))
  expect(results.map((each) => each.sent).reduce((total, each) => total + each)).toBe(45)
  expect([sent.length, new Set(sent).size]).toEqual([45, 45])
  const rows = await shop.deps.db.select().from(emails)
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true)
})

test('sends later emails although earlier ones fail', async ({ shop }) => {
  await fill(shop.deps, 30)
  const sent: string[] = []
  const reported: string[] = []
  const email = {
    send({ id }: { id: string }) {
      if (Number(id.split(':')[1]) < 15) return Promise.reject(new Error('The email provider returned 500'))
      sent.push(id)
      return Promise.resolve()
    },
  }
  let clock = Date.now()
  const picky = { ...shop.deps, email, now: () => clock, report: (what: string) => void reported.push(what) }
  expect(await deliverPendingEmails(picky)).toEqual({ sent: 5 })
  expect(await deliverPendingEmails(picky)).toEqual({ sent: 10 })
  expect(sent).toEqual(Array.from({ length: 15 }, (_, at) => `email:${at + 15}`))
  // The first retry is after a minute, the second after two.
  for (const [wait, failures] of [
    [59_000, 15],
    [1_000, 30],
    [61_000, 30],
    [59_000, 45],
  ] as const) {
    clock += wait
    await deliverPendingEmails(picky)
    expect(reported).toHaveLength(failures)
  }
})

/** Enqueues emails, oldest first. */
async function fill(deps: Store['deps'], count: number) {
  const at = Date.now() - 60_000
  for (let each = 0; each < count; each++) {
    const email = {
      id: `email:${each}`,
      kind: 'account' as const,
      recipient: 'ada@example.com',
      subject: 'Hello',
      text: 'Hello',
      html: '',
    }
    await enqueueEmail({ ...deps, now: () => at + each }, email)
  }
}

const recordingProvider = () => {
  const sent: string[] = []
  const email = {
    send: ({ id }: { id: string }) => {
      sent.push(id)
      return Promise.resolve()
    },
  }
  return { sent, email }
}

test('sends at most 20 due emails in a run, oldest first', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 22)
  const { sent, email } = recordingProvider()
  expect(await deliverPendingEmails({ ...shop.deps, email, now: () => 0 })).toEqual({ sent: 0 })
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 20 })
  expect(sent).toEqual(Array.from({ length: 20 }, (_, at) => `email:${at}`))
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 2 })
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 0 })
})

test('sends more than 20 emails if the caller wants more after each 20, and says whether some may be left', async ({
  shop,
}) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 22)
  const heard: boolean[] = []
  const again = (isFull: boolean) => {
    heard.push(isFull)
    return isFull
  }
  expect(await deliverPendingEmails({ ...shop.deps, email: recordingProvider().email }, { again })).toEqual({
    sent: 22,
  })
  expect(heard).toEqual([true, false])
})

test('sends first what is due first, whatever was written first', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 3)
  for (const [id, dueAt] of [
    ['email:0', 8],
    ['email:1', 9],
    ['email:2', 7],
  ] as const)
    await shop.deps.db.update(emails).set({ dueAt }).where(eq(emails.id, id))
  const { sent, email } = recordingProvider()
  await deliverPendingEmails({ ...shop.deps, email, now: () => 9 })
  expect(sent).toEqual(['email:2', 'email:0', 'email:1'])
})

test('writes to a German customer in German, and to the shop in English', async ({ shop }) => {
  await chooseShopEmails(shop.deps, await shop.admin(), { orderEmails: 'each' })
  const violin = await shop.sells({ stock: 10, price: 250_00 })
  await shop.deps.db.update(instruments).set({ lowStock: 8 })
  const customer = await shop.customer()
  const { id } = await inLanguage('de', () => placeOrder(shop.deps, customer, orderInput(violin)))
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  await confirmOrderPayment(shop.deps, id)
  await deliverPendingEmails(shop.deps)
  const subjects = async (to: string) => (await shop.emailsTo(to)).map(({ subject }) => subject)
  expect(await subjects(customer.email)).toEqual([
    'Quittung: C-1001, 2 × Concert Violin',
    'Ihre Bestellung: C-1001, 2 × Concert Violin',
  ])
  expect(await subjects('shop@cadenza.example')).toEqual([
    'New order: C-1001, 2 × Concert Violin',
    'Low stock: Concert Violin',
  ])
  const toShop = await shop.emailsTo('shop@cadenza.example')
  expect(toShop[0]!.text).toContain('Instrument: Concert Violin\nPrice each: $250.00\nQuantity: 2\nTotal: $500.00')
  for (const { text, html } of toShop) {
    expect(text).toContain('\n\nCadenza, handcrafted instruments and cases\nYou get this email ')
    expect(html).toContain('<html lang="en">')
  }
})

test('deletes the text of a sent email', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 2)
  const words = { recipient: 'ada@example.com', subject: 'Verify', text: 'https://link', html: '<a>' }
  const secret = { id: 'verify-email:1', kind: 'verify-email' as const, ...words }
  await enqueueEmail({ ...shop.deps, now: () => 5 }, secret)
  const storedEmail = async () => (await shop.deps.db.select().from(emails)).find(({ id }) => id === secret.id)
  expect(await storedEmail()).toMatchObject({ ...secret, createdAt: 5, dueAt: 5, attempts: 0, sentAt: null })
  // The id is unique: another text changes nothing.
  await enqueueEmail(shop.deps, { ...secret, text: 'other' })
  const failing = { send: () => Promise.reject(new Error('500')) }
  const once = { ...shop.deps, now: () => 5, email: failing }
  expect(await deliverPendingEmails(once)).toEqual({ sent: 0 })
  expect(shop.reported).toEqual(['email not sent: verify-email'])
  expect(await storedEmail()).toMatchObject({
    text: 'https://link',
    html: '<a>',
    attempts: 1,
    dueAt: 60_005,
    sentAt: null,
  })
  const { sent, email } = recordingProvider()
  await deliverPendingEmails({ ...shop.deps, email, now: () => 60_005 })
  expect(sent).toEqual(['verify-email:1'])
  expect(await storedEmail()).toMatchObject({ text: '', html: '', sentAt: 60_005, attempts: 2 })
  const others = (await shop.deps.db.select().from(emails)).filter(({ id }) => id !== secret.id)
  expect(others).toMatchObject([
    { text: 'Hello', sentAt: null },
    { text: 'Hello', sentAt: null },
  ])
})

test.for([
  { attempts: 0, wait: 1 },
  { attempts: 9, wait: 10 },
  { attempts: 59, wait: 60 },
  { attempts: 109, wait: 60 },
  { attempts: 110, wait: null },
])('retries an email after $attempts attempts in $wait minutes', async ({ attempts, wait }, { shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 1)
  await shop.deps.db.update(emails).set({ attempts, dueAt: 1000 })
  await deliverPendingEmails({ ...shop.deps, now: () => 1000, email: { send: () => Promise.reject(new Error('500')) } })
  const [row] = await shop.deps.db.select().from(emails)
  expect(row).toMatchObject(
    wait === null ? { attempts, dueAt: 1000 } : { attempts: attempts + 1, dueAt: 1000 + wait * 60_000 },
  )
  expect(shop.reported).toHaveLength(wait === null ? 0 : 1)
})

test('after a 429 waits as long as the provider asks, and no email loses an attempt', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 4)
  const start = Date.now()
  const { sent, email } = recordingProvider()
  const busy = {
    send: (message: Email) =>
      message.id === 'email:1' && sent.length < 2 ? Promise.reject(new EmailPause('429', 7_000)) : email.send(message),
  }
  expect(await deliverPendingEmails({ ...shop.deps, now: () => start, email: busy })).toEqual({ sent: 1 })
  const rows = await shop.deps.db.select().from(emails).orderBy(emails.createdAt)
  expect(rows.map(({ attempts, dueAt }) => [attempts, dueAt - start]).slice(1)).toEqual(Array(3).fill([0, 7_000]))
  expect(shop.reported).toEqual(['emails paused'])
  expect(await deliverPendingEmails({ ...shop.deps, now: () => start + 6_999, email })).toEqual({ sent: 0 })
  expect(await deliverPendingEmails({ ...shop.deps, now: () => start + 7_000, email })).toEqual({ sent: 3 })
})

test('leaves an email alone that another Worker has claimed meanwhile', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 1)
  const email = {
    async send() {
      await shop.deps.db.update(emails).set({ attempts: 2, dueAt: 9e15 })
      throw new EmailPause('429', 1_000)
    },
  }
  await deliverPendingEmails({ ...shop.deps, email })
  expect(await shop.deps.db.select().from(emails)).toMatchObject([{ attempts: 2, dueAt: 9e15 }])
})

test('tells once that an email is given up', async ({ shop }) => {
  shop.skipInvariants('the email provider is the test’s own')
  await fill(shop.deps, 1)
  await shop.deps.db.update(emails).set({ attempts: 108, dueAt: 0 })
  const email = { send: () => Promise.reject(new Error('500')) }
  for (let hour = 1; hour < 5; hour++) {
    await deliverPendingEmails({ ...shop.deps, email, now: () => Date.now() + hour * 3_700_000 })
  }
  expect(shop.reported).toEqual(['email not sent: account', 'email given up: account'])
})

test('sends a refund email with the amount and the order', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const order = await anOrder(shop)
  await handlePayment(
    { ...deps, payments: { ...deps.payments, find: () => Promise.resolve(paid(order, { amountCents: 7_00 })) } },
    { kind: 'intent', id: 'pi_paid' },
  )
  const sent: Email[] = []
  const email = { send: (message: Email) => Promise.resolve(void sent.push(message)) }
  await deliverPendingEmails({ ...deps, email })
  expect(sent.map(({ id, subject, recipient }) => [id, subject, recipient])).toEqual([
    [`order placed:${order.id}`, 'Your order: C-1001, 2 × Concert Violin', order.customer.email],
    [`refund made:${order.id}:pi_paid`, 'Refund: $7.00 for C-1001', order.customer.email],
  ])
})

/** In the order in which they were sent. */
async function subjectsTo(shop: Store, { email }: { email: string }): Promise<string[]> {
  await deliverPendingEmails(shop.deps)
  return (await shop.emailsTo(email)).map(({ subject }) => subject.split(':')[0]!).reverse()
}

async function paysOneOf(shop: Store, customer: { id: string }, violin: string): Promise<string> {
  const { id } = await placeOrder(shop.deps, customer, orderInput(violin, 2))
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')
  return id
}

const partRefund = (amount: number) => ({ amount, reason: 'A dent', restock: 0, submissionId: newId() })

test('emails an unverified customer nothing about an unpaid order, and everything about a paid one', async ({
  shop,
}) => {
  const [ada, admin] = [await shop.customer({ verified: false }), await shop.admin()]
  const violin = await shop.sells({ price: 250_00 })
  const { id: cancelled } = await placeOrder(shop.deps, ada, orderInput(violin, 1))
  await placeOrder(shop.deps, ada, orderInput(violin, 1))
  await cancelOrder(shop.deps, ada, cancelled)
  await releaseExpiredHolds(at(shop, Date.now() + hour), 10)
  expect((await shop.ordersOf(ada)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  expect(await subjectsTo(shop, ada)).toEqual([])

  const id = await paysOneOf(shop, ada, violin)
  await shipOrder(shop.deps, admin, id)
  await refundOrder(shop.deps, admin, id, partRefund(10_00))
  expect(await subjectsTo(shop, ada)).toEqual(['Receipt', 'On its way', 'Refund'])
})

test('emails an unverified customer that a payment for a cancelled order went back', async ({ shop }) => {
  const ada = await shop.customer({ verified: false })
  const { id } = await placeOrder(shop.deps, ada, orderInput(await shop.sells({ price: 250_00 }), 2))
  await cancelOrder(shop.deps, ada, id)
  const paymentId = await payElsewhere(shop, 500_00, { order: id, customer: ada.id })
  await handlePayment(shop.deps, { kind: 'intent', id: paymentId })
  expect(await subjectsTo(shop, ada)).toEqual(['Refund'])
})

test('emails about a paid order go to its address after the account is closed, and nowhere once that is erased', async ({
  shop,
}) => {
  const [ada, admin] = [await shop.customer({ verified: false }), await shop.admin()]
  const id = await paysOneOf(shop, ada, await shop.sells({ price: 250_00 }))
  await closeAccount(shop.deps, ada)
  await shipOrder(shop.deps, admin, id)
  expect(await subjectsTo(shop, ada)).toEqual(['Receipt', 'Your account is closed', 'On its way'])
  await eraseOldOrders(at(shop, Date.UTC(new Date().getUTCFullYear() + 12, 0, 1)))
  await refundOrder(shop.deps, admin, id, partRefund(10_00))
  await deliverPendingEmails(shop.deps)
  expect(await shop.deps.db.$count(emails, like(emails.id, 'refund made:%'))).toBe(0)
})
