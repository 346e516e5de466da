import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../../../app/store/deps'
import { payWith, type Kind } from '../card'
import { Client, done } from '../client'
import { runConcurrently } from '../concurrency'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

/** Milliseconds by which the second of two comes later than the moment at which either may win. */
const offsets = [-6, -2, 0, 2, 6]

interface Lane {
  stand: TestEnvironment
  worker: Deps
  kind: Kind
  offset: number
}

type Winner = 'paid' | 'cancelled' | 'both' | 'neither'

/** Two things that exclude each other, and by how many milliseconds the second needs a start to be even. */
const games = {
  'cancel against pay': { play: cancelAgainstPay, likely: -20 },
  'expiry against pay': { play: expiryAgainstPay, likely: -60 },
  'ship against cancel': { play: shipAgainstCancel, likely: 0 },
  'one way of paying against the other': { play: twoWays, likely: -20 },
}

/** Two things at the same moment, of which only one may come true; 1,000 times cancel against pay, the others a third. */
export async function runRaces(effort: Effort): Promise<Report> {
  const stand = await TestEnvironment.open()
  try {
    const worker = stand.worker()
    const figures: Report['figures'] = {}
    const wrong: string[] = []
    for (const [name, { play, likely }] of Object.entries(games)) {
      const times = scaled(effort, name === 'cancel against pay' ? 1000 : 330, 10)
      effort.say(`${name}: ${times}`)
      // Which of the two takes longer on the way is found out while it goes on.
      const even = { checkout: likely, intent: likely }
      const winners = await runConcurrently(6, times, async (index) => {
        const kind = index % 2 ? 'intent' : 'checkout'
        const offset = even[kind] + offsets[Math.floor(index / 2) % offsets.length]!
        const winner = await play({ stand, worker, kind, offset })
        even[kind] += (winner === 'paid' ? -1 : 1) * Math.max(2, 12 - index / 4)
        return winner
      })
      const count = (winner: Winner) => winners.filter((one) => one === winner).length
      figures[name] = `${times}: paid ${count('paid')}, cancelled ${count('cancelled')}`
      for (const bad of ['both', 'neither'] as const) {
        if (count(bad) > 0) wrong.push(`${name}: ${bad} in ${count(bad)} of ${times} races`)
      }
    }
    await rest(stand, worker)
    wrong.push(...wrongOf(await stand.check()))
    const [refunds] = await stand.query('SELECT count(*) AS needed, count(refund_id) AS made FROM refunds')
    figures.refunds = `needed ${String(refunds!.needed)}, made ${String(refunds!.made)}`
    return { part: 'races', figures, wrong }
  } finally {
    await stand.close()
  }
}

async function opened({ stand, worker, kind }: Lane) {
  const client = new Client(worker, stand.history, await stand.person())
  const violin = await stand.sells({ stock: 1 })
  const order = done(await client.order(violin, 1))
  return { client, violin, order, given: done(await client.start(kind, order)) }
}

async function cancelAgainstPay(lane: Lane): Promise<Winner> {
  const { client, order, given } = await opened(lane)
  await together(
    lane.offset,
    () => payWith(lane.stand.sandbox.url, given),
    () => client.cancel(order),
  )
  await client.comesBack(order)
  return winnerOf(lane, order)
}

/** Somebody else wants the piece at the moment that the first customer pays for it, after its time. */
async function expiryAgainstPay(lane: Lane): Promise<Winner> {
  const { stand, worker } = lane
  const { client, order, given, violin } = await opened(lane)
  await stand.sql(
    { sql: 'DROP TRIGGER IF EXISTS orders_keep_their_terms' },
    { sql: 'UPDATE orders SET hold_until = 1 WHERE id = ?', args: [order] },
  )
  const other = new Client(worker, stand.history, await stand.person())
  await together(
    lane.offset,
    () => payWith(stand.sandbox.url, given),
    () => other.order(violin, 1),
  )
  await client.comesBack(order)
  return winnerOf(lane, order)
}

/** The shop hears of the payment and ships, while the customer cancels. */
async function shipAgainstCancel(lane: Lane): Promise<Winner> {
  const { stand, worker } = lane
  const { client, order, given } = await opened(lane)
  const admin = new Client(worker, stand.history, await stand.person('admin'))
  const ship = async () => {
    await client.comesBack(order)
    await admin.ship(order)
  }
  const pay = lane.kind === 'checkout' || lane.offset >= 0
  if (pay) await payWith(stand.sandbox.url, given)
  await together(lane.offset, ship, () => client.cancel(order))
  return winnerOf(lane, order)
}

/** Two tabs: one pays, while the other asks to pay in the other way, and pays there if it may. */
async function twoWays(lane: Lane): Promise<Winner> {
  const { client, order, given } = await opened(lane)
  const { url } = lane.stand.sandbox
  await together(
    lane.offset,
    () => payWith(url, given),
    async () => {
      const other = await client.start(lane.kind === 'intent' ? 'checkout' : 'intent', order)
      if (other.how === 'done') await payWith(url, other.value)
    },
  )
  await client.comesBack(order)
  return winnerOf(lane, order)
}

async function together(offset: number, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  const later = async (ms: number, act: () => Promise<unknown>) => {
    if (ms > 0) await wait(ms)
    await act()
  }
  await Promise.all([later(-offset, first), later(offset, second)])
}

/** By the shop's state and by what the provider took: of the two one, and only one, must be so. */
async function winnerOf({ stand }: Lane, order: string): Promise<Winner> {
  const [row] = await stand.query(`SELECT state FROM orders WHERE id = '${order}'`)
  const paid = row!.state === 'paid' || row!.state === 'shipped'
  const told = stand.history.cancelled.some((known) => known.order === order)
  if (paid && told) return 'both'
  return paid ? 'paid' : row!.state === 'cancelled' ? 'cancelled' : 'neither'
}
