import { expect } from 'vitest'
import type { SentEmail } from '../../sandbox/resend/resend'
import { fakeProvider, paid } from '../../tests/support/fake-provider'
import { payAt } from '../../tests/support/hosted-page'
import { anOrder } from '../../tests/support/payments'
import { test, type Store } from '../../tests/support/store'
import { emails } from '../db/schema'
import type { Email } from './deps'
import { newId } from './ids.server'
import { enqueueEmail } from './email/outbox.server'
import { deliverPendingEmails } from './deliver-email.server'
import { startCheckout } from './payments/payments.server'
import { placeOrder } from './ordering/place-order.server'
import { confirmOrderPayment, handlePayment } from './payments/confirm-payment.server'

test('a letter that was taken but not written down as sent is at rest, though its order has gone on since', async ({
  shop,
}) => {
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
  const dying = {
    async send(letter: Parameters<typeof email.send>[0]) {
      await email.send(letter)
      throw new Error('The Worker ends here')
    },
  }
  await deliverPendingEmails({ ...shop.deps, email: dying })
  await payAt((await startCheckout(shop.deps, customer, id)).url)
  expect(await confirmOrderPayment(shop.deps, id)).toBe('paid')

  const later = { ...shop.deps, now: () => Date.now() + 10 * 60_000 }
  expect(await deliverPendingEmails(later)).toEqual({ sent: 2 })
  const inbox = await (await fetch(`${shop.sandbox.url}/mail?to=${customer.email}`)).json<SentEmail[]>()
  expect(inbox.map(({ subject }) => subject.split(':')[0])).toEqual(['Receipt', 'Your order'])
})

test('several senders at once share the letters, and send none twice', async ({ shop }) => {
  await fill(shop.deps, 45)
  const sent: string[] = []
  const email = {
    send(letter: { id: string }) {
      sent.push(letter.id)
      return Promise.resolve()
    },
  }
  const told = await Promise.all([1, 2, 3, 4].map(() => deliverPendingEmails({ ...shop.deps, email })))
  expect(told.map((each) => each.sent).reduce((total, each) => total + each)).toBe(45)
  expect([sent.length, new Set(sent).size]).toEqual([45, 45])
})

test('letters that the provider does not take keep none that come after them', async ({ shop }) => {
  await fill(shop.deps, 30)
  const sent: string[] = []
  const reported: string[] = []
  const email = {
    send(letter: { id: string }) {
      if (Number(letter.id.split(':')[1]) < 15) return Promise.reject(new Error('The email provider answered 500'))
      sent.push(letter.id)
      return Promise.resolve()
    },
  }
  let clock = Date.now()
  const picky = { ...shop.deps, email, now: () => clock, report: (what: string) => void reported.push(what) }
  expect(await deliverPendingEmails(picky)).toEqual({ sent: 5 })
  expect(await deliverPendingEmails(picky)).toEqual({ sent: 10 })
  expect(sent).toEqual(Array.from({ length: 15 }, (_, at) => `letter:${at + 15}`))
  // What was refused waits for a minute, and then for longer.
  for (const [wait, tried] of [
    [59_000, 15],
    [1_000, 30],
    [61_000, 30],
    [59_000, 45],
  ] as const) {
    clock += wait
    await deliverPendingEmails(picky)
    expect(reported).toHaveLength(tried)
  }
})

/** So many letters wait, the first the oldest. */
async function fill(deps: Store['deps'], count: number) {
  const at = Date.now() - 60_000
  for (let each = 0; each < count; each++) {
    const letter = { id: `letter:${each}`, recipient: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '' }
    await enqueueEmail({ ...deps, now: () => at + each }, letter)
  }
}

const taking = () => {
  const sent: string[] = []
  const email = {
    send: (letter: { id: string }) => {
      sent.push(letter.id)
      return Promise.resolve()
    },
  }
  return { sent, email }
}

test('a run sends twenty letters, the oldest first, and none that is not due yet', async ({ shop }) => {
  shop.breaks('the email provider is the test’s own')
  await fill(shop.deps, 22)
  const { sent, email } = taking()
  expect(await deliverPendingEmails({ ...shop.deps, email, now: () => 0 })).toEqual({ sent: 0 })
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 20 })
  expect(sent).toEqual(Array.from({ length: 20 }, (_, at) => `letter:${at}`))
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 2 })
  expect(await deliverPendingEmails({ ...shop.deps, email })).toEqual({ sent: 0 })
})

test('a letter that is sent is forgotten, text and all: a mailed link is not readable in the database', async ({
  shop,
}) => {
  shop.breaks('the email provider is the test’s own')
  await fill(shop.deps, 2)
  const secret = { id: 'verify:1', recipient: 'ada@example.com', subject: 'Verify', text: 'https://link', html: '<a>' }
  await enqueueEmail({ ...shop.deps, now: () => 5 }, secret)
  const kept = async () => (await shop.deps.db.select().from(emails)).find(({ id }) => id === secret.id)
  expect(await kept()).toMatchObject({ ...secret, createdAt: 5, dueAt: 5, attempts: 0, sentAt: null })
  // The same thing is never told twice, with other words neither.
  await enqueueEmail(shop.deps, { ...secret, text: 'other' })
  const failing = { send: () => Promise.reject(new Error('500')) }
  const once = { ...shop.deps, now: () => 5, email: failing }
  expect(await deliverPendingEmails(once)).toEqual({ sent: 0 })
  expect(shop.reported).toEqual(['mailing verify'])
  expect(await kept()).toMatchObject({ text: 'https://link', html: '<a>', attempts: 1, dueAt: 60_005, sentAt: null })
  const { sent, email } = taking()
  await deliverPendingEmails({ ...shop.deps, email, now: () => 60_005 })
  expect(sent).toEqual(['verify:1'])
  expect(await kept()).toMatchObject({ text: '', html: '', sentAt: 60_005, attempts: 2 })
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
])('after $attempts tries a letter waits $wait minutes for the next', async ({ attempts, wait }, { shop }) => {
  shop.breaks('the email provider is the test’s own')
  await fill(shop.deps, 1)
  await shop.deps.db.update(emails).set({ attempts, dueAt: 1000 })
  await deliverPendingEmails({ ...shop.deps, now: () => 1000, email: { send: () => Promise.reject(new Error('500')) } })
  const [row] = await shop.deps.db.select().from(emails)
  expect(row).toMatchObject(
    wait === null ? { attempts, dueAt: 1000 } : { attempts: attempts + 1, dueAt: 1000 + wait * 60_000 },
  )
  expect(shop.reported).toHaveLength(wait === null ? 0 : 1)
})

test('the letter about a refund says what was sent back, of which order', async ({ shop }) => {
  const { deps } = fakeProvider(shop)
  const order = await anOrder(shop)
  await handlePayment(
    { ...deps, payments: { ...deps.payments, find: () => Promise.resolve(paid(order, { amountCents: 7_00 })) } },
    { kind: 'intent', id: 'pi_paid' },
  )
  const letters: Email[] = []
  const email = { send: (letter: Email) => Promise.resolve(void letters.push(letter)) }
  await deliverPendingEmails({ ...deps, email })
  expect(letters.map(({ id, subject, recipient }) => [id, subject, recipient])).toEqual([
    [`order placed:${order.id}`, 'Your order: 2 × Concert Violin', order.customer.email],
    [`refund made:${order.id}:pi_paid`, 'Refund: $7.00', order.customer.email],
  ])
})
