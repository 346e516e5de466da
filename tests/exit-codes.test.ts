import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { users } from '../app/db/schema'
import { startDatabase, type Database } from '../dev/database'
import { freePort } from '../dev/ports'

/* Cron and other scripts read the exit code: 0 done, 1 not done, 2 called wrongly. In this process: to start Node for each takes seconds. */

const folder = mkdtempSync(join(tmpdir(), 'cadenza-exit-'))
let database: Database
beforeAll(async () => {
  cpSync(inject('template'), join(folder, 'db'), { recursive: true })
  database = await startDatabase({ folder: join(folder, 'db') })
  await openDatabase(database)
    .insert(users)
    .values([
      { id: 'ada', name: 'Ada', email: 'ada@example.com', createdAt: 1, emailVerifiedAt: 1 },
      { id: 'bea', name: 'Bea', email: 'bea@example.com', createdAt: 1, emailVerifiedAt: 1 },
    ])
})
afterAll(async () => {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

class Exit extends Error {
  constructor(readonly code: number) {
    super()
  }
}

const exitCodeOf = ({ exitCode }: NodeJS.Process) => Number(exitCode ?? 0)

async function run(
  script: string,
  args: string[],
  { away = false, local }: { away?: boolean; local?: Record<string, string> } = {},
) {
  vi.resetModules()
  const { argv, exitCode } = process
  const lines: string[] = []
  const say = (line: unknown) => void lines.push(String(line))
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(say),
    vi.spyOn(console, 'error').mockImplementation(say),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Exit(Number(code))
    }),
  ]
  vi.stubEnv('DATABASE_URL', away ? `http://127.0.0.1:${await freePort()}` : database.url)
  vi.stubEnv('DATABASE_AUTH_TOKEN', database.authToken)
  if (local) for (const [name, value] of Object.entries({ DATABASE_URL: '', ...local })) vi.stubEnv(name, value)
  for (const [name, value] of Object.entries({ SHOP_ORIGIN: 'http://127.0.0.1:9', SHOP_MAIL: 'shop@cadenza.example' }))
    vi.stubEnv(name, value)
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_1')
  vi.stubEnv('STRIPE_API_URL', 'http://127.0.0.1:9')
  process.argv = [argv[0]!, script, ...args]
  process.exitCode = undefined
  try {
    await import(`../scripts/${script}.ts`)
    return { code: exitCodeOf(process), said: lines.join('\n') }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { code: error.code, said: lines.join('\n') }
  } finally {
    Object.assign(process, { argv, exitCode })
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}

const file = join(folder, 'shop.backup.gz')
const later = '2999-01-01T00:00:00Z'

/** In this order: the later ones see what the earlier ones did. */
test.for<[code: number, script: string, args: string[], says: string]>([
  ...['make-admin', 'restore', 'reconcile'].map((script): [number, string, string[], string] => [
    2,
    script,
    [],
    `Usage: npm run ${script}`,
  ]),
  ...['remove-second-factor', 'close-account'].map((script): [number, string, string[], string] => [
    2,
    'task',
    [script],
    `Usage: npm run task -- ${script}`,
  ]),
  ...['restore', 'reconcile', 'verify'].map((script): [number, string, string[], string] => [
    2,
    script,
    ['--nonsense'],
    'Usage',
  ]),
  ...['check', 'task'].flatMap((group): [number, string, string[], string][] => [
    [0, group, [], `Usage: npm run ${group} -- NAME`],
    [2, group, ['nonsense'], `Usage: npm run ${group} -- NAME`],
  ]),
  [2, 'verify', ['--head', 'nonsense'], 'Usage'],
  [2, 'reconcile', ['--since', 'yesterday'], 'Usage'],
  [2, 'reconcile', ['--since', later], 'Usage'],
  [2, 'restore', ['--from-turso', later], 'Usage'],
  [2, 'restore', [file, '--from-turso', '2026-01-01T00:00:00Z'], 'Usage'],
  [0, 'make-admin', ['Ada@example.com '], 'ada@example.com is an admin.'],
  [1, 'make-admin', ['nobody@example.com'], 'Nobody is registered'],
  [0, 'remove-second-factor', ['ada@example.com'], 'has no second factor.'],
  [1, 'task', ['remove-second-factor', 'nobody@example.com'], 'Nobody is registered'],
  [0, 'verify', [], 'The shop is whole.'],
  [0, 'backup', [file], '0 orders'],
  [1, 'backup', [join(folder, 'nowhere', 'shop.gz')], 'There is no folder'],
  [1, 'restore', [join(folder, 'none.gz')], 'There is no file'],
  [1, 'restore', [file], 'not empty'],
  [1, 'reconcile', ['--since', '2026-01-01T00:00:00Z'], 'Stripe'],
  [1, 'reconcile', ['--refund', 'pi_unknown'], 'not a payment without an order'],
  [1, 'close-account', ['nobody@example.com', 'bea@example.com'], 'bea@example.com: closed.'],
  [0, 'close-account', ['bea'], 'was closed before.'],
  [1, 'close-account', ['ada@example.com'], 'The shop needs an admin'],
])('exits with %i: %s %j', async ([code, script, args, says]) => {
  const { code: given, said } = await run(script, args)
  expect(said).toContain(says)
  expect(given).toBe(code)
})

test.for(['make-admin', 'remove-second-factor', 'close-account'].map((script) => [script, 'ada@example.com'] as const))(
  'exits with 1 when the database is away: %s',
  async ([script, email]) => {
    const { code, said } = await run(script, [email], { away: true })
    expect([code, said]).toEqual([1, expect.stringContaining('does not answer')])
  },
)

test('exits with 1 when the database is away, without a file: backup', async () => {
  const none = join(folder, 'none.backup.gz')
  const { code } = await run('backup', [none], { away: true })
  expect([code, existsSync(none)]).toEqual([1, false])
})

test('verify exits with 2 when it cannot tell', async () => {
  const { code } = await run('verify', [], { away: true })
  expect(code).toBe(2)
})

test('verify says how to start the shop whose database does not run', async () => {
  const DB_PORT = String(await freePort())
  const { code, said } = await run('verify', [], { local: { DB_PORT, DATA_DIR: `${folder}/it's here` } })
  expect([code, said]).toEqual([2, expect.stringContaining('It runs while the shop runs. Start the shop')])
  expect(said).toContain(`\n  DB_PORT=${DB_PORT} DATA_DIR='${folder}/it'\\''s here' npm start\n`)
})

test('restore prints the commands that come next, with the variables of the shop', async () => {
  const [DB_PORT, DATA_DIR] = [String(await freePort()), join(folder, 'other')]
  const { code, said } = await run('restore', [file], { local: { DB_PORT, DATA_DIR, SANDBOX_PORT: '8789' } })
  expect([code, said]).toEqual([0, expect.stringContaining('Everybody has to log in again.')])
  const shop = `  DB_PORT=${DB_PORT} DATA_DIR=${DATA_DIR} npm `
  for (const command of ['start', 'run reconcile -- --since 2', 'run verify'])
    expect(said).toContain(`\n${shop}${command}`)
})

test('verify exits with 1 when a row was changed', async () => {
  const db = openDatabase(database)
  await db.run(sql`DROP TRIGGER audit_log_is_never_changed`)
  await db.run(sql`UPDATE audit_log SET stock_delta = stock_delta + 1 WHERE instrument_id IS NOT NULL`)
  const { code, said } = await run('verify', [])
  expect([code, said]).toEqual([1, expect.stringContaining('WRONG')])
})

test('only its owner reads a backup: it has the addresses of customers', async () => {
  const own = join(folder, 'own.backup.gz')
  expect((await run('backup', [own])).code).toBe(0)
  expect(statSync(own).mode & 0o777).toBe(0o600)
})
