import { readFileSync, writeFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contactMessages, emails, orders, users } from '../../app/db/schema'
import { newId } from '../../app/store/ids.server'
import { confirm } from '../support/card-form'
import { chooseAtGoogle } from '../support/google-page'
import { Host } from '../support/host'
import { payAt } from '../support/hosted-page'
import { cancelBehindItsBack, payElsewhere } from '../support/payments'
import { Shop } from '../support/shop'
import { signed } from './provider'
import { FaultProxy } from '../../dev/fault-proxy'
import type { Answer, TestBrowser } from '../support/test-browser'

/*
 * Each provider, and the database, fails in each way, while each thing is done that needs it: from outside, against the built
 * Worker. What was seen is the table in docs/testing-money.md; WRITE_FAULT_TABLE=1 writes it anew.
 */

const document = 'docs/testing-money.md'
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

/** What the person or the program reads: the status of the page in the end, and a word of it. */
interface Seen {
  status: number
  says: string
}

/** One thing that needs the service, ready to be done; done again it is the same wish. */
interface Ready {
  act: () => Promise<Seen>
  isDone: () => Promise<boolean>
  /** Whether it is done without anybody's doing, once the fault is over and the cron trigger has run. */
  byItself?: boolean
}

const address = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

async function anOrder(shop: Shop, stock = 10) {
  const violin = await shop.sells({ price: 250_00, stock })
  const customer = await shop.customer()
  const browser = await shop.signedIn(customer)
  await browser.press(await browser.get(`/instruments/${violin}`), 'Order Now', { ...address, orderQuantity: '2' })
  const [order] = await shop.ordersOf(customer)
  const state = async () => (await shop.deps.db.select().from(orders).where(eq(orders.id, order!.id)))[0]!.state
  return { violin, customer, browser, id: order!.id, path: `/dashboard/myOrders/payment/${order!.id}`, state }
}

function page({ status, page, location }: Answer): Seen {
  const places = ['[role="alert"]', '.notice', '.toast', 'main h1']
  const words = places.map((place) => page.querySelector(place)?.textContent.trim()).find(Boolean)
  return { status, says: location ? 'led to the provider' : (words ?? '') }
}

async function json(
  browser: TestBrowser,
  method: string,
  path: string,
  body: object,
): Promise<Seen & { clientSecret?: string }> {
  const answer = await browser.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', origin: browser.origin },
    body: JSON.stringify(body),
  })
  const { error, clientSecret } = await answer.json<{ error?: { message: string }; clientSecret?: string }>()
  return { status: answer.status, says: error?.message ?? '', ...(clientSecret && { clientSecret }) }
}

async function intentOf({ browser, id }: Awaited<ReturnType<typeof anOrder>>): Promise<string> {
  return (await json(browser, 'POST', '/create-payment-intent', { orderPrice: 500, orderId: id })).clientSecret!
}

/** What is done, by the service that it needs. */
const trials: Record<Service, Record<string, (shop: Shop) => Promise<Ready>>> = {
  Stripe: {
    'pay on the hosted page': async (shop) => {
      const { browser, path } = await anOrder(shop)
      const form = await browser.get(path)
      let location: string | null = null
      const act = async () => {
        const answer = await browser.press(form, 'Pay on the secure page')
        location = answer.location
        return page(answer)
      }
      return { act, isDone: () => Promise.resolve(location !== null) }
    },
    'ask for an intent': async (shop) => {
      const order = await anOrder(shop)
      let secret: string | undefined
      const act = async () => {
        const seen = await json(order.browser, 'POST', '/create-payment-intent', { orderPrice: 500, orderId: order.id })
        secret = seen.clientSecret
        return seen
      }
      return { act, isDone: async () => secret !== undefined && (await confirm(shop, secret)).status === 'succeeded' }
    },
    'come back from the hosted page': async (shop) => {
      const { browser, path, state } = await anOrder(shop)
      const { location } = await browser.press(await browser.get(path), 'Pay on the secure page')
      await payAt(location!)
      return {
        act: async () => page(await browser.get(`${path}?from=checkout`)),
        isDone: async () => (await state()) === 'paid',
        byItself: true,
      }
    },
    'confirm the card form (PATCH)': async (shop) => {
      const order = await anOrder(shop)
      const secret = await intentOf(order)
      await confirm(shop, secret)
      const transactionId = secret.split('_secret')[0]
      return {
        act: () => json(order.browser, 'PATCH', `/order/${order.id}`, { transactionId }),
        isDone: async () => (await order.state()) === 'paid',
        byItself: true,
      }
    },
    cancel: async (shop) => {
      const order = await anOrder(shop)
      await intentOf(order)
      const form = await order.browser.get('/dashboard/myOrders')
      return {
        act: async () => page(await order.browser.press(form, 'Cancel')),
        isDone: async () => (await order.state()) === 'cancelled',
      }
    },
    'replace an unpaid order': async (shop) => {
      const order = await anOrder(shop, 2)
      await intentOf(order)
      const form = await order.browser.get(`/instruments/${order.violin}`)
      const wanted = { ...address, orderQuantity: '1', replaceUnpaid: 'on' }
      return {
        act: async () => page(await order.browser.press(form, 'Order Now', wanted)),
        isDone: async () => (await order.state()) === 'cancelled' && (await shop.ordersOf(order.customer)).length === 2,
      }
    },
    'a webhook arrives': async (shop) => {
      const order = await anOrder(shop)
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
          const answer = await shop.visitor().fetch('/webhooks/stripe', { method: 'POST', headers, body })
          return { status: answer.status, says: '' }
        },
        isDone: async () => (await order.state()) === 'paid',
        byItself: true,
      }
    },
    'cron: a payment that nothing reported': async (shop) => {
      const order = await anOrder(shop)
      await confirm(shop, await intentOf(order))
      return { act: cron(shop), isDone: async () => (await order.state()) === 'paid', byItself: true }
    },
    'cron: a refund that is owed': async (shop) => {
      const { id, customer } = await anOrder(shop)
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
      return { act: cron(shop), isDone: made, byItself: true }
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
      const wanted = { ...address, instrumentId, productName: name, orderQuantity: 1 }
      const key = newId()
      const act = async () => {
        const headers = { 'content-type': 'application/json', origin: browser.origin, 'idempotency-key': key }
        const answer = await browser.fetch('/order', { method: 'POST', headers, body: JSON.stringify(wanted) })
        const { error } = await answer.json<{ error?: { message: string } }>()
        return { status: answer.status, says: error?.message ?? '' }
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

function cron(shop: Shop): () => Promise<Seen> {
  return async () => {
    // What is not due yet is due some minutes later.
    await shop.deps.db.run(sql`UPDATE payment_attempts SET ask_at = 0`)
    await shop.cron()
    return { status: 0, says: '' }
  }
}

async function ordering(shop: Shop, subject?: string): Promise<Ready> {
  const violin = await shop.sells({ price: 250_00, stock: 3 })
  const customer = await shop.customer()
  const browser = await shop.signedIn(customer)
  const form = await browser.get(`/instruments/${violin}`)
  return {
    act: async () => page(await browser.press(form, 'Order Now', { ...address, orderQuantity: '1' })),
    isDone: async () =>
      (await shop.ordersOf(customer)).length === 1 && (!subject || (await isMailed(shop, customer.email, subject))),
    byItself: subject !== undefined,
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
    // The email is written after the answer, so that an unknown address is answered no sooner.
    isDone: () => isMailed(shop, email, '', 2000),
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
    const answer = await browser.get(path, { accept })
    status = answer.status
    return accept === 'text/html'
      ? page(answer)
      : { status, says: (JSON.parse(answer.html) as { error?: { message: string } }).error?.message ?? '' }
  }
  return Promise.resolve({ act, isDone: () => Promise.resolve(status === 200) })
}

async function isMailed(shop: Shop, email: string, subject: string, patience = 0): Promise<boolean> {
  const until = Date.now() + patience
  for (;;) {
    if ((await shop.mailsTo(email)).some((mail) => mail.subject.includes(subject))) return true
    if (Date.now() >= until) return false
  }
}

// The faults, one kind after the other, each in a shop of its own.

let host: Host
beforeAll(async () => {
  host = await Host.open()
})
afterAll(() => host.close())

interface Cell {
  seen: Seen
  again: Seen
  isDone: boolean
  byItself: boolean
}
const cells = new Map<string, Cell>()
const cellOf = (service: Service, what: string, kind: Kind) => `${service} | ${what} | ${kind}`

const pairs = services.flatMap((service) => (Object.keys(kinds) as Kind[]).map((kind) => [service, kind] as const))

test.for(pairs)(
  '%s, %s: what is away is said as it is, and one try later all is right',
  { timeout: 180_000 },
  async ([service, kind]) => {
    const shop = await Shop.open(host)
    const gate = new FaultProxy()
    try {
      await shop.configure({ DATABASE_URL: await gate.door('database', () => shop.database.url) })
      const begun = shop.log.length
      const ready = new Map<string, Ready>()
      await Promise.all(
        Object.entries(trials[service]).map(async ([what, prepare]) => ready.set(what, await prepare(shop))),
      )
      await shop.settled()

      const seen = new Map<string, Seen>()
      const strike = async (what: string) => seen.set(what, await ready.get(what)!.act())
      if (kind === '500 once') {
        for (const what of ready.keys()) {
          await fail(shop, gate, service, kind)
          await strike(what)
        }
      } else {
        await fail(shop, gate, service, kind)
        await Promise.all([...ready.keys()].map(strike))
      }
      // Whoever runs the shop can see it. (Emails are delivered after the answer; one failure is made up for by the library.)
      if (service !== 'email' && kind !== '500 once') expect(shop.log.length).toBeGreaterThan(begun)
      gate.fault = null
      await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })

      // Nobody does anything: the cron trigger alone, once what is due later is due.
      await shop.deps.db.update(emails).set({ dueAt: Date.now() })
      await cron(shop)()
      expect(await shop.check()).toEqual([])
      const alone = new Map<string, boolean>()
      for (const [what, { isDone, byItself }] of ready) alone.set(what, !byItself || (await isDone()))

      for (const [what, { act, isDone }] of ready) {
        const again = (await isDone()) ? { status: 200, says: '' } : await act()
        const cell = { seen: seen.get(what)!, again, isDone: await isDone(), byItself: alone.get(what)! }
        cells.set(cellOf(service, what, kind), cell)
      }
      await shop.settled()
      expect(await shop.check()).toEqual([])
    } finally {
      gate.close()
      await shop.close()
    }
    const wrong = Object.keys(trials[service])
      .map((what) => [what, cells.get(cellOf(service, what, kind))!] as const)
      .filter(([, { seen, isDone, byItself }]) => seen.status === 500 || !isDone || !byItself)
    expect(wrong).toEqual([])
  },
)

async function fail(shop: Shop, gate: FaultProxy, service: Service, kind: Kind): Promise<void> {
  const { next = 1_000_000, ...fault } = kinds[kind] as {
    next?: number
    status?: number
    answer?: string
    when?: 'after'
    hang?: true
  }
  if (service === 'database') {
    const line = fault.hang ? 'silence' : ((fault.answer ?? 'status') as 'status' | 'reset' | 'garbage')
    gate.fault = { kind: line, status: fault.status ?? 500, side: fault.when ?? 'before', next }
    return
  }
  const name = service === 'email' ? 'mail' : service.toLowerCase()
  await fetch(`${shop.sandbox.url}/faults`, { method: 'DELETE' })
  await shop.faults({ [name]: { ...fault, failNext: next } })
}

test.for(['drop', 'twice', 'late', 'reorder'] as const)(
  'a paid order is paid, once, whose webhooks come: %s',
  { timeout: 60_000 },
  async (webhooks) => {
    const shop = await Shop.open(host, { webhooks: true })
    try {
      await shop.faults({ stripe: { webhooks } })
      const order = await anOrder(shop)
      await confirm(shop, await intentOf(order))
      if (webhooks === 'drop') await cron(shop)()
      await vi.waitUntil(async () => (await order.state()) === 'paid', { timeout: 15_000, interval: 50 })
      await shop.settled()
      expect((await shop.mailsTo(order.customer.email)).map(({ subject }) => subject.split(':')[0])).toEqual([
        'Receipt',
        'Your order',
      ])
      expect(await shop.check()).toEqual([])
    } finally {
      await shop.close()
    }
  },
)

// What was seen, written down.

const [begin, end] = ['<!-- fault table -->', '<!-- end of the fault table -->']

test('the documents show a table of all that was tried', async () => {
  const { format } = await import('prettier')
  const markdown = readFileSync(document, 'utf8')
  const table = await format(tables(), { parser: 'markdown', printWidth: 120 })
  const [before, after] = [markdown.split(begin)[0]!, markdown.split(end)[1]!]
  if (process.env.WRITE_FAULT_TABLE) writeFileSync(document, `${before}${begin}\n\n${table}\n${end}${after}`)
  // What it reads may depend on how busy the machine is; that nothing is a 500, and all of it recovers, is held above.
  const tried = (text: string) =>
    [...text.matchAll(/^\| (\S+) +\| (.*?) +\|/gm)].map(([, needs, what]) => `${needs}: ${what}`)
  expect(tried(markdown.split(begin)[1]!.split(end)[0]!)).toEqual(tried(table))
})

function tables(): string {
  const names = Object.keys(kinds) as Kind[]
  const lines = [
    `| needs | what is done | ${names.join(' | ')} | reads, in the worst case |`,
    `| ${'--- | '.repeat(names.length + 3)}`,
  ]
  for (const service of services) {
    for (const what of Object.keys(trials[service])) {
      const row = names.map((kind) => cells.get(cellOf(service, what, kind))!)
      const worst = row.map(({ seen }) => seen).find(({ status }) => status >= 400)
      lines.push(
        `| ${service} | ${what} | ${row.map(({ seen }) => seen.status || 'runs').join(' | ')} | ${worst?.says ?? ''} |`,
      )
    }
  }
  return lines.join('\n')
}
