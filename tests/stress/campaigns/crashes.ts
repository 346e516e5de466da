import { cards, payWith, type Given, type Kind } from '../card'
import { Client, type Outcome } from '../client'
import { hours } from '../clock'
import { CrashingWorker, type Side, type Step } from '../crashing-worker'
import { runConcurrently } from '../concurrency'
import { eventsAt, signed } from '../provider'
import { wrongOf, type Effort, type Report } from '../report'
import { runScheduledTasks, handleWebhookEvent } from '../store-commands'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** What happens to one order, step by step; each step is said again to a new worker when the old one has died. */
type Story = (stand: TestEnvironment) => Promise<Step[]>

const lateMoney = 'paid after it was cancelled'

const stories: Record<string, Story> = {
  'bought by checkout': (stand) => bought(stand, 'checkout'),
  'bought by intent': (stand) => bought(stand, 'intent'),
  'cancelled with an open checkout': (stand) => cancelled(stand, 'checkout'),
  'cancelled with an open intent': (stand) => cancelled(stand, 'intent'),
  'held too long, and wanted by another': expired,
  'from one way of paying to the other': changed,
  [lateMoney]: refunded,
}

interface Death {
  story: string
  at: number
  side: Side
  /** The customer gives up when the worker dies, or tries again. */
  after: 'gives up' | 'tries again'
}

/**
 * The worker dies at every point of every story, once before and once after each effect; then a new one and the cron
 * trigger go on until all is at rest. One row of the table for each point is in `points`.
 */
export async function runCrashes(effort: Effort): Promise<Report & { points: string[] }> {
  const deaths: Death[] = []
  const effects = new Map<string, string[]>()
  for (const [story, tell] of Object.entries(stories)) {
    const stand = await TestEnvironment.open()
    const mortal = new CrashingWorker()
    for (const step of await tell(stand)) await step(stand.worker(mortal.tampering))
    await stand.close()
    effects.set(story, mortal.effects)
    for (let at = 1; at <= mortal.effects.length; at++) {
      for (const side of ['before', 'after'] as const) {
        for (const after of ['gives up', 'tries again'] as const) deaths.push({ story, at, side, after })
      }
    }
  }
  // The short version takes every so many, another share for each seed.
  const every = Math.max(1, Math.round(1 / effort.scale))
  const chosen = deaths.filter((_, index) => (index + effort.seed) % every === 0)
  effort.say(`${chosen.length} of ${deaths.length} deaths`)
  const ends = await runConcurrently(4, chosen.length, (index) => die(chosen[index]!))
  const points = chosen.map(({ story, at, side, after }, index) => {
    const { state, wrong } = ends[index]!
    const effect = effects.get(story)![at - 1]!
    return `${story}: ${side} ${at}. ${effect}; customer ${after}: ${state}${wrong.length > 0 ? ' WRONG' : ''}`
  })
  const wrong = ends.flatMap((end, index) => end.wrong.map((says) => `${points[index]}\n${says}`))
  const died = ends.filter((end) => end.died).length
  const figures = { points: deaths.length / 2, tried: chosen.length, died, 'wrong in the end': wrong.length }
  return { part: 'crashes', figures, wrong, points }
}

async function die({ story, at, side, after }: Death) {
  const stand = await TestEnvironment.open()
  try {
    const mortal = new CrashingWorker(at, side)
    let worker = stand.worker(mortal.tampering)
    let survived = false
    for (const step of await stories[story]!(stand)) {
      await step(worker).catch(() => undefined)
      if (!mortal.dead || survived) continue
      if (after === 'gives up') break
      worker = stand.worker()
      survived = true
      await step(worker)
    }
    // The provider tries for three days to tell of money that nobody waits for any more.
    if (story === lateMoney) await hearAll(stand, stand.worker())
    await rest(stand)
    const rows = await stand.query('SELECT state FROM orders ORDER BY created_at, id')
    const state = rows.map((row) => String(row.state)).join(', ') || 'no order'
    return { died: mortal.dead, state, wrong: wrongOf(await stand.check()) }
  } finally {
    await stand.close()
  }
}

/** What a customer remembers between two steps. */
interface Memory {
  submission: string
  order: string | null
  given: Given | null
}

function keep<T>(outcome: Outcome<T>, remember: (value: T) => void): void {
  if (outcome.how === 'done') remember(outcome.value)
}

async function opening(stand: TestEnvironment) {
  const [who, violin] = [await stand.person(), await stand.sells({ stock: 2 })]
  const memory: Memory = { submission: crypto.randomUUID(), order: null, given: null }
  const at = (worker: Parameters<Step>[0]) => new Client(worker, stand.history, who)
  const order: Step = async (worker) => {
    const { submission } = memory
    keep(await at(worker).order(violin, 2, { submission }), (id) => (memory.order = id))
  }
  const start =
    (kind: Kind): Step =>
    async (worker) => {
      if (memory.order) keep(await at(worker).start(kind, memory.order), (given) => (memory.given = given))
    }
  const pay: Step = async () => {
    if (memory.given) await payWith(stand.sandbox.url, memory.given, cards.good)
  }
  const comesBack: Step = async (worker) => {
    if (memory.order) await at(worker).comesBack(memory.order)
  }
  const cancel: Step = async (worker) => {
    if (memory.order) await at(worker).cancel(memory.order)
  }
  const hear: Step = (worker) => hearAll(stand, worker)
  return { memory, violin, at, order, start, pay, comesBack, cancel, hear }
}

async function bought(stand: TestEnvironment, kind: Kind): Promise<Step[]> {
  const { order, start, pay, comesBack, hear, memory } = await opening(stand)
  const admin = await stand.person('admin')
  const ship: Step = async (worker) => {
    if (memory.order) await new Client(worker, stand.history, admin).ship(memory.order)
  }
  return [order, runScheduledTasks, start(kind), pay, comesBack, hear, runScheduledTasks, ship, runScheduledTasks]
}

async function cancelled(stand: TestEnvironment, kind: Kind): Promise<Step[]> {
  const { order, start, cancel, pay, hear } = await opening(stand)
  return [order, start(kind), cancel, pay, hear, runScheduledTasks]
}

async function expired(stand: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, violin, hear } = await opening(stand)
  const other = await stand.person()
  const submission = crypto.randomUUID()
  const passing =
    (milliseconds: number): Step =>
    () => {
      stand.clock.pass(milliseconds)
      return Promise.resolve()
    }
  const want: Step = (worker) => new Client(worker, stand.history, other).order(violin, 1, { submission })
  return [order, passing(stand.holdMs - hours), start('intent'), passing(hours + 1), want, pay, hear, runScheduledTasks]
}

async function changed(stand: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, comesBack } = await opening(stand)
  return [order, start('intent'), start('checkout'), start('intent'), pay, comesBack, runScheduledTasks]
}

/** The order is cancelled behind the provider's back, so that the money comes late. */
async function refunded(stand: TestEnvironment): Promise<Step[]> {
  const { order, start, pay, hear, memory } = await opening(stand)
  const cancel: Step = () => (memory.order ? stand.cancelBlindly(memory.order) : Promise.resolve())
  return [order, start('intent'), cancel, pay, hear, runScheduledTasks]
}

async function hearAll(stand: TestEnvironment, worker: Parameters<Step>[0]): Promise<void> {
  for (const event of await eventsAt(stand.sandbox.url)) {
    const { body, signature } = await signed(event)
    const told = await worker.payments.readEvent(body, signature)
    if (told) await handleWebhookEvent(worker, told)
  }
}
