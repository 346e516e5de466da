import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fullDisk } from '../dev/environment'
import { freePort, isFree } from '../dev/ports'
import { confirm } from './support/card-form'
import { payAt } from './support/hosted-page'
import { TestBrowser } from './support/test-browser'

const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

test('starts a working shop with npm start and stops every process', { timeout: 120_000 }, async () => {
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-start-'))
  const env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DB_PORT: `${dbPort}`, DATA_DIR: folder }
  const shop = spawn('npm', ['start'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await readyOf(shop)
    const sandbox = { url: `http://127.0.0.1:${sandboxPort}` }
    await payThroughPages(url)
    await payThroughApi(url, sandbox)
    expect((await fetch(`http://127.0.0.1:${dbPort}/dump`)).status).toBe(401)
    const started = descendantsOf(shop.pid!)
    expect(started.length).toBeGreaterThanOrEqual(3)
    await stop(shop)
    expect(started.filter((pid) => isRunning(pid))).toEqual([])
    for (const each of [port, sandboxPort, dbPort]) expect(await isFree(each)).toBe(true)
  } finally {
    await stop(shop)
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each([
  ['sqld', 'The database server (sqld) has ended by itself.'],
  ['workerd', 'The Worker (workerd) has ended by itself.'],
])('says that %s has died, and ends', { timeout: 120_000 }, async (name, sentence) => {
  const [port, sandboxPort, dbPort] = [await freePort(), await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-start-'))
  const env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DB_PORT: `${dbPort}`, DATA_DIR: folder, SEED: 'none' }
  const shop = spawn('npm', ['start'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    shop.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await readyOf(shop)
    const started = descendantsOf(shop.pid!)
    const ended = new Promise((resolve) => shop.once('exit', resolve))
    const child = started.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name)
    process.kill(child!, 'SIGKILL')
    expect(await ended).toBe(1)
    expect(said.split('\n').filter((line) => line.includes('has ended by itself'))).toEqual([
      expect.stringContaining(sentence),
    ])
    expect(started.filter((pid) => isRunning(pid))).toEqual([])
  } finally {
    await stop(shop)
    rmSync(folder, { recursive: true, force: true })
  }
})

test('two commands on a fresh clone install the packages once, and a dead one does not block', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'cadenza-clone-'))
  const bin = join(clone, 'bin')
  mkdirSync(bin)
  cpSync('scripts/run.mjs', join(clone, 'scripts/run.mjs'))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  writeFileSync(join(clone, '.installing'), '999999999')
  const npm =
    '#!/bin/sh\necho begin >> installs; rm -rf node_modules; sleep 1; mkdir node_modules; echo end >> installs\n'
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const run = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['scripts/run.mjs', 'nothing'], { cwd: clone, env })
      let said = ''
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.once('exit', () => resolve(said))
    })
  const said = (await Promise.all([run(), run()])).sort()
  expect(said[0]).toMatch(/^Another command \(process \d+\) installs the packages\. Waiting …\n$/)
  expect(said[1]).toBe('Installing packages (npm ci) …\n')
  expect(readFileSync(join(clone, 'installs'), 'utf8')).toBe('begin\nend\n')
  rmSync(clone, { recursive: true, force: true })
})

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
  const orders = await browser.press(form, 'Order Now', { ...parcel, orderQuantity })
  expect(orders.text).toContain('New order added. Please complete payment!')
  const pay = await browser.get(orders.page.querySelector('a[href*="/payment/"]')!.getAttribute('href')!)
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

function readyOf(shop: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    shop.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const url = /Ready: (\S+)/.exec(said)?.[1]
      if (url) resolve(url)
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

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
