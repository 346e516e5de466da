import { createClient, type Client } from '@libsql/client/http'
import { hashPassword } from '../app/store/accounts/passwords.server'
import { hashSecret } from '../app/store/shared/ids.server'
import { FaultProxy } from '../dev/fault-proxy'
import { stripePublishableKey } from '../sandbox/keys'
import { median } from './load'
import type { Results } from './report'
import { usage } from '../dev/cpu'
import type { Database, Served, Stage } from './stage'

const people = 500
const password = 'a password of the bench'
const instrumentId = 'violin-4-4'
const totalCents = 2 * 1_450_00
const levels = [1, 8, 64, 128]

interface Person {
  email: string
  cookie: string
}

/** What earns money: from the cart to the paid order, and signing in. */
export async function measureOrders(
  stage: Stage,
  results: Results,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const database = await stage.database()
  const client = createClient({ url: database.url, authToken: database.authToken })
  await invitePeople(client)
  let webhookUrl = ''
  const sandbox = await stage.sandbox(() => webhookUrl)
  const proxy = new FaultProxy()
  const proxied = await stage.shop({ ...database, url: await proxy.open('database', () => database.url) }, sandbox)
  const served = await stage.shop(database, sandbox)
  const shop = { served, database, sandbox, client }

  webhookUrl = `${proxied.origin}/webhooks/stripe`
  await countTrips({ ...shop, served: proxied }, proxy, results)
  proxy.close()

  webhookUrl = `${served.origin}/webhooks/stripe`
  await spendCpu(shop, rounds * 50, results)
  // The events and emails would be counted here.
  webhookUrl = 'http://127.0.0.1:9/nobody'
  await fillCarts(shop, seconds, results)
  client.close()
}

interface Shop {
  served: Served
  database: Database
  sandbox: string
  client: Client
}

export const personOf = (n: number): Person => ({
  email: `bench${n % people}@example.com`,
  cookie: `session=${cookieOf(`bench-secret-${n % people}`)}`,
})

/** As Remix writes an unsigned cookie. */
function cookieOf(value: string): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))
}

export async function invitePeople(client: Client): Promise<void> {
  const [hash, now] = [await hashPassword(password), Date.now()]
  const rows = await Promise.all(
    Array.from({ length: people }, async (_, n) => ({ n, secret: await hashSecret(`bench-secret-${n}`) })),
  )
  await client.batch(
    rows.flatMap(({ n, secret }) => [
      {
        sql: `INSERT INTO users (id, email, name, email_verified_at, created_at) VALUES (?, ?, 'Bench', ?, ?)`,
        args: [`bench-${n}`, `bench${n}@example.com`, now, now],
      },
      { sql: `INSERT INTO passwords (user_id, hash, changed_at) VALUES (?, ?, ?)`, args: [`bench-${n}`, hash, now] },
      {
        sql: `INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)`,
        args: [secret, `bench-${n}`, now, now, now + 86_400_000],
      },
    ]),
    'write',
  )
}

async function call({ origin }: Served, cookie: string, method: string, path: string, body?: object) {
  const response = await fetch(origin + path, {
    method,
    headers: { origin, cookie, 'content-type': 'application/json', connection: 'keep-alive' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as Record<string, string>
}

async function sendForm({ origin }: Served, path: string, fields: Record<string, string>, address: string) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { origin, 'cf-connecting-ip': address },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  await response.arrayBuffer()
  if (response.status !== 303) throw new Error(`${path}: ${response.status}`)
}

const delivery = { orderQuantity: 2, customerAddress: '1 Bow Lane', customerPhone: '07700900123' }
let places = 0
/** Each from another network: the rate limits count by it. */
const newAddress = () => `10.${(++places >> 16) & 255}.${(places >> 8) & 255}.${places & 255}`

export const placeOrder = async (served: Served, { cookie }: Person) =>
  (await call(served, cookie, 'POST', '/order', { instrumentId, ...delivery })).insertedId!

const openIntent = async (served: Served, { cookie }: Person, orderId: string) =>
  (await call(served, cookie, 'POST', '/create-payment-intent', { orderPrice: totalCents / 100, orderId }))
    .clientSecret!

const patch = (served: Served, { cookie }: Person, orderId: string, clientSecret: string) =>
  call(served, cookie, 'PATCH', `/order/${orderId}`, {
    order: orderId,
    transactionId: clientSecret.split('_secret_')[0],
  })

const cancel = (served: Served, { cookie, email }: Person, orderId: string) =>
  call(served, cookie, 'DELETE', `/order/${email}?orderId=${orderId}`)

const logIn = (served: Served, { email }: Person) => sendForm(served, '/login', { email, password }, newAddress())

const register = (served: Served) => {
  const submissionId = crypto.randomUUID()
  return sendForm(
    served,
    '/register',
    { name: 'Bench', email: `${submissionId}@example.com`, password, submissionId },
    newAddress(),
  )
}

/** As Stripe's script does in the browser. */
async function payByCard(sandbox: string, clientSecret: string): Promise<void> {
  const response = await fetch(`${sandbox}/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripePublishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '40',
      'payment_method_data[card][cvc]': '123',
    }),
  })
  if (!response.ok) throw new Error(`The card was refused: ${response.status}`)
}

/** Waits for what the Worker does after its responses: emails, and the events of Stripe. */
async function settled({ client }: Shop): Promise<void> {
  for (let quiet = 0, last = '', tries = 0; quiet < 5 && tries < 400; tries++) {
    const { rows } = await client.execute(
      'SELECT (SELECT count(*) FROM emails WHERE sent_at IS NULL) AS emails, (SELECT count(*) FROM webhook_events) AS events',
    )
    const now = JSON.stringify(rows[0])
    quiet = rows[0]!.emails === 0 && now === last ? quiet + 1 : 0
    last = now
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}

async function countTrips(shop: Shop, proxy: FaultProxy, results: Results): Promise<void> {
  const { served, sandbox } = shop
  const ada = personOf(0)
  let [orderId, clientSecret] = ['', '']
  const rows: [string, number, number][] = []
  const steps: [what: string, max: number | null, run: () => Promise<unknown>][] = [
    ['login', 3, () => logIn(served, ada)],
    ['register', null, () => register(served)],
    ['order', 2, async () => (orderId = await placeOrder(served, ada))],
    ['intent', 2, async () => (clientSecret = await openIntent(served, ada, orderId))],
    ['card, webhook', null, () => payByCard(sandbox, clientSecret)],
    ['PATCH', null, () => patch(served, ada, orderId, clientSecret)],
    ['order to be cancelled', 2, async () => (orderId = await placeOrder(served, ada))],
    ['cancel', null, () => cancel(served, ada, orderId)],
  ]
  for (const [what, max, run] of steps) {
    const before = proxy.requests.length
    await run()
    const during = proxy.requests.length - before
    await settled(shop)
    const after = proxy.requests.length - before - during
    rows.push([what, during, after])
    if (max !== null) results.check({ what: `${what}: round trips`, value: during, max })
  }
  results.say(
    '## What earns money',
    '',
    'Round trips to the database before the response, and after it: emails, and the events of Stripe.',
  )
  results.table(['', 'before', 'after'], rows)
}

async function spendCpu(shop: Shop, times: number, results: Results): Promise<void> {
  const { served, database, sandbox } = shop
  const passwordMs = await measurePassword()
  const rows: [string, number, number, number, number, number, number, number, number][] = []
  async function measure(
    what: string,
    run: (person: Person) => Promise<unknown>,
    { clients = 8, maxPasswords }: { clients?: number; maxPasswords?: number } = {},
  ): Promise<void> {
    for (let n = 0; n < 10; n++) await run(personOf(n))
    await settled(shop)
    const cpu = () => [served.pid, database.pid, database.poolPid].map((pid) => usage(pid).cpuMs)
    const before = cpu()
    const durations = await inParallel(clients, times, (n) => run(personOf(n)))
    await settled(shop)
    const [worker, server, pool] = cpu().map((after, index) => (after - before[index]!) / times) as [
      number,
      number,
      number,
    ]
    const all = worker + server + pool
    rows.push([
      what,
      clients,
      worker,
      server,
      pool,
      all,
      all / passwordMs,
      median(durations),
      percentile(durations, 0.99),
    ])
    if (maxPasswords !== undefined)
      results.check({
        what: `${what}, ${clients} clients: CPU of a password’s`,
        value: all / passwordMs,
        max: maxPasswords,
      })
  }
  const buy = async (person: Person) => {
    const orderId = await placeOrder(served, person)
    const clientSecret = await openIntent(served, person, orderId)
    await payByCard(sandbox, clientSecret)
    await patch(served, person, orderId, clientSecret)
  }
  await measure('cart to paid order', buy, { clients: 8, maxPasswords: 0.6 })
  // Alone, a customer shares no delivery of emails with others.
  await measure('cart to paid order', buy, { clients: 1, maxPasswords: 0.9 })
  await measure('order and cancel', async (person) => cancel(served, person, await placeOrder(served, person)))
  await measure('login', (person) => logIn(served, person))
  await measure('register', () => register(served))
  results.say(
    '',
    `CPU milliseconds each, with webhooks and emails; ${times} times. A password (scrypt, 2^14, 8, 5) takes ${passwordMs.toFixed(0)} of them in Node: the ratio compares machines.`,
  )
  results.table(['', 'clients', 'Worker', 'database', 'pool', 'all', 'of a password’s', 'p50 ms', 'p99 ms'], rows)
}

/** CPU milliseconds of one in this process: the median of nine. */
async function measurePassword(): Promise<number> {
  const all: number[] = []
  for (let n = 0; n < 9; n++) {
    const before = process.cpuUsage()
    await hashPassword(password)
    const { user, system } = process.cpuUsage(before)
    all.push((user + system) / 1000)
  }
  return median(all)
}

async function fillCarts(shop: Shop, seconds: number, results: Results): Promise<void> {
  const rows: [string, number, number, number, number][] = []
  let n = 0
  const place = (n: number) => placeOrder(shop.served, personOf(n))
  // What the database can do at most: one statement that writes one row, without a Worker between.
  const statement = `UPDATE users SET phone = NULL WHERE id = ?`
  const write = (n: number) => shop.client.execute({ sql: statement, args: [`bench-${n % people}`] })
  for (const clients of levels) await fill(`${clients}`, clients, place)
  await fill(`${Math.max(...levels)}, one statement each`, Math.max(...levels), write)
  results.say('', `Orders alone, ${seconds} seconds each, with their emails; the clients run on the same machine.`)
  results.table(['clients', 'orders/s', 'p50 ms', 'p99 ms', 'failed'], rows)

  async function fill(what: string, clients: number, run: (n: number) => Promise<unknown>): Promise<void> {
    const until = performance.now() + seconds * 1000
    const durations: number[] = []
    let failed = 0
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (performance.now() < until) {
          const from = performance.now()
          await run(n++).then(
            () => durations.push(performance.now() - from),
            () => failed++,
          )
        }
      }),
    )
    const perSecond = durations.length / ((performance.now() - startedAt) / 1000)
    rows.push([what, perSecond, median(durations), percentile(durations, 0.99), failed])
    results.check({ what: `${what} clients: failed`, value: failed, max: 0 })
  }
}

async function inParallel(clients: number, times: number, run: (n: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let n = next++; n < times; n = next++) {
        const from = performance.now()
        await run(n)
        durations.push(performance.now() - from)
      }
    }),
  )
  return durations
}

function percentile(values: number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0
}
