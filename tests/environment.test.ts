import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { users } from '../app/db/schema'
import { localVars, readOrigin, startEnvironment, type LocalShopOptions } from '../dev/environment'
import { freePort } from '../dev/ports'
import { startWorker } from '../dev/worker'
import { isWhole } from './support/depth'

async function newOptions(): Promise<LocalShopOptions> {
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const dataDir = mkdtempSync(join(tmpdir(), 'cadenza-environment-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return { port, sandboxPort, dbPort, dataDir, seedDemo: false }
}

async function start(options: LocalShopOptions) {
  const environment = await startEnvironment(options, () => undefined)
  onTestFinished(() => environment.stop())
  return environment
}

const pipeline = { requests: [{ type: 'execute', stmt: { sql: 'SELECT 1' } }, { type: 'close' }] }
const requests: [path: string, body?: object][] = [
  ['/dump'],
  ['/v2/pipeline', pipeline],
  ['/v3/pipeline', pipeline],
  ['/v1/execute', { stmt: { sql: 'SELECT 1' } }],
  ['/', { statements: ['SELECT 1'] }],
]

test('refuses a request without a token', async () => {
  const { database } = await start(await newOptions())
  const { database: another } = await start(await newOptions())
  for (const [path, body] of requests) {
    const send = async (headers: Record<string, string>) => {
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
      const response = await fetch(database.url + path, { ...init, headers })
      await response.text()
      return [path, response.status]
    }
    expect(await send({})).toEqual([path, 401])
    expect(await send({ authorization: `Bearer ${another.authToken}` })).toEqual([path, 401])
    expect(await send({ authorization: `Bearer ${database.authToken}` })).toEqual([path, 200])
  }
})

test.runIf(isWhole)('lets make-admin and seed find the token in the data folder', async () => {
  const options = { ...(await newOptions()), seedDemo: true }
  const { database } = await start(options)
  const run = (script: string, ...args: string[]) => {
    const { DATABASE_URL: _url, DATABASE_AUTH_TOKEN: _token, ...ours } = process.env
    const env = { ...ours, DB_PORT: `${options.dbPort}`, DATA_DIR: options.dataDir }
    return promisify(execFile)(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], { env })
  }
  expect((await run('make-admin', 'ada@example.com')).stdout).toContain('ada@example.com is an admin.')
  expect((await run('remove-second-factor', 'ada@example.com')).stdout).toContain('has no second factor.')
  const closing = run('close-account', 'nobody@example.com').catch((error: unknown) => error as { stdout: string })
  expect((await closing).stdout).toBe('nobody@example.com: there is no such account.\n')
  await run('seed', '--users', '3')
  const db = openDatabase(database)
  expect(await db.$count(users)).toBe(2 + 3)
  expect(await db.$count(users, eq(users.role, 'admin'))).toBe(2)
})

test('keeps its token and its session secret over a restart, for their owner only', async () => {
  const options = await newOptions()
  const first = await start(options)
  await first.stop()
  const second = await start(options)
  expect(second.vars).toEqual(first.vars)
  for (const file of ['db/auth-token', 'session-secret']) {
    expect(statSync(join(options.dataDir, file)).mode & 0o777).toBe(0o600)
  }
})

test('has another session secret in another data folder', async () => {
  const [one, other] = [await start(await newOptions()), await start(await newOptions())]
  expect(one.vars.SESSION_SECRET).not.toBe(other.vars.SESSION_SECRET)
  expect(one.vars.SESSION_SECRET!.length).toBeGreaterThanOrEqual(32)
})

test.for<[origin: string, listens: string]>([
  ['https://x.trycloudflare.com', '127.0.0.1'],
  ['http://127.0.0.2', '127.0.0.2'],
])('serves %s at %s, for a tunnel or a phone', async ([address, host]) => {
  const port = await freePort()
  const origin = readOrigin({ SHOP_ORIGIN: address.startsWith('https') ? address : `${address}:${port}` }, port)!
  const nobody = 'http://127.0.0.1:9'
  const vars = localVars({ origin, database: { url: nobody, authToken: '' }, sandboxUrl: nobody })
  const worker = await startWorker({ port, vars, quiet: true })
  onTestFinished(() => worker.stop())
  const ask = (named: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ host, port, path: '/login', headers: { host: named } }, resolve).once('error', reject)
    })
  const { statusCode, headers } = await ask(new URL(origin).host)
  expect([statusCode, 'strict-transport-security' in headers]).toEqual([200, origin.startsWith('https')])
  expect((await ask('localhost')).headers.location).toBe(`${origin}/login`)
})

test.each(['ftp://x', 'nonsense', 'http://127.0.0.2:9999'])('refuses SHOP_ORIGIN=%s', (text) => {
  expect(() => readOrigin({ SHOP_ORIGIN: text }, 8788)).toThrow('SHOP_ORIGIN')
  expect(readOrigin({}, 8788)).toBeUndefined()
})
