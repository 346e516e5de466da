import { fork } from 'node:child_process'
import { once } from 'node:events'
import { buildIfStale } from '../../../dev/build'
import { freePort } from '../../../dev/ports'
import { localVars } from '../../../dev/environment'
import { payWith } from '../card'
import { FaultProxy } from '../../../dev/fault-proxy'
import { eventsAt, signed } from '../provider'
import { scaled, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { signIn, TestEnvironment } from '../test-environment'

interface Point {
  at: number
  side: 'before' | 'after'
  victim: 'the Worker' | 'the database'
}

/** Kills the Worker or the database (SIGKILL) at each request between them and the providers, then restarts it. */
export async function runKills(effort: Effort): Promise<Report & { points: string[] }> {
  await buildIfStale(effort.say)
  const { passed } = await play(null)
  const all: Point[] = passed.flatMap((_, index) =>
    (['before', 'after'] as const).flatMap((side) =>
      (['the Worker', 'the database'] as const).map((victim) => ({ at: index + 1, side, victim })),
    ),
  )
  const count = Math.min(all.length, scaled(effort, 120, 2))
  const selected = Array.from({ length: count }, (_, index) => all[(index * 31 + effort.seed) % all.length]!)
  const wrong: string[] = []
  const points: string[] = []
  let killed = 0
  for (const [index, point] of selected.entries()) {
    if (index % 20 === 0) effort.say(`kills: ${index} of ${count}`)
    const end = await play(point)
    killed += end.killed
    const name = `${point.victim} is killed ${point.side} ${point.at}. ${passed[point.at - 1]}`
    points.push(`${name}: ${end.state}`)
    wrong.push(...end.wrong.map((message) => `${name}: ${message}`))
  }
  const figures = { points: all.length, tried: count, killed, 'wrong in the end': wrong.length }
  return { part: 'kills', figures, wrong, points }
}

async function play(point: Point | null) {
  const env = await TestEnvironment.open()
  const proxy = new FaultProxy()
  const url = await proxy.open('database', () => env.database.url)
  const sandboxUrl = await proxy.open('sandbox', () => env.sandbox.url)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const vars = localVars({ origin, database: { ...env.database, url }, sandboxUrl })
  let worker = await startProcess(port, vars)
  let killed = 0
  let pendingKill: Promise<void> | null = null
  const restart = async () => {
    await pendingKill
    if (worker.killed()) worker = await startProcess(port, vars)
  }
  if (point) {
    const killVictim = async () => {
      killed++
      if (point.victim === 'the database') await env.killDatabase()
      else worker.kill()
    }
    proxy.interruption = { at: point.at, side: point.side, run: () => (pendingKill = killVictim()) }
  }
  try {
    const person = await env.person()
    const cookie = await signIn(env, person)
    const instrument = await env.sells({ stock: 1 })
    const submission = crypto.randomUUID()
    const attempt = { customer: person.id, instrument, submission, quantity: 1 }
    const form = {
      submissionId: submission,
      orderQuantity: '1',
      customerAddress: '1 Bow Lane',
      customerPhone: '07700 900123',
    }
    const ask = async (path: string, init: RequestInit = {}): Promise<Response | null> => {
      const headers = { cookie, origin, ...(init.headers as Record<string, string> | undefined) }
      const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' }).catch(() => null)
      await response
        ?.clone()
        .text()
        .catch(() => null)
      await restart()
      return response
    }
    const post = (path: string, fields: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields) })

    for (let tries = 0; tries < 2; tries++) {
      const ordered = await post(`/instruments/${instrument}`, form)
      if (ordered?.status === 302 || ordered?.status === 303)
        env.history.ordered.push({ ...attempt, order: null, shownPrice: null })
      else env.history.unsure.push(attempt)
    }
    const [row] = await env.query('SELECT id FROM orders')
    const order = row ? String(row.id) : null
    const path = `/dashboard/myOrders/payment/${order}`
    let url: string | null = null
    for (let tries = 0; order && !url && tries < 2; tries++) url = (await post(path))?.headers.get('location') ?? null
    if (order && url?.includes('/checkout/')) {
      // The hosted page redirects through the proxy; the customer opens it directly.
      const pageUrl = env.sandbox.url + new URL(url).pathname
      env.history.payables.push({ order, payable: pageUrl.split('/').at(-1)! })
      await payWith(env.sandbox.url, { kind: 'checkout', url: pageUrl })
    }
    if (order) await ask(path)
    for (const event of await eventsAt(env.sandbox.url)) {
      const { body, signature } = await signed(event)
      await ask('/webhooks/stripe', { method: 'POST', body, headers: { 'stripe-signature': signature } })
    }
    if (order) await ask(path)
    const passed = [...proxy.requests]
    // Work after the response may reach the kill point only now.
    proxy.interruption = null
    await restart()
    await rest(env)
    const [end] = await env.query('SELECT state FROM orders')
    return { passed, killed, state: end ? String(end.state) : 'no order', wrong: wrongOf(await env.check()) }
  } finally {
    worker.kill()
    proxy.close()
    await env.close()
  }
}

export async function startProcess(port: number, vars: Record<string, string>) {
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
