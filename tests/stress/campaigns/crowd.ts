import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'node-html-parser'
import { payWith } from '../card'
import { Client, done } from '../client'
import { digest, forgeries } from './events'
import { runConcurrently } from '../concurrency'
import { signed, stripeAt } from '../provider'
import { oneOf, randomOf, scaled, wrongOf, type Effort, type Report } from '../report'
import { Served, signIn } from '../served'

const clients = 64
/** An instrument of the run: how many there are, from which minimum, and how many a customer may want. */
const shelves = [
  { stock: 1, minimum: 1, most: 1 },
  { stock: 100, minimum: 2, most: 5 },
  { stock: 3000, minimum: 1, most: 5 },
]

interface Shelf {
  id: string
  minimum: number
  most: number
}

interface Shopper {
  id: string
  cookie: string
}

/** How long each answer took, in milliseconds, and how many came with which status. */
interface Answers {
  times: number[]
  statuses: Map<number, number>
}

/**
 * 10,000 orders by 64 clients through the purchase form of the built Worker, on stocks of 1, 100 and 3,000; every fifth is
 * sent again, half of those at the same moment. Then forged events at the webhook's own door.
 */
export async function runCrowd(effort: Effort): Promise<Report> {
  const served = await Served.open(effort.say)
  const { stand } = served
  try {
    const random = randomOf(effort.seed)
    // A short run sells out as well: its stocks shrink as the crowd does.
    const share = (stock: number) => (stock > 100 ? scaled(effort, stock, 60) : stock)
    const sold: Shelf[] = []
    for (const shelf of shelves) {
      const { minimum, most } = shelf
      sold.push({ id: await stand.sells({ stock: share(shelf.stock), minimum }), minimum, most })
    }
    const shoppers = await runConcurrently(4, clients, async () => {
      const person = await stand.person()
      return { id: person.id, cookie: await signIn(stand, person) }
    })
    const wanted = scaled(effort, 10_000, 200)
    const answers: Answers = { times: [], statuses: new Map() }
    let repeated = 0
    const begun = Date.now()
    await runConcurrently(clients, wanted, async (index) => {
      if (index % 1000 === 0) effort.say(`orders: ${index} of ${wanted}`)
      const shelf = sold[index % 10 === 0 ? 0 : index % 10 < 3 ? 1 : 2]!
      const again = random() < 0.2 ? oneOf(random, ['at once', 'later'] as const) : null
      const wish = { shelf, quantity: shelf.minimum + Math.floor(random() * (shelf.most - shelf.minimum + 1)) }
      const shopper = shoppers[index % clients]!
      const submission = crypto.randomUUID()
      const order = () => buy(served, shopper, wish, submission, answers)
      if (again) repeated++
      if (again === 'at once') await Promise.all([order(), order()])
      else await order()
      if (again === 'later') await order()
    })
    const seconds = (Date.now() - begun) / 1000
    const wrong = wrongOf(await stand.check(false))
    const { times, statuses } = answers
    for (const [status, count] of statuses) {
      if (status >= 500 && status !== 503) wrong.push(`${count} orders were answered ${status}`)
    }
    const left = await stand.query('SELECT available_quantity AS left FROM instruments ORDER BY rowid')
    const accepted = await forgeAtTheDoor(served, wrong)
    const [placed] = await stand.query('SELECT count(*) AS orders, sum(quantity) AS pieces FROM orders')
    times.sort((a, b) => a - b)
    const figures = {
      clients,
      'orders wanted': wanted,
      'sent again': repeated,
      placed: Number(placed!.orders),
      pieces: Number(placed!.pieces),
      refused: stand.history.short.length,
      'told to try again (503)': statuses.get(503) ?? 0,
      'answers lost on the line, and sent again': statuses.get(0) ?? 0,
      'given up without an answer': stand.history.unsure.length,
      'pieces left': left.map((row) => String(row.left)).join(', '),
      'ms (50 %, 95 %, 99 %)': [0.5, 0.95, 0.99]
        .map((part) => Math.round(times[Math.floor(times.length * part)]!))
        .join(', '),
      'a second': Math.round(times.length / seconds),
      'forged at the door, accepted': accepted,
    }
    return { part: 'crowd', figures, wrong }
  } finally {
    await served.close()
  }
}

async function buy(
  served: Served,
  { id: customer, cookie }: Shopper,
  { shelf, quantity }: { shelf: Shelf; quantity: number },
  submission: string,
  { times, statuses }: Answers,
): Promise<void> {
  const { history } = served.stand
  const known = { customer, instrument: shelf.id, submission, quantity }
  const fields = {
    submissionId: submission,
    unitPrice: '25000',
    orderQuantity: String(quantity),
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
  }
  for (let tries = 0; tries < 5; tries++) {
    const begun = performance.now()
    const response = await served.post(`/instruments/${shelf.id}`, fields, cookie).catch(() => null)
    const page = (await response?.text().catch(() => null)) ?? ''
    times.push(performance.now() - begun)
    const status = response?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status >= 300 && status < 400) {
      history.ordered.push({ ...known, order: null, shown: 250_00 })
      return
    }
    if (/Cannot be more than available|a moment faster/.test(parse(page).structuredText)) {
      history.short.push(known)
      return
    }
    // "Try again in a moment": with the same form, as a customer does.
    await wait(500)
  }
  history.unsure.push(known)
}

/** Answers how many were let in; a genuine one must be, last of all. */
async function forgeAtTheDoor(served: Served, wrong: string[]): Promise<string> {
  const { stand } = served
  const client = new Client(stand.worker(), stand.history, await stand.person())
  const order = done(await client.order(await stand.sells(), 1))
  await payWith(stand.sandbox.url, done(await client.start('intent', order)))
  const { data } = await stripeAt(stand.sandbox.url).events.list({ type: 'payment_intent.succeeded', limit: 1 })
  const event = data[0]!
  const before = await digest(stand)
  let accepted = 0
  const tries = await forgeries(event)
  for (const { what, body, signature } of tries) {
    const { status } = await served.tell(body, signature)
    if (status >= 400 && status < 500) continue
    accepted++
    wrong.push(`a forged event was answered ${status}: ${what}`)
  }
  if ((await digest(stand)) !== before) wrong.push('a forged event wrote something')
  const genuine = await signed(event)
  const { status } = await served.tell(genuine.body, genuine.signature)
  const [row] = await stand.query(`SELECT state FROM orders WHERE id = '${order}'`)
  if (status !== 200 || row!.state !== 'paid') wrong.push(`a genuine event was answered ${status}`)
  return `${tries.length}, ${accepted}`
}
