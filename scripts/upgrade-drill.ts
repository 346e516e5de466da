/*
 * npm run check -- upgrade-drill [REVISION]: rehearses a deployment and the way back. The shop of REVISION (by default, the one before the
 * newest migration) runs from a folder of its own; beside it, on its database, runs this one, before and after the migration. Both take a
 * whole order each time. Exits with 1 on an answer that nobody should get.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { buildIfStale } from '../dev/build'
import { migrateDatabase, readAuthToken } from '../dev/database'
import { localVars } from '../dev/environment'
import { readSecret } from '../dev/local-secret'
import { freePort } from '../dev/ports'
import { startWorker } from '../dev/worker'
import { Program } from '../tests/support/api-client'
import { check } from '../tests/stress/checker/check'
import { describe } from '../tests/stress/checker/violation'
import { confirm } from '../tests/support/card-form'
import { TestBrowser } from '../tests/support/test-browser'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
const revision = process.argv[2] ?? beforeNewestMigration()
const folder = mkdtempSync(join(tmpdir(), 'cadenza-upgrade-'))
const ports = { PORT: await freePort(), SANDBOX_PORT: await freePort(), DB_PORT: await freePort() }
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const failures: string[] = []

/** Steps that cannot be tried after a 503 of an earlier one. */
const needs: Record<string, string> = {
  ...{ order: 'log in', 'my orders': 'log in', products: 'log in' },
  ...{ pay: 'order', receipt: 'pay', ship: 'pay' },
}

try {
  await buildIfStale(console.log)
  console.log(`Building the shop of ${git('log', '-1', '--format=%h %s', revision)} …`)
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', revision], { maxBuffer: 2 ** 28 }),
  })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  await startOldShop()
  const sandbox = { url: `http://127.0.0.1:${ports.SANDBOX_PORT}` }
  const dataDir = join(folder, '.data')
  const database = { url: `http://127.0.0.1:${ports.DB_PORT}`, authToken: readAuthToken(join(dataDir, 'db'))! }
  const oldOrigin = `http://127.0.0.1:${ports.PORT}`
  const port = await freePort()
  const newOrigin = `http://127.0.0.1:${port}`
  const sessionSecret = readSecret(join(dataDir, 'session-secret'))!
  const vars = localVars({ origin: newOrigin, database, sandboxUrl: sandbox.url, sessionSecret })
  const worker = await startWorker({ port, vars, quiet: true })
  stops.push(() => worker.stop())

  await rehearse('new Worker, old schema', newOrigin, { mayBeUnavailable: true })
  await rehearse('old Worker, old schema', oldOrigin)
  await migrateDatabase(database)
  await rehearse('old Worker, new schema', oldOrigin)
  await rehearse('new Worker, new schema', newOrigin)
  await rehearse('old Worker after a rollback', oldOrigin)

  const violations = await check({ database, sandboxUrl: sandbox.url })
  if (violations.length > 0) failures.push(describe(violations))

  async function rehearse(what: string, origin: string, { mayBeUnavailable = false } = {}): Promise<void> {
    const answers: string[] = []
    const done = new Set<string>()
    for (const [step, run] of Object.entries(stepsAt(origin))) {
      if (step in needs && !done.has(needs[step]!)) {
        answers.push(`${step} skipped`)
        continue
      }
      const answer = await run().catch((error: unknown) => String(error).split('\n')[0]!)
      answers.push(`${step} ${answer}`)
      const isFine = answer === 'ok' || (mayBeUnavailable && /\b503\b/.test(answer))
      if (!isFine) failures.push(`${what}: ${step}: ${answer}`)
      if (answer === 'ok') done.add(step)
    }
    console.log(`${what.padEnd(28)} ${answers.join(', ')}`)
  }

  function stepsAt(origin: string): Record<string, () => Promise<string>> {
    const [visitor, ada, admin] = [new TestBrowser(origin), new TestBrowser(origin), new TestBrowser(origin)]
    const api = new Program(ada, null)
    let order = ''
    const page = async (browser: TestBrowser, path: string) => {
      const { status } = await browser.get(path)
      return status === 200 ? 'ok' : `${path} ${status}`
    }
    const call = async (method: string, path: string, body: object) => {
      const response = await api.call<Record<string, string>>(method, path, body, { origin })
      if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
      return response.body
    }
    return {
      home: () => page(visitor, '/home'),
      list: () => page(visitor, '/allInstruments?q=violin'),
      product: () => page(visitor, '/catalog/violin-4-4'),
      'log in': async () => {
        await ada.signIn({ email: 'ada@example.com', password: 'practice' })
        await admin.signIn({ email: 'admin@example.com', password: 'practice' })
        return 'ok'
      },
      order: async () => {
        const delivery = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }
        order = (await call('POST', '/order', { instrumentId: 'violin-4-4', orderQuantity: 2, ...delivery }))
          .insertedId!
        return 'ok'
      },
      pay: async () => {
        const { clientSecret } = await call('POST', '/create-payment-intent', { orderId: order, orderPrice: 2900 })
        await confirm({ sandbox }, clientSecret!)
        await call('PATCH', `/order/${order}`, { transactionId: clientSecret!.split('_secret')[0] })
        return 'ok'
      },
      'my orders': () => page(ada, '/dashboard/myOrders'),
      receipt: () => page(ada, `/dashboard/myOrders/receipt/${order}`),
      ship: async () => {
        const shown = await admin.get(`/dashboard/manageOrders/${order}`)
        if (shown.status !== 200) return `${shown.status}`
        const shipped = await admin.press(shown, 'Ship Now')
        return shipped.status === 200 ? 'ok' : `${shipped.status}`
      },
      products: () => page(admin, '/dashboard/manageProduct'),
      reviews: () => page(visitor, '/reviews'),
    }
  }
} finally {
  for (const stop of stops.reverse()) await stop()
}
for (const failure of failures) console.log(`WRONG ${failure}`)
console.log(failures.length === 0 ? 'Both shops served each step.' : `${failures.length} wrong.`)
process.exit(failures.length === 0 ? 0 : 1)

function beforeNewestMigration(): string {
  const newest = readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)!
  const added = git('log', '--diff-filter=A', '--format=%H', '--', `migrations/${newest}`).split('\n').at(-1)
  return added ? `${added}~1` : 'HEAD'
}

async function startOldShop(): Promise<void> {
  const env = { ...process.env, ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `${port}`])) }
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd: folder,
    env: { ...env, DATA_DIR: '.data' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  stops.push(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('Ready')) {
      child.stdout.resume()
      return
    }
  }
  throw new Error(`The old shop did not start:\n${lines.join('\n')}`)
}
