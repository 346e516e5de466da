import { fork } from 'node:child_process'
import { once } from 'node:events'
import { buildIfStale } from '../../../dev/build'
import { freePort } from '../../../dev/ports'
import { localVars } from '../../../dev/environment'
import { payWith } from '../card'
import { FaultProxy } from '../../../dev/fault-proxy'
import { eventsAt, signed } from '../provider'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { signIn } from '../served'
import { rest } from '../rest'
import { TestEnvironment } from '../test-environment'

interface Point {
  at: number
  side: 'before' | 'after'
  victim: 'the Worker' | 'the database'
}

/**
 * One customer buys at the built Worker, while the Worker or the database is really killed (SIGKILL) at each request that
 * passes between the Worker, the database and the providers: before it arrives, or before its answer does. What was killed
 * is started again, and the customer goes on with the next step. In the end the shop comes to rest.
 */
export async function runKills(effort: Effort): Promise<Report & { points: string[] }> {
  await buildIfStale(effort.say)
  const { passed } = await play(null)
  const all: Point[] = passed.flatMap((_, index) =>
    (['before', 'after'] as const).flatMap((side) =>
      (['the Worker', 'the database'] as const).map((victim) => ({ at: index + 1, side, victim })),
    ),
  )
  const count = Math.min(all.length, scaled(effort, 120, 2))
  const chosen = Array.from({ length: count }, (_, index) => all[(index * 31 + effort.seed) % all.length]!)
  const wrong: string[] = []
  const points: string[] = []
  let killed = 0
  for (const [index, point] of chosen.entries()) {
    if (index % 20 === 0) effort.say(`kills: ${index} of ${count}`)
    const end = await play(point)
    killed += end.killed
    const name = `${point.victim} is killed ${point.side} ${point.at}. ${passed[point.at - 1]}`
    points.push(`${name}: ${end.state}`)
    wrong.push(...end.wrong.map((says) => `${name}: ${says}`))
  }
  const figures = { points: all.length, tried: count, killed, 'wrong in the end': wrong.length }
  return { part: 'kills', figures, wrong, points }
}

async function play(point: Point | null) {
  const stand = await TestEnvironment.open()
  const gate = new FaultProxy()
  const databaseUrl = await gate.door('database', () => stand.database.url)
  const sandboxUrl = await gate.door('sandbox', () => stand.sandbox.url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const vars = localVars({ origin, databaseUrl, sandboxUrl })
  let worker = await startProcess(port, vars)
  let killed = 0
  let blow: Promise<void> | null = null
  const standsAgain = async () => {
    await blow
    if (worker.killed()) worker = await startProcess(port, vars)
  }
  if (point) {
    const strike = async () => {
      killed++
      if (point.victim === 'the database') await stand.killDatabase()
      else worker.kill()
    }
    gate.ambush = { at: point.at, side: point.side, strike: () => (blow = strike()) }
  }
  try {
    const person = await stand.person()
    const cookie = await signIn(stand, person)
    const instrument = await stand.sells({ stock: 1 })
    const submission = crypto.randomUUID()
    const known = { customer: person.id, instrument, submission, quantity: 1 }
    const form = {
      submissionId: submission,
      orderQuantity: '1',
      customerAddress: '1 Bow Lane',
      customerPhone: '07700 900123',
    }
    const ask = async (path: string, init: RequestInit = {}): Promise<Response | null> => {
      const headers = { cookie, origin, ...(init.headers as Record<string, string> | undefined) }
      const answer = await fetch(origin + path, { ...init, headers, redirect: 'manual' }).catch(() => null)
      await answer
        ?.clone()
        .text()
        .catch(() => null)
      await standsAgain()
      return answer
    }
    const post = (path: string, fields: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields) })

    for (let tries = 0; tries < 2; tries++) {
      const ordered = await post(`/instruments/${instrument}`, form)
      if (ordered?.status === 302 || ordered?.status === 303)
        stand.history.ordered.push({ ...known, order: null, shown: null })
      else stand.history.unsure.push(known)
    }
    const [row] = await stand.query('SELECT id FROM orders')
    const order = row ? String(row.id) : null
    const path = `/dashboard/myOrders/payment/${order}`
    let url: string | null = null
    for (let tries = 0; order && !url && tries < 2; tries++) url = (await post(path))?.headers.get('location') ?? null
    if (order && url?.includes('/checkout/')) {
      // The page leads back through the gate; its customer goes straight to it.
      const straight = stand.sandbox.url + new URL(url).pathname
      stand.history.given.push({ order, payable: straight.split('/').at(-1)! })
      await payWith(stand.sandbox.url, { kind: 'checkout', url: straight })
    }
    if (order) await ask(path)
    for (const event of await eventsAt(stand.sandbox.url)) {
      const { body, signature } = await signed(event)
      await ask('/webhooks/stripe', { method: 'POST', body, headers: { 'stripe-signature': signature } })
    }
    if (order) await ask(path)
    const passed = [...gate.passed]
    // What a Worker does after its answer may meet the blow only now.
    gate.ambush = null
    await standsAgain()
    await rest(stand)
    const [end] = await stand.query('SELECT state FROM orders')
    return { passed, killed, state: end ? String(end.state) : 'no order', wrong: wrongOf(await stand.check()) }
  } finally {
    worker.kill()
    gate.close()
    await stand.close()
  }
}

async function startProcess(port: number, vars: Record<string, string>) {
  const child = fork('tests/stress/worker-process.ts', { execArgv: ['--import', 'tsx'], stdio: 'ignore' })
  child.send({ port, vars })
  const [workerds] = (await once(child, 'message')) as [number[]]
  let dead = false
  return {
    killed: () => dead,
    kill() {
      if (dead) return
      dead = true
      for (const pid of workerds) process.kill(pid, 'SIGKILL')
      child.kill('SIGKILL')
    },
  }
}
