import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fullDisk } from '../dev/environment'
import { freePort, isFree } from '../dev/ports'
import { confirm } from './support/card-form'
import { isWhole } from './support/depth'
import { payAt } from './support/hosted-page'
import { TestBrowser } from './support/test-browser'

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

test('starts a working shop with npm start, forgets nothing after a kill -9, and stops every process', async () => {
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-start-'))
  const env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DB_PORT: `${dbPort}`, DATA_DIR: folder }
  const start = () => spawn('npm', ['start'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const killed = start()
  let shop = killed
  try {
    const { url, said } = await readyOf(shop)
    expect(said).toContain('ada@example.com')
    const sandbox = { url: `http://127.0.0.1:${sandboxPort}` }
    await payThroughPages(url)
    await payThroughApi(url, sandbox)
    expect((await fetch(`http://127.0.0.1:${dbPort}/dump`)).status).toBe(401)
    const ledger = async () => (await fetch(`${sandbox.url}/ledger`)).json()
    const before = await ledger()
    const children = descendantsOf(shop.pid!)
    expect(children.length).toBeGreaterThanOrEqual(3)
    process.kill(parentOf(children.find((pid) => commandOf(pid) === 'sqld')!), 'SIGKILL')
    await endOf(children)
    for (const each of [port, sandboxPort, dbPort])
      await vi.waitFor(async () => expect([each, await isFree(each)]).toEqual([each, true]), { timeout: 10_000 })

    shop = start()
    await readyOf(shop)
    expect(before).toHaveLength(6)
    expect(await ledger()).toEqual(before)
    const started = descendantsOf(shop.pid!)
    // To npm alone; Ctrl-C in a terminal reaches every process.
    shop.kill('SIGINT')
    await endOf(started)
    for (const each of [port, sandboxPort, dbPort]) expect(await isFree(each)).toBe(true)
  } finally {
    await stop(killed)
    await stop(shop)
    rmSync(folder, { recursive: true, force: true })
  }
})

test.runIf(isWhole).each([
  ['sqld', 'The database server (sqld) has ended by itself.'],
  ['workerd', 'The Worker (workerd) has ended by itself.'],
])('says that %s has died, and ends', { timeout: 120_000 }, async (name, sentence) => {
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-start-'))
  const env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DB_PORT: `${dbPort}`, DATA_DIR: folder, SEED: 'none' }
  const shop = spawn('npm', ['start'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let errors = ''
    shop.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const { said } = await readyOf(shop)
    expect(said).toMatch(
      new RegExp(
        `No demo accounts.*\\n +PORT=${port} SANDBOX_PORT=${sandboxPort} DB_PORT=${dbPort} DATA_DIR=\\S+ npm run make-admin`,
      ),
    )
    expect(said).not.toContain('example.com')
    const started = descendantsOf(shop.pid!)
    const ended = new Promise((resolve) => shop.once('exit', resolve))
    const child = started.find((pid) => commandOf(pid) === name)
    process.kill(child!, 'SIGKILL')
    expect(await ended).toBe(1)
    expect(errors.split('\n').filter((line) => line.includes('has ended by itself'))).toEqual([
      expect.stringContaining(sentence),
    ])
    await endOf(started)
  } finally {
    await stop(shop)
    rmSync(folder, { recursive: true, force: true })
  }
})

const packages = (version: string) => ({
  'node_modules/a': { version, integrity: `sha512-${version}` },
  'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' },
})
const otherSystem = { 'node_modules/c': { version: '1.0.0', integrity: 'sha512-c', optional: true } }

test('two commands on a fresh clone install the packages once, and a dead one does not block', async () => {
  const { clone, run, installs } = cloneWith({ '': {}, ...packages('1.0.0'), ...otherSystem })
  writeFileSync(join(clone, '.installing'), '999999999')
  const said = (await Promise.all([run(), run()])).sort()
  expect(said[0]).toMatch(/^Another command \(process \d+\) installs the packages\. Waiting …\n$/)
  expect(said[1]).toBe('Installing packages (npm ci) …\n')
  expect(installs()).toBe('begin\nend\n')
})

test.for<[string, Record<string, object>, Record<string, object>, boolean]>([
  ['after npm ci', packages('1.0.0'), packages('1.0.0'), false],
  ['when a package has another version', packages('1.0.1'), packages('1.0.0'), true],
  ['when a package is new', { ...packages('1.0.0'), 'node_modules/d': {} }, packages('1.0.0'), true],
  ['when a package is gone', { 'node_modules/a': packages('1.0.0')['node_modules/a'] }, packages('1.0.0'), true],
])('a command %s installs only what is stale', async ([, locked, installed, installsAgain]) => {
  const { clone, run, installs } = cloneWith({ '': {}, ...locked, ...otherSystem })
  mkdirSync(join(clone, 'node_modules'))
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
  expect(await run()).toBe(installsAgain ? 'Installing packages (npm ci) …\n' : '')
  expect(installs()).toBe(installsAgain ? 'begin\nend\n' : '')
})

/** A clone whose npm installs nothing, but lists the packages of the lockfile. */
function cloneWith(locked: Record<string, object>) {
  const clone = mkdtempSync(join(tmpdir(), 'cadenza-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  const bin = join(clone, 'bin')
  mkdirSync(bin)
  for (const file of ['scripts/run.mjs', 'dev/installed.mjs']) cpSync(file, join(clone, file))
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages: locked }))
  const { '': _root, 'node_modules/c': _other, ...installed } = locked
  writeFileSync(join(clone, 'listed.json'), JSON.stringify({ packages: installed }))
  writeFileSync(join(clone, 'installs'), '')
  const npm = `#!/bin/sh
echo begin >> installs; rm -rf node_modules; sleep 1; mkdir node_modules
cp listed.json node_modules/.package-lock.json; echo end >> installs
`
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const run = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['scripts/run.mjs', 'nothing'], { cwd: clone, env })
      let said = ''
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.once('exit', () => resolve(said))
    })
  return { clone, run, installs: () => readFileSync(join(clone, 'installs'), 'utf8') }
}

test('knows a disk that is full by its folder', () => {
  expect(fullDisk(['.', join(tmpdir(), 'is-not-there'), tmpdir()])).toBeUndefined()
})

async function payThroughPages(url: string): Promise<void> {
  const browser = new TestBrowser(url)
  const account = { name: 'Zoë', email: 'zoe@example.com', password: 'correct horse' }
  await browser.press(await browser.get('/register'), 'Register', account)
  const list = await browser.get('/allInstruments')
  const link = list.page.querySelector('a[href^="/instruments/"]')!.getAttribute('href')!
  const form = await browser.get(link)
  const orderQuantity = form.page.querySelector('#orderQuantity')!.getAttribute('min')!
  const pay = await browser.press(form, 'Order Now', { ...parcel, orderQuantity })
  expect(pay.text).toContain('New order added. Please complete payment!')
  const { location } = await browser.press(pay, 'Pay on the secure page')
  const back = new URL((await payAt(location!)).location!)
  expect((await browser.get(back.pathname + back.search)).text).toContain('Your payment is successful!')
}

async function payThroughApi(url: string, sandbox: { url: string }): Promise<void> {
  const browser = await new TestBrowser(url).signIn({ email: 'ada@example.com', password: 'practice' })
  const call = async <Body>(method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } }
    const response = await browser.fetch(path, body ? { ...init, body: JSON.stringify(body) } : init)
    expect([path, response.ok]).toEqual([path, true])
    return response.json<Body>()
  }
  const { token } = await call<{ token: string }>(
    'PUT',
    '/user/ada@example.com',
    { email: 'ada@example.com' },
    { origin: url },
  )
  const bearer = { authorization: `Bearer ${token}` }
  const [instrument] = await call<{ _id: string; name: string; price: number; minQuantity: number }[]>(
    'GET',
    '/instruments',
  )
  const { _id: instrumentId, name: productName, price, minQuantity: orderQuantity } = instrument!
  const input = { ...parcel, instrumentId, productName, orderQuantity, orderPrice: price * orderQuantity }
  const { insertedId } = await call<{ insertedId: string }>('POST', '/order', input, bearer)
  const intentInput = { orderPrice: input.orderPrice, orderId: insertedId }
  const { clientSecret } = await call<{ clientSecret: string }>('POST', '/create-payment-intent', intentInput, bearer)
  expect(await confirm({ sandbox }, clientSecret)).toMatchObject({ status: 'succeeded' })
  const transactionId = clientSecret.split('_secret')[0]
  await call('PATCH', `/order/${insertedId}`, { transactionId }, bearer)
  expect(await call('GET', `/order/${insertedId}`, undefined, bearer)).toMatchObject({ paid: true, transactionId })
}

function readyOf(shop: ChildProcess): Promise<{ url: string; said: string }> {
  return new Promise((resolve, reject) => {
    let said = ''
    shop.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const url = /Ready: (\S+)[^]*the data stays/.exec(said)?.[1]
      if (url) resolve({ url, said })
    })
    shop.once('exit', () => reject(new Error(`npm start ended:\n${said}`)))
  })
}

/** npm exits at once, so the shop must stop its own processes. */
async function stop(shop: ChildProcess): Promise<void> {
  const started = [shop.pid!, ...descendantsOf(shop.pid!)]
  if (started.length > 1) shop.kill('SIGTERM')
  const until = Date.now() + 20_000
  while (started.some(isRunning) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
}

function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .map((each) => [each, parentOf(each)] as const)
  const below = (parent: number): number[] =>
    parents.filter(([, its]) => its === parent).flatMap(([each]) => [each, ...below(each)])
  return below(pid)
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

/** Each child looks every second whether its parent is there. */
function endOf(pids: number[]): Promise<void> {
  return vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 10_000 })
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
