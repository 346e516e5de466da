import { payWith } from '../card'
import { Client } from '../client'
import { minutes } from '../clock'
import { eventsAt, misbehave, orderOf, signed } from '../provider'
import { oneOf, randomOf, scaled, wrongOf, type Effort, type Report } from '../report'
import { runScheduledTasks, handleWebhookEvent } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** How the provider misbehaves: before the call has its effect, or after. */
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

/** What becomes of the provider's messages. */
const posts = ['taken', 'dropped', 'doubled', 'late', 'reordered'] as const

/** Customers buy, change their minds and give up, while the provider fails in every way; then it is well again. */
export async function runProviderFaults(effort: Effort): Promise<Report> {
  const random = randomOf(effort.seed)
  const checkouts = scaled(effort, 600, 20)
  const groups = Math.ceil(checkouts / 20)
  const wrong: string[] = []
  const sums = { checkouts: 0, charged: 0, paid: 0, 'sent back': 0 }
  for (let group = 0; group < groups; group++) {
    if (group % 5 === 0) effort.say(`checkouts under faults: ${group * 20} of ${checkouts}`)
    const stand = await TestEnvironment.open()
    try {
      // One after the other: the faults are those of the whole provider.
      for (let customer = 0; customer < 20; customer++) await misadventure(stand, random)
      await misbehave(stand.sandbox.url, null)
      await rest(stand)
      // An attempt that waits is looked at again within six hours.
      await rest(stand, stand.worker(), [6 * 60 * minutes, 10 * minutes, 6 * 60 * minutes])
      wrong.push(...wrongOf(await stand.check()))
      const [row] = await stand.query(`SELECT
        (SELECT count(*) FROM orders) AS made,
        (SELECT count(*) FROM orders WHERE state = 'paid') AS paid,
        (SELECT count(*) FROM refunds) AS back`)
      sums.checkouts += Number(row!.made)
      sums.paid += Number(row!.paid)
      sums['sent back'] += Number(row!.back)
      sums.charged += stand.history.charged
    } finally {
      await stand.close()
    }
  }
  const figures = { ...sums, 'neither delivered nor sent back': sums.charged - sums.paid - sums['sent back'] }
  return { part: 'provider faults', figures, wrong }
}

async function misadventure(stand: TestEnvironment, random: () => number): Promise<void> {
  const worker = stand.worker()
  const client = new Client(worker, stand.history, await stand.person())
  const made = await client.order(await stand.sells(), 1)
  if (made.how !== 'done') throw new Error('No provider is needed to order')
  const order = made.value
  const spoil = async () => {
    const only = oneOf(random, calls)
    await misbehave(stand.sandbox.url, null)
    await misbehave(stand.sandbox.url, {
      stripe: { only, failNext: 1 + Math.floor(random() * 3), ...oneOf(random, faults) },
    })
  }
  const well = () => misbehave(stand.sandbox.url, null)

  let late = false
  for (let tries = 0; tries < 3; tries++) {
    if (random() < 0.8) await spoil()
    const given = await client.start(oneOf(random, ['checkout', 'intent'] as const), order)
    if (given.how !== 'done' || random() < 0.2) continue
    await well()
    // Only its events can tell the shop of such money: it is sure that the attempt was closed at the provider as well.
    late = random() < 0.15
    if (late) await stand.cancelBlindly(order)
    if ((late || random() < 0.75) && (await payWith(stand.sandbox.url, given.value))) stand.history.charged++
    break
  }
  if (random() < 0.5) await spoil()
  if (random() < 0.5) await client.comesBack(order)
  if (random() < 0.5) await spoil()
  if (random() < 0.4) await client.cancel(order)
  if (random() < 0.5) await runScheduledTasks(worker).catch(() => undefined)
  const how = oneOf(random, posts)
  await post(stand, order, late && how === 'dropped' ? 'taken' : how)
}

async function post(stand: TestEnvironment, order: string, how: (typeof posts)[number]): Promise<void> {
  if (how === 'dropped') return
  if (how === 'late') stand.clock.pass(10 * minutes)
  await misbehave(stand.sandbox.url, null)
  const its = (await eventsAt(stand.sandbox.url)).filter(({ data }) => orderOf(data.object) === order)
  if (how === 'reordered') its.reverse()
  const worker = stand.worker()
  for (const event of how === 'doubled' ? [...its, ...its] : its) {
    const { body, signature } = await signed(event)
    const told = await worker.payments.readEvent(body, signature)
    if (told) await handleWebhookEvent(worker, told).catch(() => undefined)
  }
}
