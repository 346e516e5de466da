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

/** The sandbox scans all of its objects on each call, so an environment is replaced after this many. */
const lifetimesPerEnv = 60

/** Six events in any order, duplicated and delayed, lead to one final state; forged events fail. */
export async function runEvents(effort: Effort): Promise<Report> {
  const random = randomOf(effort.seed)
  const all = permutations([0, 1, 2, 3, 4, 5])
  const count = Math.min(all.length, scaled(effort, all.length, 12))
  const selected = Array.from({ length: count }, (_, index) => all[(index * 397 + effort.seed) % all.length]!)
  const ends = new Set<string>()
  const wrong: string[] = []
  let deliveries = 0
  let forgedCount = 0
  for (let from = 0; from < count; from += lifetimesPerEnv) {
    effort.say(`orders of arrival: ${from} of ${count}`)
    const deliverSome = async (env: TestEnvironment) => {
      for (const arrival of selected.slice(from, from + lifetimesPerEnv)) {
        const life = await live(env)
        deliveries += await deliver(env, life, arrival, random)
        ends.add(await finalStateOf(env, life.order))
      }
      forgedCount += await forge(env, wrong)
      await rest(env)
      wrong.push(...wrongOf(await env.check()))
    }
    await TestEnvironment.use(deliverSome, { holdMs: 0 })
  }
  if (ends.size !== 1) wrong.push(`${ends.size} final states: ${[...ends].join(' | ')}`)
  const figures = {
    'orders of arrival': count,
    deliveries,
    'final states': ends.size,
    forged: forgedCount,
    accepted: wrong.length,
  }
  return { part: 'events', figures, wrong }
}

interface Life {
  client: Client
  order: string
  events: Stripe.Event[]
}

async function live(env: TestEnvironment): Promise<Life> {
  const client = new Client(env.worker(), env.history, await env.person())
  const order = done(await client.order(await env.sells(), 1))
  await client.start('intent', order)
  const handle = done(await client.start('checkout', order))
  await payWith(env.sandbox.url, handle, cards.declined)
  await payWith(env.sandbox.url, handle)
  const { data } = await stripeAt(env.sandbox.url).events.list({ limit: 20 })
  const events = data.filter((event) => orderOf(event.data.object) === order).reverse()
  if (events.length !== 6) throw new Error(`Not six events: ${events.map(({ type }) => type).join(', ')}`)
  return { client, order, events }
}

async function deliver(env: TestEnvironment, life: Life, arrival: number[], random: () => number): Promise<number> {
  const worker = env.worker()
  const back = Math.floor(random() * 9) - 1
  const queue = arrival.flatMap((index) => (random() < 0.4 ? [index, index] : [index]))
  if (random() < 0.5) queue.push(...queue.slice(0, 2))
  for (const [place, index] of queue.entries()) {
    if (place === back) await life.client.returnFromPayment(life.order)
    env.clock.advance(random() * 12 * 60 * minutes)
    const { body, signature } = await signed(life.events[index]!)
    const event = await worker.payments.readEvent(body, signature)
    if (!event) throw new Error('A genuine event was refused')
    await handleWebhookEvent(worker, event)
  }
  return queue.length
}

async function finalStateOf(env: TestEnvironment, order: string): Promise<string> {
  const [row] = await env.query(`SELECT state,
    (SELECT group_concat(event, ', ') FROM (SELECT event FROM audit_log WHERE order_id = o.id ORDER BY id)) AS life,
    (SELECT count(*) FROM refunds WHERE order_id = o.id) AS refunds,
    (SELECT count(*) FROM payment_attempts WHERE order_id = o.id AND state <> 'closed') AS open
    FROM orders o WHERE id = '${order}'`)
  return JSON.stringify(row)
}

async function forgeries(event: Stripe.Event): Promise<(Partial<SignedEvent> & { what: string; body: string })[]> {
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

async function forge(env: TestEnvironment, wrong: string[]): Promise<number> {
  const { data } = await stripeAt(env.sandbox.url).events.list({ limit: 1 })
  const tries = await forgeries(data[0]!)
  const before = await digest(env)
  for (const { what, body, signature = null } of tries) {
    const event = await env.worker().payments.readEvent(body, signature)
    if (event) wrong.push(`a forged event was accepted: ${what}`)
  }
  if ((await digest(env)) !== before) wrong.push('a forged event wrote something')
  return tries.length
}

async function digest(env: Pick<TestEnvironment, 'query'>): Promise<string> {
  const tables = ['orders', 'audit_log', 'payment_attempts', 'refunds', 'webhook_events', 'instruments']
  const rows = await Promise.all(tables.map((table) => env.query(`SELECT * FROM ${table} ORDER BY 1, 2`)))
  // An email may be sent at the same time, so only the ids count.
  return JSON.stringify([...rows, await env.query('SELECT id FROM emails ORDER BY id')])
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
