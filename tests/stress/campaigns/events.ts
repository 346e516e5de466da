import type Stripe from 'stripe'
import { stripeWebhookSecret } from '../../../sandbox/keys'
import { cards, payWith } from '../card'
import { Client, done } from '../client'
import { minutes } from '../clock'
import { orderOf, signed, stripeAt, type SignedEvent } from '../provider'
import { randomOf, scaled, wrongOf, type Effort, type Report } from '../report'
import { handleWebhookEvent } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** How many lives one stand sees: the provider looks through all it knows for each call. */
const livesOfAStand = 60

/**
 * The six events of one order's life in every order of arrival, doubled and delayed, while the customer comes back before,
 * between, after, or never: one final state. And forged events: none is accepted.
 */
export async function runEvents(effort: Effort): Promise<Report> {
  const random = randomOf(effort.seed)
  const all = permutations([0, 1, 2, 3, 4, 5])
  const count = Math.min(all.length, scaled(effort, all.length, 12))
  // The short version takes others for each seed.
  const chosen = Array.from({ length: count }, (_, index) => all[(index * 397 + effort.seed) % all.length]!)
  const ends = new Set<string>()
  const wrong: string[] = []
  let deliveries = 0
  let forged = 0
  for (let from = 0; from < count; from += livesOfAStand) {
    effort.say(`orders of arrival: ${from} of ${count}`)
    const stand = await TestEnvironment.open({ holdMs: 0 })
    try {
      for (const arrival of chosen.slice(from, from + livesOfAStand)) {
        const life = await live(stand)
        deliveries += await deliver(stand, life, arrival, random)
        ends.add(await endOf(stand, life.order))
      }
      forged += await forge(stand, wrong)
      await rest(stand)
      wrong.push(...wrongOf(await stand.check()))
    } finally {
      await stand.close()
    }
  }
  if (ends.size !== 1) wrong.push(`${ends.size} final states: ${[...ends].join(' | ')}`)
  const figures = { 'orders of arrival': count, deliveries, 'final states': ends.size, forged, accepted: wrong.length }
  return { part: 'events', figures, wrong }
}

interface Life {
  client: Client
  order: string
  events: Stripe.Event[]
}

/** An intent that gives way to a checkout, a declined card, and a good one: what the shop does not know of yet. */
async function live(stand: TestEnvironment): Promise<Life> {
  const client = new Client(stand.worker(), stand.history, await stand.person())
  const order = done(await client.order(await stand.sells(), 1))
  await client.start('intent', order)
  const given = done(await client.start('checkout', order))
  await payWith(stand.sandbox.url, given, cards.declined)
  await payWith(stand.sandbox.url, given)
  const { data } = await stripeAt(stand.sandbox.url).events.list({ limit: 20 })
  const events = data.filter((event) => orderOf(event.data.object) === order).reverse()
  if (events.length !== 6) throw new Error(`Not six events: ${events.map(({ type }) => type).join(', ')}`)
  return { client, order, events }
}

async function deliver(stand: TestEnvironment, life: Life, arrival: number[], random: () => number): Promise<number> {
  const worker = stand.worker()
  const back = Math.floor(random() * 9) - 1
  const queue = arrival.flatMap((index) => (random() < 0.4 ? [index, index] : [index]))
  if (random() < 0.5) queue.push(...queue.slice(0, 2))
  for (const [place, index] of queue.entries()) {
    if (place === back) await life.client.comesBack(life.order)
    stand.clock.pass(random() * 12 * 60 * minutes)
    const { body, signature } = await signed(life.events[index]!)
    const told = await worker.payments.readEvent(body, signature)
    if (!told) throw new Error('A genuine event was refused')
    await handleWebhookEvent(worker, told)
  }
  return queue.length
}

/** What there is to say of an order in the end, without its names. */
async function endOf(stand: TestEnvironment, order: string): Promise<string> {
  const [row] = await stand.query(`SELECT state,
    (SELECT group_concat(event, ', ') FROM (SELECT event FROM audit_log WHERE order_id = o.id ORDER BY id)) AS life,
    (SELECT count(*) FROM refunds WHERE order_id = o.id) AS refunds,
    (SELECT count(*) FROM payment_attempts WHERE order_id = o.id AND state <> 'closed') AS open
    FROM orders o WHERE id = '${order}'`)
  return JSON.stringify(row)
}

/** None of these is from the provider. */
export async function forgeries(
  event: Stripe.Event,
): Promise<(Partial<SignedEvent> & { what: string; body: string })[]> {
  const genuine = await signed(event)
  const stale = await signed(event, { age: 400 })
  const [time = '', code = ''] = genuine.signature.split(',')
  return [
    { what: 'signed with a guess', ...(await signed(event, { secret: 'whsec_guessed' })) },
    { what: 'signed for another endpoint', ...(await signed(event, { secret: `${stripeWebhookSecret}2` })) },
    { what: 'signed with no secret', ...(await signed(event, { secret: ' ' })) },
    { what: 'edited', ...genuine, body: genuine.body.replace('"livemode":false', '"livemode":true') },
    { what: 'longer by a space', ...genuine, body: `${genuine.body} ` },
    { what: 'a megabyte', ...genuine, body: genuine.body + ' '.repeat(1024 * 1024) },
    { what: 'stale', ...stale },
    { what: 'stale, with the time made new', ...stale, signature: stale.signature.replace(/t=\d+/, time) },
    { what: 'not signed', body: genuine.body },
    { what: 'signed with nothing', body: genuine.body, signature: '' },
    { what: 'only a time', body: genuine.body, signature: time },
    { what: 'only a code', body: genuine.body, signature: code },
    { what: 'an old scheme', body: genuine.body, signature: genuine.signature.replace('v1=', 'v0=') },
    { what: 'of another event', ...genuine, body: JSON.stringify({ ...event, id: 'evt_other' }) },
  ]
}

async function forge(stand: TestEnvironment, wrong: string[]): Promise<number> {
  const { data } = await stripeAt(stand.sandbox.url).events.list({ limit: 1 })
  const tries = await forgeries(data[0]!)
  const before = await digest(stand)
  for (const { what, body, signature = null } of tries) {
    const told = await stand.worker().payments.readEvent(body, signature)
    if (told) wrong.push(`a forged event was accepted: ${what}`)
  }
  if ((await digest(stand)) !== before) wrong.push('a forged event wrote something')
  return tries.length
}

/** Changes whenever a row of the shop's books does. */
export async function digest(stand: Pick<TestEnvironment, 'query'>): Promise<string> {
  const tables = ['orders', 'audit_log', 'payment_attempts', 'refunds', 'webhook_events', 'instruments']
  const rows = await Promise.all(tables.map((table) => stand.query(`SELECT * FROM ${table} ORDER BY 1, 2`)))
  // A letter may be on its way meanwhile: only whether there is another one counts.
  return JSON.stringify([...rows, await stand.query('SELECT id FROM emails ORDER BY id')])
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
