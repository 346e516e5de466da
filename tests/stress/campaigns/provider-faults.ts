import { payWith } from '../card'
import { Client } from '../client'
import { minutes } from '../clock'
import { eventsAt, misbehave, orderOf, signed } from '../provider'
import { oneOf, randomOf, scaled, wrongOf, type Effort, type Report } from '../report'
import { runScheduledTasks, handleWebhookEvent } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

const faults = [
  { status: 500 },
  { status: 500, when: 'after' },
  { status: 503 },
  { status: 503, when: 'after' },
  { status: 429 },
  { status: 409 },
  { answer: 'reset' },
  { answer: 'reset', when: 'after' },
  { answer: 'garbage' },
  { answer: 'garbage', when: 'after' },
]

const calls = [
  'POST /v1/payment_intents',
  'POST /v1/checkout/sessions',
  'GET /v1/payment_intents',
  'GET /v1/checkout/sessions',
  'POST /v1/refunds',
  'GET /v1/refunds',
  null,
]

const deliveryModes = ['taken', 'dropped', 'doubled', 'late', 'reordered'] as const

export async function runProviderFaults(effort: Effort): Promise<Report> {
  const random = randomOf(effort.seed)
  const checkouts = scaled(effort, 600, 20)
  const groups = Math.ceil(checkouts / 20)
  const wrong: string[] = []
  const sums = { checkouts: 0, charged: 0, paid: 0, refunded: 0 }
  for (let group = 0; group < groups; group++) {
    if (group % 5 === 0) effort.say(`checkouts under faults: ${group * 20} of ${checkouts}`)
    await TestEnvironment.use(async (env) => {
      // One after the other, because a fault applies to the whole provider.
      for (let customer = 0; customer < 20; customer++) await buyWithFaults(env, random)
      await misbehave(env.sandbox.url, null)
      await rest(env)
      // A pending attempt is checked again within six hours.
      await rest(env, env.worker(), [6 * 60 * minutes, 10 * minutes, 6 * 60 * minutes])
      wrong.push(...wrongOf(await env.check()))
      const [row] = await env.query(`SELECT
        (SELECT count(*) FROM orders) AS made,
        (SELECT count(*) FROM orders WHERE state = 'paid') AS paid,
        (SELECT count(*) FROM refunds) AS back`)
      sums.checkouts += Number(row!.made)
      sums.paid += Number(row!.paid)
      sums.refunded += Number(row!.back)
      sums.charged += env.history.charged
    })
  }
  const figures = { ...sums, 'neither delivered nor refunded': sums.charged - sums.paid - sums.refunded }
  return { part: 'provider faults', figures, wrong }
}

async function buyWithFaults(env: TestEnvironment, random: () => number): Promise<void> {
  const worker = env.worker()
  const client = new Client(worker, env.history, await env.person())
  const made = await client.order(await env.sells(), 1)
  if (made.how !== 'done') throw new Error('No provider is needed to order')
  const order = made.value
  const breakProvider = async () => {
    const only = oneOf(random, calls)
    await misbehave(env.sandbox.url, null)
    await misbehave(env.sandbox.url, {
      stripe: { only, failNext: 1 + Math.floor(random() * 3), ...oneOf(random, faults) },
    })
  }
  const clearFaults = () => misbehave(env.sandbox.url, null)

  let late = false
  for (let tries = 0; tries < 3; tries++) {
    if (random() < 0.8) await breakProvider()
    const handle = await client.start(oneOf(random, ['checkout', 'intent'] as const), order)
    if (handle.how !== 'done' || random() < 0.2) continue
    await clearFaults()
    // Only webhook events can report this money: the shop is sure that the attempt was closed.
    late = random() < 0.15
    if (late) await env.cancelBlindly(order)
    if ((late || random() < 0.75) && (await payWith(env.sandbox.url, handle.value))) env.history.charged++
    break
  }
  if (random() < 0.5) await breakProvider()
  if (random() < 0.5) await client.returnFromPayment(order)
  if (random() < 0.5) await breakProvider()
  if (random() < 0.4) await client.cancel(order)
  if (random() < 0.5) await runScheduledTasks(worker).catch(() => undefined)
  const how = oneOf(random, deliveryModes)
  await post(env, order, late && how === 'dropped' ? 'taken' : how)
}

async function post(env: TestEnvironment, order: string, how: (typeof deliveryModes)[number]): Promise<void> {
  if (how === 'dropped') return
  if (how === 'late') env.clock.advance(10 * minutes)
  await misbehave(env.sandbox.url, null)
  const its = (await eventsAt(env.sandbox.url)).filter(({ data }) => orderOf(data.object) === order)
  if (how === 'reordered') its.reverse()
  const worker = env.worker()
  for (const event of how === 'doubled' ? [...its, ...its] : its) {
    const { body, signature } = await signed(event)
    const webhookEvent = await worker.payments.readEvent(body, signature)
    if (webhookEvent) await handleWebhookEvent(worker, webhookEvent).catch(() => undefined)
  }
}
