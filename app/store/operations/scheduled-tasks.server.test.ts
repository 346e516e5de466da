import { count, lt, sql } from 'drizzle-orm'
import { nextOrderNumber } from '../orders/orders.server'
import { fakeProvider } from '../../../tests/support/fake-provider'
import { anOrder } from '../../../tests/support/payments'
import { expect, test } from '../../../tests/support/store'
import {
  accessTokens,
  contactMessages,
  emails,
  emailTokens,
  health,
  orders,
  paymentAttempts,
  refunds,
  sessions,
  webhookEvents,
  rateLimits,
} from '../../db/schema'
import { sendMessage } from '../email/contact.server'
import { ProviderError } from '../deps'
import { runScheduledTasks } from './scheduled-tasks.server'
import { startIntent } from '../payments/payments.server'

const year = 365 * 24 * 60 * 60 * 1000

test('runs every task', async ({ shop }) => {
  const { deps, calls } = fakeProvider(shop)
  const { db } = deps
  const { id, customer } = await anOrder(shop)
  const owner = { userId: customer.id, createdAt: 0, expiresAt: 1 }
  await db.insert(sessions).values({ ...owner, tokenHash: 's', seenAt: 0 })
  await db
    .insert(sessions)
    .values({ ...owner, tokenHash: 'long', seenAt: Date.now() + year, expiresAt: Date.now() + 9 * year })
  await db.insert(accessTokens).values({ tokenHash: 't', sessionHash: 'long', createdAt: 0, expiresAt: 1 })
  await db.insert(emailTokens).values({ ...owner, tokenHash: 'm', purpose: 'verify-email' })
  await db.insert(rateLimits).values({ key: 'k', until: 1, count: 1 })
  await db.insert(webhookEvents).values({ id: 'evt_1', type: 'x', receivedAt: 0 })
  await db.insert(refunds).values({ transactionId: 'pi_x', orderId: id, amountCents: 1, createdAt: 0 })
  const sent: string[] = []
  const email = { send: ({ id }: { id: string }) => Promise.resolve(void sent.push(id)) }
  const later = { ...deps, email, now: () => Date.now() + year }
  await runScheduledTasks(later)
  const left = await Promise.all(
    [accessTokens, emailTokens, rateLimits, webhookEvents].map(
      async (table) => (await db.select({ n: count() }).from(table))[0]!.n,
    ),
  )
  expect(left).toEqual([0, 0, 0, 0])
  expect(await db.select({ hash: sessions.tokenHash }).from(sessions)).toEqual([{ hash: 'long' }])
  expect(calls).toContain('refund pi_x 1')
  expect((await db.select().from(orders))[0]).toMatchObject({ state: 'cancelled', movedBy: 'hold expiry' })
  // The run also sends the emails that its own tasks enqueue.
  expect(sent).toEqual([`order placed:${id}`, `order cancelled:${id}`, `refund made:${id}:pi_x`])
})

test('forgets recipients and undeliverable emails after 90 days, and contact messages after a year', async ({
  shop,
}) => {
  const start = Date.now()
  let clock = start
  const deps = { ...shop.deps, now: () => clock }
  const { id, customer } = await anOrder(shop)
  await sendMessage(deps, { name: 'Jo', email: 'jo@shop.com', message: 'Hello', copy: true }, '203.0.113.9')
  clock = start + 1000
  await runScheduledTasks(deps)
  const stuck = {
    kind: 'test' as const,
    recipient: 'bo@shop.com',
    subject: 'Hello',
    text: 'a link',
    html: '',
    createdAt: start,
  }
  await deps.db.insert(emails).values([
    { ...stuck, id: 'stuck', attempts: 110, dueAt: clock },
    { ...stuck, id: 'waiting', dueAt: start + year * 9 },
  ])
  const left = async (ms: number) => {
    clock = start + 1000 + ms
    await runScheduledTasks(deps)
    const messages = await deps.db.select().from(contactMessages)
    const rows = await deps.db
      .select()
      .from(emails)
      .where(lt(emails.createdAt, start + 1000))
    const about = (recipient: string) => rows.filter((row) => row.recipient === recipient).length
    const subjects = rows.filter(({ subject }) => subject !== '').length
    return [messages.length, rows.length, about('jo@shop.com') + about(customer.email), about('bo@shop.com'), subjects]
  }
  const day = 24 * 60 * 60 * 1000
  // Of the order, to the shop, its copy, and the two. An order email has its subject from the order.
  expect(await left(90 * day)).toEqual([1, 5, 2, 2, 4])
  expect(await left(90 * day + 1)).toEqual([1, 4, 0, 1, 1])
  expect(await left(365 * day - 1000)).toEqual([1, 4, 0, 1, 1])
  expect(await left(365 * day - 999)).toEqual([0, 4, 0, 1, 1])
  expect((await deps.db.select().from(orders))[0]).toMatchObject({ id, customerEmail: customer.email })
})

test('continues after a failed task, and throws at the end', async ({ shop }) => {
  const { deps, errors } = fakeProvider(shop)
  const { db } = deps
  const { id } = await anOrder(shop)
  await db.insert(refunds).values({ transactionId: 'pi_x', orderId: id, amountCents: 1, createdAt: 0 })
  await db.insert(webhookEvents).values({ id: 'evt_1', type: 'x', receivedAt: 0 })
  errors.refund = new TypeError('a bug')
  const error = await runScheduledTasks({ ...deps, email: { send: () => Promise.resolve() } }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AggregateError)
  expect(error).toMatchObject({ message: 'Some scheduled tasks failed', errors: [errors.refund] })
  expect(shop.reported).toEqual(['cron task failed: refund payments'])
  expect(await db.select().from(webhookEvents)).toEqual([])
})

test('reports each task that fails by its name, and runs the others', async ({ shop }) => {
  shop.skipInvariants('there are no tables to look at')
  const { db } = shop.deps
  const tables = await db.all<{ name: string }>(
    sql`SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'health'`,
  )
  await db.run(sql`PRAGMA foreign_keys = OFF`)
  for (const { name } of tables) await db.run(sql.raw(`DROP TABLE "${name}"`))
  const error = await runScheduledTasks({ ...shop.deps, reviewDays: 7 }).catch((thrown: unknown) => thrown)
  const names = shop.reported.map((each) => each.replace('cron task failed: ', ''))
  expect(names).toEqual([
    ...['deliver emails', 'check payments', 'release holds', 'refund payments', 'check refunds'],
    ...[
      'check disputes',
      'refund orders',
      'remind of holds',
      'ask for reviews',
      'read the log',
      'daily summary',
      'deliver webhooks',
      'deliver emails again',
    ],
    ...[
      'store the seller',
      'forget sessions',
      'forget drafts',
      'forget tokens',
      'forget limits',
      'forget email tokens',
    ],
    ...['forget events', 'forget addresses', 'forget emails', 'forget wishes', 'forget submissions'],
    ...['forget searches'],
    ...['forget webhooks', 'forget messages', 'forget customers'],
  ])
  expect(error).toMatchObject({ errors: { length: names.length } })
})

test('handles at most 40 rows of each task in a run', async ({ shop }) => {
  const { deps, errors, calls } = fakeProvider(shop)
  const { db } = deps
  const { id, customer } = await anOrder(shop, { stock: 1000 })
  const template = { ...(await db.select().from(orders))[0]!, number: nextOrderNumber }
  for (let nth = 0; nth < 42; nth++) {
    const orderId = `o${nth}`
    await db.insert(orders).values({ ...template, id: orderId, submissionId: orderId, customerId: customer.id })
    const attempt = { kind: 'intent', state: 'open', providerId: `pi_${nth}`, createdAt: 0, expiresAt: 0 } as const
    await db.insert(paymentAttempts).values({ ...attempt, orderId, attempt: 1 })
    await db.insert(refunds).values({ transactionId: `r${nth}`, orderId: id, amountCents: 1, createdAt: 0 })
  }
  errors.find = errors.close = errors.refund = new ProviderError('no answer', { final: false })
  const later = { ...deps, email: { send: () => Promise.resolve() }, now: () => Date.now() + year }
  await runScheduledTasks(later)
  const countCalls = (what: string) => calls.filter((call) => call.startsWith(what)).length
  expect([countCalls('find'), countCalls('refund')]).toEqual([40, 40])
  expect(countCalls('close')).toBeGreaterThanOrEqual(39)
  expect(countCalls('close')).toBeLessThanOrEqual(40)
})

test.for([
  { durations: [5_000, 5_000], continues: false },
  { durations: [5_000, 4_999], continues: true },
])('continues after failures of $durations ms: $continues', async ({ durations, continues }, { shop }) => {
  const { deps } = fakeProvider(shop)
  const { db } = deps
  const { id, customer } = await anOrder(shop)
  await startIntent(deps, customer, id)
  await db.update(paymentAttempts).set({ askAt: 0 })
  await db.insert(refunds).values({ transactionId: 'pi_x', orderId: id, amountCents: 1, createdAt: 0 })
  await db.insert(webhookEvents).values({ id: 'evt_1', type: 'x', receivedAt: 0 })
  let clock = Date.now()
  const timeOut = () => {
    clock += durations.shift()!
    return Promise.reject(new TypeError('silence'))
  }
  const payments = { ...deps.payments, find: timeOut, refund: timeOut }
  const email = { send: () => Promise.resolve() }
  await expect(runScheduledTasks({ ...deps, payments, email, now: () => clock })).rejects.toMatchObject({
    errors: { length: 2 },
  })
  expect(await db.select().from(webhookEvents)).toHaveLength(continues ? 0 : 1)
})

test('never overlaps itself, and a dead run blocks for 15 minutes', async ({ shop }) => {
  const start = Date.now()
  let clock = start
  const deps = { ...shop.deps, now: () => clock }
  const lastRun = async () => (await deps.db.select().from(health))[0]!
  const results = await Promise.all([1, 2, 3].map(() => runScheduledTasks(deps)))
  expect(results.filter(Boolean)).toEqual([true])
  expect(await lastRun()).toMatchObject({ cronStartedAt: start, cronFinishedAt: start, cronLeaseUntil: 0 })

  clock += 1000
  await deps.db.update(health).set({ cronRun: 'dead', cronLeaseUntil: clock + 15 * 60_000 })
  clock += 15 * 60_000 - 1
  expect(await runScheduledTasks(deps)).toBe(false)
  clock += 1
  expect(await runScheduledTasks(deps)).toBe(true)
  expect(await lastRun()).toMatchObject({ cronFinishedAt: clock })
})

test('a run with a failed task does not count as finished, and lets the next one begin', async ({ shop }) => {
  const { deps } = shop
  const [before] = await deps.db.select().from(health)
  await deps.db.run(sql`CREATE TRIGGER broken BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  const customer = await shop.customer()
  await deps.db.insert(sessions).values({ userId: customer.id, createdAt: 0, expiresAt: 1, tokenHash: 's', seenAt: 0 })
  for (const nth of [1, 2]) {
    await expect(runScheduledTasks(deps)).rejects.toThrow('Some scheduled tasks failed')
    expect(shop.reported).toHaveLength(nth)
  }
  expect(await deps.db.select().from(health)).toMatchObject([
    { cronFinishedAt: before!.cronFinishedAt, cronLeaseUntil: 0 },
  ])
})

test('ends within a minute when 120 items are due and both providers are silent', async ({ shop }) => {
  shop.skipInvariants('the providers are the test’s own')
  const { deps, calls } = fakeProvider(shop)
  const { db } = deps
  const { id, customer } = await anOrder(shop, { stock: 1000 })
  const template = { ...(await db.select().from(orders))[0]!, number: nextOrderNumber }
  for (let nth = 0; nth < 40; nth++) {
    const orderId = `o${nth}`
    await db.insert(orders).values({ ...template, id: orderId, submissionId: orderId, customerId: customer.id })
    const attempt = { kind: 'intent', state: 'open', providerId: `pi_${nth}`, createdAt: 0, expiresAt: 0 } as const
    await db.insert(paymentAttempts).values({ ...attempt, orderId, attempt: 1 })
    await db.insert(refunds).values({ transactionId: `r${nth}`, orderId: id, amountCents: 1, createdAt: 0 })
  }
  let clock = Date.now() + year
  const start = clock
  // Two tries of Stripe and what is between, one of Resend.
  const silence = (name: string, ms: number) => () => {
    calls.push(`silent ${name}`)
    clock += ms
    return Promise.reject(new ProviderError(name, { final: false }))
  }
  const stripe = silence('Stripe', 12_600)
  const payments = { ...deps.payments, find: stripe, close: stripe, refund: stripe, listRefunds: stripe }
  const email = { send: silence('Resend', 10_000) }
  await runScheduledTasks({ ...deps, payments, email, now: () => clock })
  expect(calls.filter((call) => call === 'silent Stripe')).toHaveLength(2)
  expect(calls.filter((call) => call === 'silent Resend')).toHaveLength(2)
  expect(clock - start).toBeLessThan(60_000)
})
