import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../../app/store/deps'
import { payWith, type Kind } from '../card'
import { Client, done } from '../client'
import { runConcurrently } from '../concurrency'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** Milliseconds between the two requests, beside the head start. */
const offsets = [-6, -2, 0, 2, 6]

interface RaceSetup {
  env: TestEnvironment
  worker: Deps
  kind: Kind
  offset: number
}

type Winner = 'paid' | 'cancelled' | 'both' | 'neither'

/** Two operations that exclude each other, and the head start in milliseconds that makes the race even. */
const races = {
  'cancel against pay': { race: cancelAgainstPay, initialHeadStart: -20 },
  'expiry against pay': { race: expiryAgainstPay, initialHeadStart: -60 },
  'ship against cancel': { race: shipAgainstCancel, initialHeadStart: 0 },
  'checkout against intent': { race: payTwoWays, initialHeadStart: -20 },
}

/** 1,000 races of cancel against pay at full scale, a third of that for the others. */
export function runRaces(effort: Effort): Promise<Report> {
  return TestEnvironment.use(async (env) => {
    const worker = env.worker()
    const figures: Report['figures'] = {}
    const wrong: string[] = []
    for (const [name, { race, initialHeadStart }] of Object.entries(races)) {
      const times = scaled(effort, name === 'cancel against pay' ? 1000 : 330, 10)
      effort.say(`${name}: ${times}`)
      // The head start adapts to which operation wins.
      const headStart = { checkout: initialHeadStart, intent: initialHeadStart }
      const winners = await runConcurrently(6, times, async (index) => {
        const kind = index % 2 ? 'intent' : 'checkout'
        const offset = headStart[kind] + offsets[Math.floor(index / 2) % offsets.length]!
        const winner = await race({ env, worker, kind, offset })
        headStart[kind] += (winner === 'paid' ? -1 : 1) * Math.max(2, 12 - index / 4)
        return winner
      })
      const count = (winner: Winner) => winners.filter((one) => one === winner).length
      figures[name] = `${times}: paid ${count('paid')}, cancelled ${count('cancelled')}`
      for (const bad of ['both', 'neither'] as const) {
        if (count(bad) > 0) wrong.push(`${name}: ${bad} in ${count(bad)} of ${times} races`)
      }
      const [refunds] = await env.query('SELECT count(*) AS needed FROM refunds')
      if (name === 'cancel against pay' && refunds!.needed !== 0)
        wrong.push(`${name}: ${String(refunds!.needed)} refunds`)
    }
    await rest(env, worker)
    wrong.push(...wrongOf(await env.check()))
    const [refunds] = await env.query('SELECT count(*) AS needed, count(refund_id) AS made FROM refunds')
    figures.refunds = `needed ${String(refunds!.needed)}, made ${String(refunds!.made)}`
    return { part: 'races', figures, wrong }
  })
}

async function openPayment({ env, worker, kind }: RaceSetup) {
  const client = new Client(worker, env.history, await env.person())
  const violin = await env.sells({ stock: 1 })
  const order = done(await client.order(violin, 1))
  return { client, violin, order, handle: done(await client.start(kind, order)) }
}

async function cancelAgainstPay(setup: RaceSetup): Promise<Winner> {
  const { client, order, handle } = await openPayment(setup)
  await runWithOffset(
    setup.offset,
    () => payWith(setup.env.sandbox.url, handle),
    () => client.cancel(order),
  )
  await client.returnFromPayment(order)
  return winnerOf(setup, order)
}

async function expiryAgainstPay(setup: RaceSetup): Promise<Winner> {
  const { env, worker } = setup
  const { client, order, handle, violin } = await openPayment(setup)
  await env.sql(
    { sql: 'DROP TRIGGER IF EXISTS orders_keep_their_terms' },
    { sql: 'UPDATE orders SET hold_until = 1 WHERE id = ?', args: [order] },
  )
  const other = new Client(worker, env.history, await env.person())
  await runWithOffset(
    setup.offset,
    () => payWith(env.sandbox.url, handle),
    () => other.order(violin, 1),
  )
  await client.returnFromPayment(order)
  return winnerOf(setup, order)
}

async function shipAgainstCancel(setup: RaceSetup): Promise<Winner> {
  const { env, worker } = setup
  const { client, order, handle } = await openPayment(setup)
  const admin = new Client(worker, env.history, await env.person('admin'))
  const ship = async () => {
    await client.returnFromPayment(order)
    await admin.ship(order)
  }
  const pay = setup.kind === 'checkout' || setup.offset >= 0
  if (pay) await payWith(env.sandbox.url, handle)
  await runWithOffset(setup.offset, ship, () => client.cancel(order))
  return winnerOf(setup, order)
}

async function payTwoWays(setup: RaceSetup): Promise<Winner> {
  const { client, order, handle } = await openPayment(setup)
  const { url } = setup.env.sandbox
  await runWithOffset(
    setup.offset,
    () => payWith(url, handle),
    async () => {
      const other = await client.start(setup.kind === 'intent' ? 'checkout' : 'intent', order)
      if (other.how === 'done') await payWith(url, other.value)
    },
  )
  await client.returnFromPayment(order)
  return winnerOf(setup, order)
}

async function runWithOffset(
  offset: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const later = async (ms: number, act: () => Promise<unknown>) => {
    if (ms > 0) await wait(ms)
    await act()
  }
  await Promise.all([later(-offset, first), later(offset, second)])
}

/** Throws unless the order's state and the provider's ledger agree on exactly one winner. */
async function winnerOf({ env }: RaceSetup, order: string): Promise<Winner> {
  const [row] = await env.query(`SELECT state FROM orders WHERE id = '${order}'`)
  const paid = row!.state === 'paid' || row!.state === 'shipped'
  const isCancelled = env.history.cancelled.some((entry) => entry.order === order)
  if (paid && isCancelled) return 'both'
  return paid ? 'paid' : row!.state === 'cancelled' ? 'cancelled' : 'neither'
}
