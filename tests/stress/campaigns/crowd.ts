import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'node-html-parser'
import { payWith } from '../card'
import { Client, done } from '../client'
import { digest, forgeries } from './events'
import { runConcurrently } from '../concurrency'
import { signed, stripeAt } from '../provider'
import { oneOf, randomOf, scaled, wrongOf, type Effort, type Report } from '../report'
import { WorkerEnvironment, signIn } from '../served'

const clients = 64
const instruments = [
  { stock: 1, minimum: 1, max: 1 },
  { stock: 100, minimum: 2, max: 5 },
  { stock: 3000, minimum: 1, max: 5 },
]

interface StockedInstrument {
  id: string
  minimum: number
  max: number
}

interface Buyer {
  id: string
  cookie: string
}

interface Timings {
  times: number[]
  statuses: Map<number, number>
}

/** 10,000 orders by 64 clients at the built Worker; every fifth form is sent twice. Then forged webhook events. */
export async function runCrowd(effort: Effort): Promise<Report> {
  const server = await WorkerEnvironment.open(effort.say)
  const { env } = server
  try {
    const random = randomOf(effort.seed)
    // A short run must sell out as well, so its stock shrinks too.
    const scaleStock = (stock: number) => (stock > 100 ? scaled(effort, stock, 60) : stock)
    const sold: StockedInstrument[] = []
    for (const item of instruments) {
      const { minimum, max } = item
      sold.push({ id: await env.sells({ stock: scaleStock(item.stock), minimum }), minimum, max })
    }
    const buyers = await runConcurrently(4, clients, async () => {
      const person = await env.person()
      return { id: person.id, cookie: await signIn(env, person) }
    })
    const orderCount = scaled(effort, 10_000, 200)
    const timings: Timings = { times: [], statuses: new Map() }
    let repeated = 0
    const startedAt = Date.now()
    await runConcurrently(clients, orderCount, async (index) => {
      if (index % 1000 === 0) effort.say(`orders: ${index} of ${orderCount}`)
      const item = sold[index % 10 === 0 ? 0 : index % 10 < 3 ? 1 : 2]!
      const again = random() < 0.2 ? oneOf(random, ['at once', 'later'] as const) : null
      const purchase = { item, quantity: item.minimum + Math.floor(random() * (item.max - item.minimum + 1)) }
      const buyer = buyers[index % clients]!
      const submission = crypto.randomUUID()
      const order = () => buy(server, buyer, purchase, submission, timings)
      if (again) repeated++
      if (again === 'at once') await Promise.all([order(), order()])
      else await order()
      if (again === 'later') await order()
    })
    const seconds = (Date.now() - startedAt) / 1000
    const wrong = wrongOf(await env.check(false))
    const { times, statuses } = timings
    for (const [status, count] of statuses) {
      if (status >= 500 && status !== 503) wrong.push(`${count} orders returned ${status}`)
    }
    const left = await env.query('SELECT available_quantity AS left FROM instruments ORDER BY rowid')
    const accepted = await postForgedEvents(server, wrong)
    const [placed] = await env.query('SELECT count(*) AS orders, sum(quantity) AS pieces FROM orders')
    times.sort((a, b) => a - b)
    const figures = {
      clients,
      'orders requested': orderCount,
      'sent again': repeated,
      placed: Number(placed!.orders),
      pieces: Number(placed!.pieces),
      refused: env.history.short.length,
      'asked to try again (503)': statuses.get(503) ?? 0,
      'responses lost, and sent again': statuses.get(0) ?? 0,
      'without a response': env.history.unsure.length,
      'pieces left': left.map((row) => String(row.left)).join(', '),
      'ms (50 %, 95 %, 99 %)': [0.5, 0.95, 0.99]
        .map((part) => Math.round(times[Math.floor(times.length * part)]!))
        .join(', '),
      'a second': Math.round(times.length / seconds),
      'forged events accepted': accepted,
    }
    return { part: 'crowd', figures, wrong }
  } finally {
    await server.close()
  }
}

async function buy(
  server: WorkerEnvironment,
  { id: customer, cookie }: Buyer,
  { item, quantity }: { item: StockedInstrument; quantity: number },
  submission: string,
  { times, statuses }: Timings,
): Promise<void> {
  const { history } = server.env
  const attempt = { customer, instrument: item.id, submission, quantity }
  const fields = {
    submissionId: submission,
    unitPrice: '25000',
    orderQuantity: String(quantity),
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
  }
  for (let tries = 0; tries < 5; tries++) {
    const startedAt = performance.now()
    const response = await server.post(`/instruments/${item.id}`, fields, cookie).catch(() => null)
    const page = (await response?.text().catch(() => null)) ?? ''
    times.push(performance.now() - startedAt)
    const status = response?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status >= 300 && status < 400) {
      history.ordered.push({ ...attempt, order: null, shownPrice: 250_00 })
      return
    }
    if (/Cannot be more than available|just ordered these/.test(parse(page).structuredText)) {
      history.short.push(attempt)
      return
    }
    // "Try again in a moment": a customer sends the same form again.
    await wait(500)
  }
  history.unsure.push(attempt)
}

async function postForgedEvents(server: WorkerEnvironment, wrong: string[]): Promise<string> {
  const { env } = server
  const client = new Client(env.worker(), env.history, await env.person())
  const order = done(await client.order(await env.sells(), 1))
  await payWith(env.sandbox.url, done(await client.start('intent', order)))
  const { data } = await stripeAt(env.sandbox.url).events.list({ type: 'payment_intent.succeeded', limit: 1 })
  const event = data[0]!
  const before = await digest(env)
  let accepted = 0
  const tries = await forgeries(event)
  for (const { what, body, signature } of tries) {
    const { status } = await server.postEvent(body, signature)
    if (status >= 400 && status < 500) continue
    accepted++
    wrong.push(`a forged event returned ${status}: ${what}`)
  }
  if ((await digest(env)) !== before) wrong.push('a forged event wrote something')
  const genuine = await signed(event)
  const { status } = await server.postEvent(genuine.body, genuine.signature)
  const [row] = await env.query(`SELECT state FROM orders WHERE id = '${order}'`)
  if (status !== 200 || row!.state !== 'paid') wrong.push(`a genuine event returned ${status}`)
  return `${tries.length}, ${accepted}`
}
