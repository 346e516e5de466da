import { cards, payWith, type PaymentHandle, type Kind } from '../card'
import { Client, type Outcome } from '../client'
import { hours } from '../clock'
import { CrashingWorker, type Side, type Step } from '../crashing-worker'
import { runConcurrently } from '../concurrency'
import { eventsAt, signed, stripeAt } from '../provider'
import { wrongOf, type Effort, type Report } from '../report'
import { runScheduledTasks, handleWebhookEvent } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** The steps of one order; a step is repeated on a new worker when the old one has crashed. */
type Scenario = (env: TestEnvironment) => Promise<Step[]>

const lateMoney = 'paid after it was cancelled'

const scenarios: Record<string, Scenario> = {
  'bought by checkout': (env) => bought(env, 'checkout'),
  'bought by intent': (env) => bought(env, 'intent'),
  'cancelled with an open checkout': (env) => cancelled(env, 'checkout'),
  'cancelled with an open intent': (env) => cancelled(env, 'intent'),
  'expired, and ordered by another customer': expired,
  'switched between checkout and intent': changed,
  [lateMoney]: refunded,
  'refunded in part': (env) => refundedInPart(env, false),
  'refunded while a refund is made elsewhere': (env) => refundedInPart(env, true),
}

interface CrashPoint {
  scenario: string
  at: number
  side: Side
  after: 'gives up' | 'tries again'
}

/** Crashes the worker before and after each effect of every scenario, then lets a new worker finish. */
export async function runCrashes(effort: Effort): Promise<Report & { points: string[] }> {
  const crashPoints: CrashPoint[] = []
  const effects = new Map<string, string[]>()
  for (const [scenario, makeSteps] of Object.entries(scenarios)) {
    const env = await TestEnvironment.open()
    const crashing = new CrashingWorker()
    for (const step of await makeSteps(env)) await step(env.worker(crashing.tampering))
    await env.close()
    effects.set(scenario, crashing.effects)
    for (let at = 1; at <= crashing.effects.length; at++) {
      for (const side of ['before', 'after'] as const) {
        for (const after of ['gives up', 'tries again'] as const) crashPoints.push({ scenario, at, side, after })
      }
    }
  }
  // The short version takes a different share for each seed.
  const every = Math.max(1, Math.round(1 / effort.scale))
  const selected = crashPoints.filter((_, index) => (index + effort.seed) % every === 0)
  effort.say(`${selected.length} of ${crashPoints.length} deaths`)
  const ends = await runConcurrently(4, selected.length, (index) => runCrash(selected[index]!))
  const points = selected.map(({ scenario, at, side, after }, index) => {
    const { state, wrong } = ends[index]!
    const effect = effects.get(scenario)![at - 1]!
    return `${scenario}: ${side} ${at}. ${effect}; customer ${after}: ${state}${wrong.length > 0 ? ' WRONG' : ''}`
  })
  const wrong = ends.flatMap((end, index) => end.wrong.map((message) => `${points[index]}\n${message}`))
  const died = ends.filter((end) => end.died).length
  const figures = { points: crashPoints.length / 2, tried: selected.length, died, 'wrong in the end': wrong.length }
  return { part: 'crashes', figures, wrong, points }
}

function runCrash({ scenario, at, side, after }: CrashPoint) {
  return TestEnvironment.use(async (env) => {
    const crashing = new CrashingWorker(at, side)
    let worker = env.worker(crashing.tampering)
    let survived = false
    for (const step of await scenarios[scenario]!(env)) {
      await step(worker).catch(() => undefined)
      if (!crashing.dead || survived) continue
      if (after === 'gives up') break
      worker = env.worker()
      survived = true
      await step(worker)
    }
    // Stripe retries a webhook for three days.
    if (scenario === lateMoney) await deliverAllEvents(env, env.worker())
    await rest(env)
    const rows = await env.query('SELECT state FROM orders ORDER BY created_at, id')
    const state = rows.map((row) => String(row.state)).join(', ') || 'no order'
    return { died: crashing.dead, state, wrong: wrongOf(await env.check()) }
  })
}

interface Progress {
  submission: string
  order: string | null
  handle: PaymentHandle | null
}

function keep<T>(outcome: Outcome<T>, save: (value: T) => void): void {
  if (outcome.how === 'done') save(outcome.value)
}

async function setUp(env: TestEnvironment) {
  const [who, violin] = [await env.person(), await env.sells({ stock: 2 })]
  const progress: Progress = { submission: crypto.randomUUID(), order: null, handle: null }
  const at = (worker: Parameters<Step>[0]) => new Client(worker, env.history, who)
  const order: Step = async (worker) => {
    const { submission } = progress
    keep(await at(worker).order(violin, 2, { submission }), (id) => (progress.order = id))
  }
  const start =
    (kind: Kind): Step =>
    async (worker) => {
      if (progress.order) keep(await at(worker).start(kind, progress.order), (handle) => (progress.handle = handle))
    }
  const pay: Step = async () => {
    if (progress.handle) await payWith(env.sandbox.url, progress.handle, cards.good)
  }
  const returnFromPayment: Step = async (worker) => {
    if (progress.order) await at(worker).returnFromPayment(progress.order)
  }
  const cancel: Step = async (worker) => {
    if (progress.order) await at(worker).cancel(progress.order)
  }
  const deliverEvents: Step = (worker) => deliverAllEvents(env, worker)
  return { progress, violin, at, order, start, pay, returnFromPayment, cancel, deliverEvents }
}

async function bought(env: TestEnvironment, kind: Kind): Promise<Step[]> {
  const { order, start, pay, returnFromPayment, deliverEvents, progress } = await setUp(env)
  const admin = await env.person('admin')
  const ship: Step = async (worker) => {
    if (progress.order) await new Client(worker, env.history, admin).ship(progress.order)
  }
  return [
    order,
    runScheduledTasks,
    start(kind),
    pay,
    returnFromPayment,
    deliverEvents,
    runScheduledTasks,
    ship,
    runScheduledTasks,
  ]
}

async function refundedInPart(env: TestEnvironment, elsewhere: boolean): Promise<Step[]> {
  const { order, start, pay, returnFromPayment, progress } = await setUp(env)
  const admin = await env.person('admin')
  const form = { amount: 400_00, restock: 1, submission: crypto.randomUUID() }
  const refund: Step = async (worker) => {
    if (progress.order) await new Client(worker, env.history, admin).refund(progress.order, form)
  }
  const refundElsewhere: Step = async () => {
    const [row] = await env.query('SELECT id, transaction_id FROM orders WHERE transaction_id IS NOT NULL')
    if (!elsewhere || !row) return
    const stripe = stripeAt(env.sandbox.url)
    await stripe.refunds.create({ payment_intent: String(row.transaction_id), amount: 200_00 })
    env.history.refundedElsewhere.push({ order: String(row.id), amount: 200_00 })
  }
  return [order, start('intent'), pay, returnFromPayment, refundElsewhere, refund, runScheduledTasks]
}

async function cancelled(env: TestEnvironment, kind: Kind): Promise<Step[]> {
  const { order, start, cancel, pay, deliverEvents } = await setUp(env)
  return [order, start(kind), cancel, pay, deliverEvents, runScheduledTasks]
}

async function expired(env: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, violin, deliverEvents } = await setUp(env)
  const other = await env.person()
  const submission = crypto.randomUUID()
  const passing =
    (milliseconds: number): Step =>
    () => {
      env.clock.advance(milliseconds)
      return Promise.resolve()
    }
  const orderElsewhere: Step = (worker) => new Client(worker, env.history, other).order(violin, 1, { submission })
  return [
    order,
    passing(env.holdMs - hours),
    start('intent'),
    passing(hours + 1),
    orderElsewhere,
    pay,
    deliverEvents,
    runScheduledTasks,
  ]
}

async function changed(env: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, returnFromPayment } = await setUp(env)
  return [order, start('intent'), start('checkout'), start('intent'), pay, returnFromPayment, runScheduledTasks]
}

async function refunded(env: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, deliverEvents, progress } = await setUp(env)
  const cancel: Step = () => (progress.order ? env.cancelBlindly(progress.order) : Promise.resolve())
  return [order, start('intent'), cancel, pay, deliverEvents, runScheduledTasks]
}

async function deliverAllEvents(env: TestEnvironment, worker: Parameters<Step>[0]): Promise<void> {
  for (const event of await eventsAt(env.sandbox.url)) {
    const { body, signature } = await signed(event)
    const webhookEvent = await worker.payments.readEvent(body, signature)
    if (webhookEvent) await handleWebhookEvent(worker, webhookEvent)
  }
}
