/*
 * npm run check -- upgrade-drill [REVISION]: rehearses an upgrade. The shop of REVISION (by default, the one before the newest migration) runs from
 * a folder of its own. If its migrations are some of this shop's, this one runs beside it on its database, before and after the migration, and
 * again the old one, as after a rollback; both take a whole order each time. A shop from before the migrations became one stops, and
 * this one starts with its data: nobody has lost a row, a session, a token, a key, a picture or an invoice. Exits with 1 if anything is wrong.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@libsql/client/web'
import sharp from 'sharp'
import { restoreBackup, takeBackup } from '../dev/backup'
import { buildIfStale } from '../dev/build'
import { migrateDatabase, readAuthToken, startDatabase, type DatabaseAddress } from '../dev/database'
import { localVars } from '../dev/environment'
import { readSecret } from '../dev/local-secret'
import { freePort } from '../dev/ports'
import { startWorker } from '../dev/worker'
import { Program } from '../tests/support/api-client'
import { check } from '../tests/stress/checker/check'
import { describe } from '../tests/stress/checker/violation'
import { confirm } from '../tests/support/card-form'
import { TestBrowser } from '../tests/support/test-browser'

const firstMigration = '0000_shop.sql'
/** The oldest that is taken over, see `dev/take-over.ts`. */
const oldestShop = '0e30b007'
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
  const stopOldShop = await startShop(folder)
  const dataDir = join(folder, '.data')
  const database = { url: `http://127.0.0.1:${ports.DB_PORT}`, authToken: readAuthToken(join(dataDir, 'db'))! }
  const sandbox = { url: `http://127.0.0.1:${ports.SANDBOX_PORT}` }
  const oldOrigin = `http://127.0.0.1:${ports.PORT}`
  if (readdirSync(join(folder, 'migrations')).includes(firstMigration)) await deployBesideOldShop()
  else await takeOverOldShop()
  const violations = await check({ database, sandboxUrl: sandbox.url })
  if (violations.length > 0) failures.push(describe(violations))

  async function deployBesideOldShop(): Promise<void> {
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
  }

  async function takeOverOldShop(): Promise<void> {
    await rehearse('old shop', oldOrigin)
    const people = await peopleOf(oldOrigin)
    const seen = await seenBy(people)
    const [file, before] = [join(folder, 'shop.backup.gz'), await rowsOf(database)]
    await takeBackup(database, file, () => undefined)
    await stopOldShop()
    await startShop('.', { DATA_DIR: dataDir })
    const after = await rowsOf(database)
    for (const [table, rows] of before) {
      const kept = after.get(table)
      if (!kept) console.log(`taken away: ${table}, with ${rows.length} rows`)
      else failures.push(...lostFrom(table, rows, kept))
    }
    const seenNow = await seenBy(people)
    for (const [what, text] of Object.entries(seen))
      if (seenNow[what] !== text) failures.push(`${what}: it was ${text}, and is ${seenNow[what]}`)
    const restored = await startDatabase({ folder: join(folder, 'restored') })
    stops.push(() => restored.stop())
    await restoreBackup(file, restored, () => undefined)
    await rehearse('this shop with its data', oldOrigin)
  }

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

interface People {
  ada: TestBrowser
  admin: TestBrowser
  token: Program
  key: Program
  picture: string
}

/** Somebody with a session, an access token, an API key and a picture. */
async function peopleOf(origin: string): Promise<People> {
  const [ada, admin] = [new TestBrowser(origin), new TestBrowser(origin)]
  await ada.signIn({ email: 'ada@example.com', password: 'practice' })
  await admin.signIn({ email: 'admin@example.com', password: 'practice' })
  const made = await admin.press(await admin.get('/dashboard/settings/keys'), 'Make the key', {
    ...{ name: 'Warehouse', readOrders: 'on' },
  })
  const key = made.page.querySelector('main code')!.text
  const login = await new Program(ada, null).call<{ token: string }>(
    ...(['PUT', '/user/ada@example.com', { email: 'ada@example.com' }, { origin }] as const),
  )
  const plain = sharp({ create: { width: 900, height: 700, channels: 3, background: '#7a2b1b' } })
  const form = new FormData()
  const product = { name: 'Drilled Viola', price: '900', minQuantity: '1', availableQuantity: '4', img: '' }
  for (const [field, value] of Object.entries({ ...product, submissionId: crypto.randomUUID() })) form.set(field, value)
  form.set(
    'picture',
    new File([new Uint8Array(await plain.png().toBuffer())], 'viola.png', {
      type: 'image/png',
    }),
  )
  await admin.post('/dashboard/addProduct', form)
  const list = await new Program(ada, null).call<{ name: string; img: string }[]>('GET', '/instruments')
  const picture = list.body.find(({ name }) => name === product.name)!.img
  const program = (token: string) => new Program(new TestBrowser(origin), token)
  return { ada, admin, token: program(login.body.token), key: program(key), picture }
}

/** What they see, in a word or a hash. */
async function seenBy({ ada, admin, token, key, picture }: People): Promise<Record<string, string>> {
  const hash = (bytes: string | ArrayBuffer) =>
    createHash('sha256')
      .update(typeof bytes === 'string' ? bytes : Buffer.from(bytes))
      .digest('hex')
      .slice(0, 12)
  const orders = await token.call<{ _id: string }[]>('GET', '/order?customerEmail=ada@example.com')
  const invoice = await ada.get(`/dashboard/myOrders/invoice/${orders.body[0]!._id}`)
  const file = await ada.fetch(picture)
  return {
    session: `${(await ada.get('/dashboard/myOrders')).status}`,
    'session of the admin': `${(await admin.get('/dashboard/manageUsers')).status}`,
    'orders by the token': `${orders.status}, ${orders.body.length}`,
    'orders by the API key': `${(await key.call('GET', '/order')).status}`,
    invoice: `${invoice.status}, ${hash(invoice.page.querySelector('main')!.text.replace(/\s+/g, ' '))}`,
    picture: `${file.status}, ${hash(await file.arrayBuffer())}`,
  }
}

type Rows = Record<string, unknown>[]

/** By table, but for full-text indexes, and what a request or the clock changes. */
async function rowsOf(database: DatabaseAddress): Promise<Map<string, Rows>> {
  const client = createClient(database)
  const { rows } = await client.execute(`
    SELECT name FROM sqlite_schema AS entry WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '__drizzle*'
      AND name NOT IN ('health', 'rate_limits', 'instrument_search', 'user_search', 'instrument_words')
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%' AND entry.name GLOB name || '_*')`)
  const tables = new Map<string, Rows>()
  for (const { name } of rows) {
    const found = await client.execute(`SELECT * FROM "${name as string}"`)
    tables.set(
      name as string,
      found.rows.map((row) => Object.fromEntries(found.columns.map((column) => [column, row[column]]))),
    )
  }
  client.close()
  return tables
}

/** Rows that are not there any more as they were, by the columns that are still there. */
function lostFrom(table: string, before: Rows, after: Rows): string[] {
  const columns = Object.keys(before[0] ?? {}).filter((column) => column in (after[0] ?? {}))
  const text = (row: Rows[number]) => JSON.stringify(columns.map((column) => row[column]))
  const found = new Set(after.map(text))
  const lost = before.filter((row) => !found.has(text(row)))
  return lost.length === 0
    ? []
    : [`${table}: ${lost.length} of ${before.length} rows are not as they were, such as ${text(lost[0]!)}`]
}

function beforeNewestMigration(): string {
  const newest = readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)!
  if (newest === firstMigration) return oldestShop
  const added = git('log', '--diff-filter=A', '--format=%H', '--', `migrations/${newest}`).split('\n').at(-1)
  return added ? `${added}~1` : 'HEAD'
}

/** `npm start` in a folder, with the ports of this drill. */
async function startShop(cwd: string, more: Record<string, string> = {}): Promise<() => Promise<void>> {
  const env = { ...process.env, ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `${port}`])) }
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd,
    env: { ...env, DATA_DIR: '.data', ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  stops.push(stop)
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('Ready')) {
      child.stdout.resume()
      return stop
    }
  }
  throw new Error(`The shop did not start:\n${lines.join('\n')}`)
}
