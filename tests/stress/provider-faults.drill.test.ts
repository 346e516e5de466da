import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactMessages, emails, orderRefunds, users } from '../../app/db/schema'
import { newId } from '../../app/store/shared/ids.server'
import { confirm } from '../support/card-form'
import { chooseAtGoogle } from '../support/google-page'
import { Host } from '../support/host'
import { payAt } from '../support/hosted-page'
import { aPaidOrder, cancelBehindItsBack, payElsewhere } from '../support/payments'
import { Shop, parcel } from '../support/shop'
import { unpaidOrder } from '../support/unpaid-order'
import { signed } from './provider'
import { FaultProxy } from '../../dev/fault-proxy'
import type { PageResponse, TestBrowser } from '../support/test-browser'

const services = ['Stripe', 'Google', 'email', 'database'] as const
type Service = (typeof services)[number]

const kinds = {
  '500 once': { status: 500, next: 1 },
  '500': { status: 500 },
  '429': { status: 429 },
  'reset before': { answer: 'reset' },
  'reset after': { answer: 'reset', when: 'after' },
  garbage: { answer: 'garbage', when: 'after' },
  silence: { hang: true },
} as const
type Kind = keyof typeof kinds

interface Outcome {
  status: number
}

/** Running `act` again is a retry of the same request. */
interface Ready {
  act: () => Promise<Outcome>
  isDone: () => Promise<boolean>
  /** Whether the cron trigger alone completes it once the fault is over. */
  recoversAlone?: boolean
}

const page = ({ status }: PageResponse): Outcome => ({ status })

async function json(
  browser: TestBrowser,
  method: string,
  path: string,
  body: object,
): Promise<Outcome & { clientSecret?: string }> {
  const response = await browser.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', origin: browser.origin },
    body: JSON.stringify(body),
  })
  const { clientSecret } = await response.json<{ clientSecret?: string }>()
  return { status: response.status, ...(clientSecret && { clientSecret }) }
}

async function intentOf({ browser, id }: Awaited<ReturnType<typeof unpaidOrder>>): Promise<string> {
  return (await json(browser, 'POST', '/create-payment-intent', { orderPrice: 500, orderId: id })).clientSecret!
}

const trials: Record<Service, Record<string, (shop: Shop) => Promise<Ready>>> = {
  Stripe: {
    'pay on the hosted page': async (shop) => {
      const { browser, path } = await unpaidOrder(shop)
      const form = await browser.get(path)
      let location: string | null = null
      const act = async () => {
        const response = await browser.press(form, 'Pay on the secure page')
        location = response.location
        return page(response)
      }
      return { act, isDone: () => Promise.resolve(location !== null) }
    },
    'ask for an intent': async (shop) => {
      const order = await unpaidOrder(shop)
      let secret: string | undefined
      const act = async () => {
        const outcome = await json(order.browser, 'POST', '/create-payment-intent', {
          orderPrice: 500,
          orderId: order.id,
        })
        secret = outcome.clientSecret
        return outcome
      }
      // A card pays once: a second confirmation of the same intent is an error.
      let isPaid = false
      const isDone = async () =>
        (isPaid ||= secret !== undefined && (await confirm(shop, secret)).status === 'succeeded')
      return { act, isDone }
    },
    'come back from the hosted page': async (shop) => {
      const { browser, path, state } = await unpaidOrder(shop)
      const { location } = await browser.press(await browser.get(path), 'Pay on the secure page')
      await payAt(location!)
      return {
        act: async () => page(await browser.get(`${path}?from=checkout`)),
        isDone: async () => (await state()) === 'paid',
        recoversAlone: true,
      }
    },
    'confirm the card form (PATCH)': async (shop) => {
      const order = await unpaidOrder(shop)
      const secret = await intentOf(order)
      await confirm(shop, secret)
      const transactionId = secret.split('_secret')[0]
      return {
        act: () => json(order.browser, 'PATCH', `/order/${order.id}`, { transactionId }),
        isDone: async () => (await order.state()) === 'paid',
        recoversAlone: true,
      }
    },
    cancel: async (shop) => {
      const order = await unpaidOrder(shop)
      await intentOf(order)
      const form = await order.browser.get('/dashboard/myOrders')
      return {
        act: async () => page(await order.browser.press(form, 'Cancel')),
        isDone: async () => (await order.state()) === 'cancelled',
      }
    },
    'replace an unpaid order': async (shop) => {
      const order = await unpaidOrder(shop, { stock: 2 })
      await intentOf(order)
      const form = await order.browser.get(`/instruments/${order.violin}`)
      const fields = { ...parcel, orderQuantity: '1', replaceUnpaid: 'on' }
      return {
        act: async () => page(await order.browser.press(form, 'Order Now', fields)),
        isDone: async () => (await order.state()) === 'cancelled' && (await shop.ordersOf(order.customer)).length === 2,
      }
    },
    'refund an order': async (shop) => {
      const { id } = await aPaidOrder(shop)
      const admin = await shop.signedIn(await shop.admin())
      const form = await admin.get(`/dashboard/manageOrders/${id}/refund?amount=100&reason=Dent&restock=1`)
      const isDone = async () =>
        (await shop.deps.db.select().from(orderRefunds)).filter(({ madeAt }) => madeAt !== null).length === 1
      return { act: async () => page(await admin.press(form, 'Refund')), isDone, recoversAlone: true }
    },
    'a webhook arrives': async (shop) => {
      const order = await unpaidOrder(shop)
      const secret = await intentOf(order)
      await confirm(shop, secret)
      const intent = { object: 'payment_intent', id: secret.split('_secret')[0] }
      const event = {
        id: `evt_${newId()}`,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: intent },
      }
      return {
        act: async () => {
          const { body, signature } = await signed(event)
          const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
          const response = await shop.visitor().fetch('/webhooks/stripe', { method: 'POST', headers, body })
          return { status: response.status }
        },
        isDone: async () => (await order.state()) === 'paid',
        recoversAlone: true,
      }
    },
    'cron: a payment that nothing reported': async (shop) => {
      const order = await unpaidOrder(shop)
      await confirm(shop, await intentOf(order))
      return { act: cron(shop), isDone: async () => (await order.state()) === 'paid', recoversAlone: true }
    },
    'cron: a refund that is owed': async (shop) => {
      const { id, customer } = await unpaidOrder(shop)
      const { db } = shop.deps
      const paid = await payElsewhere(shop, 500_00, { order: id, customer: customer.id })
      await cancelBehindItsBack(shop, id)
      await db.run(
        sql`INSERT INTO audit_log (at, event, actor, order_id, note) VALUES (1, 'refund owed', 'stripe', ${id}, ${paid})`,
      )
      await db.run(sql`
        INSERT INTO refunds (transaction_id, order_id, amount_cents, created_at) VALUES (${paid}, ${id}, 50000, 1)`)
      const made = async () =>
        (await db.all(sql`SELECT 1 FROM refunds WHERE order_id = ${id} AND refund_id IS NOT NULL`)).length === 1
      return { act: cron(shop), isDone: made, recoversAlone: true }
    },
  },

  Google: {
    'sign in with Google': (shop) => {
      const browser = shop.visitor()
      const email = `${newId()}@example.com`
      return Promise.resolve({
        act: async () => {
          const start = await browser.press(await browser.get('/login'), 'Continue with Google')
          const back = await chooseAtGoogle(start.location!, { email })
          return page(await browser.get(back.pathname + back.search))
        },
        isDone: async () => (await browser.get('/dashboard')).path === '/dashboard',
      })
    },
  },

  email: {
    order: async (shop) => ordering(shop, 'Your order'),
    register: async (shop) => registering(shop),
    'forgot password': async (shop) => forgetting(shop),
    contact: async (shop) => contacting(shop),
  },

  database: {
    'look at the home page': (shop) => looking(shop, '/'),
    'look at the list (JSON)': (shop) => looking(shop, '/instruments', 'application/json'),
    'sign in': async (shop) => {
      const customer = await shop.customer()
      const browser = shop.visitor()
      const form = await browser.get('/login')
      return {
        act: async () =>
          page(await browser.press(form, 'Login', { email: customer.email, password: customer.password })),
        isDone: async () => (await browser.get('/dashboard')).path === '/dashboard',
      }
    },
    order: (shop) => ordering(shop),
    'order (JSON)': async (shop) => {
      const instrumentId = await shop.sells({ name: newId(), price: 250_00, stock: 3 })
      const customer = await shop.customer()
      const browser = await shop.signedIn(customer)
      const { name } = (
        await shop.deps.db.all<{ name: string }>(sql`SELECT name FROM instruments WHERE id = ${instrumentId}`)
      )[0]!
      const input = { ...parcel, instrumentId, productName: name, orderQuantity: 1 }
      const key = newId()
      const act = async () => {
        const headers = { 'content-type': 'application/json', origin: browser.origin, 'idempotency-key': key }
        const response = await browser.fetch('/order', { method: 'POST', headers, body: JSON.stringify(input) })
        return { status: response.status }
      }
      return { act, isDone: async () => (await shop.ordersOf(customer)).length === 1 }
    },
    'ask for an intent': (shop) => trials.Stripe['ask for an intent']!(shop),
    'confirm the card form (PATCH)': (shop) => trials.Stripe['confirm the card form (PATCH)']!(shop),
    'a webhook arrives': (shop) => trials.Stripe['a webhook arrives']!(shop),
    cancel: (shop) => trials.Stripe.cancel!(shop),
    register: (shop) => registering(shop),
    'forgot password': (shop) => forgetting(shop),
    contact: (shop) => contacting(shop),
    'cron: a payment that nothing reported': (shop) => trials.Stripe['cron: a payment that nothing reported']!(shop),
  },
}

function cron(shop: Shop): () => Promise<Outcome> {
  return async () => {
    // Payment attempts that are not due yet are checked some minutes later.
    await shop.deps.db.run(sql`UPDATE payment_attempts SET ask_at = 0`)
    await shop.cron()
    return { status: 0 }
  }
}

async function ordering(shop: Shop, subject?: string): Promise<Ready> {
  const violin = await shop.sells({ price: 250_00, stock: 3 })
  const customer = await shop.customer()
  const browser = await shop.signedIn(customer)
  const form = await browser.get(`/instruments/${violin}`)
  return {
    act: async () => page(await browser.press(form, 'Order Now', { ...parcel, orderQuantity: '1' })),
    isDone: async () =>
      (await shop.ordersOf(customer)).length === 1 && (!subject || (await isMailed(shop, customer.email, subject))),
    recoversAlone: subject !== undefined,
  }
}

async function registering(shop: Shop): Promise<Ready> {
  const browser = shop.visitor()
  const email = `${newId()}@example.com`
  const form = await browser.get('/register')
  const isThere = async () => (await shop.deps.db.select().from(users).where(eq(users.email, email))).length === 1
  return {
    act: async () => page(await browser.press(form, 'Register', { name: 'Zoë', email, password: 'correct horse' })),
    isDone: async () => (await isThere()) && (await isMailed(shop, email, '')),
  }
}

async function forgetting(shop: Shop): Promise<Ready> {
  const { email } = await shop.customer()
  const browser = shop.visitor()
  const form = await browser.get('/forgot-password')
  return {
    act: async () => page(await browser.press(form, 'Send the link', { email })),
    // The email is written after the response, so that timing does not reveal which addresses exist.
    isDone: () => isMailed(shop, email, '', 5000),
  }
}

async function contacting(shop: Shop): Promise<Ready> {
  const browser = shop.visitor()
  const email = `${newId()}@example.com`
  const form = await browser.get('/')
  const isThere = async () =>
    (await shop.deps.db.select().from(contactMessages).where(eq(contactMessages.email, email))).length >= 1
  return {
    act: async () => page(await browser.press(form, 'Send', { name: 'Zoë', email, message: 'Hello' })),
    isDone: async () => (await isThere()) && (await isMailed(shop, email, '')),
  }
}

function looking(shop: Shop, path: string, accept = 'text/html'): Promise<Ready> {
  const browser = shop.visitor()
  let status = 0
  const act = async () => {
    const response = await browser.get(path, { accept })
    status = response.status
    return page(response)
  }
  return Promise.resolve({ act, isDone: () => Promise.resolve(status === 200) })
}

async function isMailed(shop: Shop, email: string, subject: string, maxResponseMs = 0): Promise<boolean> {
  const until = Date.now() + maxResponseMs
  for (;;) {
    if ((await shop.emailsTo(email)).some((mail) => mail.subject.includes(subject))) return true
    if (Date.now() >= until) return false
  }
}

let host: Host
beforeAll(async () => {
  host = await Host.open()
})
afterAll(() => host.close())

const pairs = services.flatMap((service) => (Object.keys(kinds) as Kind[]).map((kind) => [service, kind] as const))

test.for(pairs)(
  '%s, %s: reports the fault and succeeds on the next try',
  { timeout: 180_000 },
  async ([service, kind]) => {
    const shop = await Shop.open(host)
    const proxy = new FaultProxy()
    try {
      await shop.configure({ DATABASE_URL: await proxy.open('database', () => shop.database.url) })
      const logStart = shop.log.length
      const ready = new Map<string, Ready>()
      await Promise.all(
        Object.entries(trials[service]).map(async ([what, prepare]) => ready.set(what, await prepare(shop))),
      )
      await shop.waitUntilIdle()

      const outcomes = new Map<string, Outcome>()
      const tryOnce = async (what: string) => outcomes.set(what, await ready.get(what)!.act())
      if (kind === '500 once') {
        for (const what of ready.keys()) {
          await fail(shop, proxy, service, kind)
          await tryOnce(what)
        }
      } else {
        await fail(shop, proxy, service, kind)
        await Promise.all([...ready.keys()].map(tryOnce))
      }
      // Emails are delivered after the response, and the Stripe library retries a single failure.
      if (service !== 'email' && kind !== '500 once') expect(shop.log.length).toBeGreaterThan(logStart)
      proxy.fault = null
      await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })

      // Only the cron trigger runs.
      await shop.deps.db.update(emails).set({ dueAt: Date.now() })
      await cron(shop)()
      expect(await shop.check()).toEqual([])
      const alone = new Map<string, boolean>()
      for (const [what, { isDone, recoversAlone }] of ready) alone.set(what, !recoversAlone || (await isDone()))

      const wrong = []
      for (const [what, { act, isDone }] of ready) {
        if (!(await isDone())) await act()
        const { status } = outcomes.get(what)!
        // 0: the cron trigger, which answers nobody.
        const isRight = [0, 200, 503].includes(status) && (await isDone()) && alone.get(what)!
        if (!isRight) wrong.push([what, status, await isDone(), alone.get(what)])
      }
      expect(wrong).toEqual([])
      await shop.waitUntilIdle()
      expect(await shop.check()).toEqual([])
    } finally {
      proxy.close()
      await shop.close()
    }
  },
)

async function fail(shop: Shop, proxy: FaultProxy, service: Service, kind: Kind): Promise<void> {
  const { next = 1_000_000, ...fault } = kinds[kind] as {
    next?: number
    status?: number
    answer?: string
    when?: 'after'
    hang?: true
  }
  if (service === 'database') {
    const line = fault.hang ? 'silence' : ((fault.answer ?? 'status') as 'status' | 'reset' | 'garbage')
    proxy.fault = { kind: line, status: fault.status ?? 500, side: fault.when ?? 'before', next }
    return
  }
  const name = service === 'email' ? 'mail' : service.toLowerCase()
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await shop.faults({ [name]: { ...fault, failNext: next } })
}
