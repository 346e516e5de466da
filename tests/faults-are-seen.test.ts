import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { emails, health, refunds, sessions } from '../app/db/schema'
import { seedDemoShop } from '../dev/demo'
import { FaultProxy, type ProxyFault } from '../dev/fault-proxy'
import { isWhole } from './support/depth'
import { chooseAtGoogle } from './support/google-page'
import type { Host } from './support/host'
import { test, type Shop, parcel } from './support/shop'
import type { PageResponse } from './support/test-browser'
import { unpaidOrder } from './support/unpaid-order'

/* Every fault from outside has exactly one line that an alert can catch. docs/on-call.md says what each means. */

interface Line {
  level: string
  event: string
  code: string
  [detail: string]: unknown
}

/** What the customer, or who asks for the health, gets. */
interface Answer {
  status: number
  words: string
}

interface Fault {
  line: Partial<Line>
  status: number
  words: string | RegExp
  act: (shop: Shop, host: Host) => Promise<Answer>
}

const proxy = new FaultProxy()
let database = ''
let target = ''
beforeAll(async () => (database = await proxy.open('database', () => target)))
afterAll(() => proxy.close())

const always = { side: 'before', next: Infinity } as const
const isOut = 'Please try again in a minute'

const faults: Record<string, Fault> = {
  'the database is away, on an own page': {
    line: { level: 'error', event: 'request failed', code: 'database-away', route: 'dashboard/myOrders', status: 503 },
    ...{ status: 503, words: isOut },
    act: (shop) => myOrders(shop, { kind: 'reset', ...always }),
  },
  'the database hangs': {
    line: { level: 'error', event: 'request failed', code: 'database-away' },
    ...{ status: 503, words: isOut },
    act: (shop) => myOrders(shop, { kind: 'silence', ...always }),
  },
  'something else answers instead of the database': {
    line: { level: 'error', event: 'request failed', code: 'database-away' },
    ...{ status: 503, words: isOut },
    act: (shop) => myOrders(shop, { kind: 'garbage', ...always }),
  },
  'the database is away, for a call': {
    line: { level: 'error', event: 'request failed', code: 'database-away', route: 'order' },
    ...{ status: 503, words: 'The shop is unavailable right now. Try again in a moment.' },
    act: async (shop) =>
      json(await shop.signedIn(await shop.customer()), 'GET', '/order', { kind: 'reset', ...always }),
  },
  'the disk is full, for an order': {
    line: { level: 'error', event: 'request failed', code: 'database-full', method: 'POST' },
    ...{ status: 503, words: isOut },
    act: (shop) => order(shop, { kind: 'full', only: 'INSERT INTO orders', ...always }),
  },
  'the disk is full, for the deep health': {
    line: { level: 'error', event: 'unhealthy', code: 'database-full', failed: ['write'] },
    ...{ status: 503, words: /"write":\{"ok":false/ },
    act: (shop) => deepHealth(shop, { kind: 'full', only: 'update \\"health\\"', ...always }),
  },
  'the schema is old': {
    line: { level: 'error', event: 'unhealthy', code: 'database-schema', failed: ['schema'] },
    ...{ status: 503, words: /"schema":\{"ok":false/ },
    act: async (shop) => {
      await shop.deps.db.run(
        sql`DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)`,
      )
      return deepHealth(shop)
    },
  },
  'the cron trigger does not run': {
    line: { level: 'error', event: 'unhealthy', code: 'cron-late', failed: ['cron'] },
    ...{ status: 503, words: /"cron":\{"ok":false/ },
    act: async (shop) => {
      await shop.deps.db.update(health).set({ cronFinishedAt: 0 })
      return deepHealth(shop)
    },
  },
  'a refund is owed for long': {
    line: { level: 'error', event: 'unhealthy', code: 'refund-late', failed: ['refund'] },
    ...{ status: 503, words: /"refund":\{"ok":false/ },
    act: async (shop) => {
      const { id } = await unpaidOrder(shop)
      await shop.deps.db.insert(refunds).values({ transactionId: 'pi_x', orderId: id, amountCents: 1, createdAt: 0 })
      return deepHealth(shop)
    },
  },
  'a task of the cron trigger fails': {
    line: { level: 'error', event: 'cron task failed', about: 'forget sessions' },
    ...{ status: 0, words: '' },
    act: async (shop) => {
      const { id: userId } = await shop.customer()
      const old = { userId, tokenHash: 'old', createdAt: 0, seenAt: 0, expiresAt: 1 }
      await shop.deps.db.insert(sessions).values(old)
      await shop.deps.db.run(
        sql`CREATE TRIGGER broken BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      )
      return cron(shop)
    },
  },
  'Stripe fails': {
    line: { level: 'error', event: 'request failed', code: 'stripe-failed', route: 'create-payment-intent' },
    ...{ status: 503, words: /card payments|Stripe/i },
    act: (shop) => startPayment(shop, { status: 500 }),
  },
  'Stripe hangs': {
    line: { level: 'error', event: 'request failed', code: 'stripe-away' },
    ...{ status: 503, words: /card payments|Stripe/i },
    act: (shop) => startPayment(shop, { hang: true }),
  },
  'something else answers instead of Stripe': {
    line: { level: 'error', event: 'request failed', code: 'stripe-away' },
    ...{ status: 503, words: /card payments|Stripe/i },
    act: (shop) => startPayment(shop, { answer: 'garbage' }),
  },
  'Resend fails': {
    line: { level: 'warn', event: 'email not sent', code: 'resend-away', about: 'order placed' },
    ...{ status: 200, words: 'New order added' },
    act: async (shop) => {
      await misbehave(shop, { mail: { status: 500, failNext: 1000 } })
      return order(shop)
    },
  },
  'Resend asks for a pause': {
    line: { level: 'warn', event: 'emails paused', code: 'resend-away' },
    ...{ status: 200, words: 'New order added' },
    act: async (shop) => {
      await misbehave(shop, { mail: { status: 429, failNext: 1000 } })
      return order(shop)
    },
  },
  'an email is given up': {
    line: { level: 'error', event: 'email given up', code: 'resend-away', about: 'contact' },
    ...{ status: 0, words: '' },
    act: async (shop) => {
      const email = {
        id: 'contact:x',
        kind: 'contact' as const,
        recipient: 'a@b.example',
        subject: 'x',
        text: 'x',
        html: '',
        createdAt: 0,
        dueAt: 0,
      }
      await shop.deps.db.insert(emails).values({ ...email, attempts: 109 })
      await misbehave(shop, { mail: { status: 500, failNext: 1000 } })
      return cron(shop)
    },
  },
  'Images fails': {
    line: { level: 'error', event: 'request failed', code: 'pictures-away', route: 'dashboard/addProduct' },
    ...{ status: 503, words: 'The picture could not be stored. Try again.' },
    act: async (shop, host) => {
      const admin = await shop.signedIn(await shop.admin())
      const form = new FormData()
      const fields = { name: 'Viola', price: '900', minQuantity: '1', availableQuantity: '4', img: '' }
      for (const [name, value] of Object.entries({ ...fields, submissionId: crypto.randomUUID() }))
        form.set(name, value)
      const picture = await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      form.set('picture', new File([picture as BlobPart], 'red.png', { type: 'image/png' }))
      host.pictures = 'fail'
      try {
        return answerOf(await admin.post('/dashboard/addProduct', form))
      } finally {
        host.pictures = 'work'
      }
    },
  },
  'Google fails': {
    line: { level: 'warn', event: 'Google sign-in failed', code: 'google' },
    ...{ status: 503, words: /Google/ },
    act: async (shop) => {
      const visitor = shop.visitor()
      const start = await visitor.press(await visitor.get('/login'), 'Continue with Google')
      const back = await chooseAtGoogle(start.location!, { email: 'zoe@example.com' })
      await misbehave(shop, { google: { status: 500, failNext: 10 } })
      return answerOf(await visitor.get(back.pathname + back.search))
    },
  },
}

/** Every fourth, so that each service has some. */
const inBothDepths = Object.entries(faults).filter((_fault, index) => isWhole || index % 4 === 0)

test.for(inBothDepths)(
  'logs one line and answers in words: %s',
  { timeout: 60_000 },
  async ([, { line, status, words, act }], { shop, host }) => {
    shop.skipInvariants('the fault is not over')
    target = shop.database.url
    proxy.fault = null
    await shop.configure({ DATABASE_URL: database })
    await shop.visitor().get('/healthz')
    const start = shop.log.length
    const answer = await act(shop, host)
    expect(answer.status).toBe(status)
    expect(answer.words).toMatch(words)
    const lines = () =>
      shop.log
        .slice(start)
        .filter((text) => text.startsWith('{'))
        .map((text) => JSON.parse(text) as Line)
        .filter(({ level }) => level !== 'info')
    await vi.waitUntil(() => lines().length > 0, { timeout: 15_000 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(lines()).toMatchObject([line])
    expect(JSON.stringify(lines())).not.toMatch(/@|_secret_\w|\\n/)
  },
)

async function misbehave(shop: Shop, fault: object): Promise<void> {
  await fetch(`${shop.sandbox.url}/faults`, { method: 'POST', body: JSON.stringify(fault) })
}

function answerOf({ status, page }: PageResponse): Answer {
  return { status, words: page.querySelector('main, .toast')?.textContent ?? '' }
}

async function myOrders(shop: Shop, fault: ProxyFault): Promise<Answer> {
  const customer = await shop.signedIn(await shop.customer())
  proxy.fault = fault
  return answerOf(await customer.get('/dashboard/myOrders'))
}

async function order(shop: Shop, fault: ProxyFault | null = null): Promise<Answer> {
  const violin = await shop.sells({ stock: 10 })
  const customer = await shop.signedIn(await shop.customer())
  const form = await customer.get(`/instruments/${violin}`)
  proxy.fault = fault
  return answerOf(await customer.press(form, 'Order Now', { ...parcel, orderQuantity: '1' }))
}

async function startPayment(shop: Shop, fault: object): Promise<Answer> {
  const { id, browser } = await unpaidOrder(shop)
  await misbehave(shop, { stripe: { ...fault, failNext: 1000 } })
  return json(browser, 'POST', '/create-payment-intent', null, { orderPrice: 500, orderId: id })
}

async function json(
  browser: Awaited<ReturnType<Shop['signedIn']>>,
  method: string,
  path: string,
  fault: ProxyFault | null,
  body?: object,
): Promise<Answer> {
  proxy.fault = fault
  const headers = { accept: 'application/json', 'content-type': 'application/json', origin: browser.origin }
  const response = await browser.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const { error } = await response.json<{ error?: { message: string } }>()
  return { status: response.status, words: error?.message ?? '' }
}

async function deepHealth(shop: Shop, fault: ProxyFault | null = null): Promise<Answer> {
  proxy.fault = fault
  const response = await shop.visitor().fetch('/healthz?deep')
  return { status: response.status, words: await response.text() }
}

async function cron(shop: Shop): Promise<Answer> {
  await shop.cron()
  return { status: 0, words: '' }
}

test('calls a demo shop that has just begun healthy, and logs no fault', async ({ shop }) => {
  target = shop.database.url
  await seedDemoShop(shop.database)
  const start = shop.log.length
  const response = await shop.visitor().fetch('/healthz?deep')
  const { ok, checks } = await response.json<{ ok: boolean; checks: Record<string, { ok: boolean }> }>()
  expect([response.status, ok, Object.keys(checks)]).toEqual([
    200,
    true,
    ['schema', 'write', 'log', 'email', 'refund', 'cron'],
  ])
  expect(await (await shop.visitor().fetch('/healthz')).json()).toEqual({ ok: true })
  await shop.cron()
  expect(shop.log.slice(start).filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([])
})
