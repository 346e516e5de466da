import { join } from 'node:path'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { reconcile } from '../../../app/store/payments/reconcile.server'
import { restoreBackup, takeBackup } from '../../../dev/backup'
import { buildIfStale } from '../../../dev/build'
import { localVars } from '../../../dev/environment'
import { freePort } from '../../../dev/ports'
import { payWith } from '../card'
import { check } from '../checker/check'
import { readSandbox, type LedgerEntry } from '../checker/ledger'
import { scaled, randomOf, wrongOf, type Effort, type Report } from '../report'
import { rest } from '../rest'
import { signIn, TestEnvironment, type Person } from '../test-environment'
import { startProcess } from './kills'

interface Buyer {
  person: Person
  cookie: string
}

/**
 * A backup under load at three Workers, and kills of them and of the database before and after. Customers pay on, then the database is
 * lost: the backup is restored into an empty one, and every payment of the provider must pay an order, be refunded or be owed.
 */
export async function runRestores(effort: Effort): Promise<Report> {
  await buildIfStale(effort.say)
  const env = await TestEnvironment.open()
  const folder = mkdtempSync(join(tmpdir(), 'cadenza-drill-'))
  const workers = await Promise.all(Array.from({ length: scaled(effort, 3) }, () => openWorker(env)))
  try {
    return await drill(effort, env, workers, join(folder, 'backup.gz'))
  } finally {
    for (const worker of workers) worker.process.kill()
    await env.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Worker = Awaited<ReturnType<typeof openWorker>>

async function openWorker(env: TestEnvironment) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const start = () => startProcess(port, localVars({ origin, database: env.database, sandboxUrl: env.sandbox.url }))
  return { origin, process: await start(), start }
}

async function drill(effort: Effort, env: TestEnvironment, workers: Worker[], file: string): Promise<Report> {
  const { history } = env
  const random = randomOf(effort.seed)
  const clients = Math.min(64, scaled(effort, 64, 4))
  const purchases = scaled(effort, 600, 12)
  const kills = scaled(effort, 12, 0)
  const instrument = await env.sells({ stock: 100_000 })
  const buyers: Buyer[] = []
  for (let index = 0; index < clients; index++) {
    const person = await env.person()
    buyers.push({ person, cookie: await signIn(env, person) })
  }
  const load = (count: number, killCount: number) =>
    underLoad({ env, workers, buyers, instrument, random }, count, killCount)

  effort.say(`${clients} customers buy …`)
  await load(purchases, Math.floor(kills / 2))
  // Paid after the backup, though ordered before.
  const payLater = await Promise.all(
    buyers.slice(0, 4).map((buyer) => order({ env, workers, instrument, random }, buyer)),
  )
  const handles = await Promise.all(payLater.map((id, index) => startCheckout({ workers, random }, buyers[index]!, id)))
  effort.say('A backup, while they buy on …')
  const boughtBefore = history.ordered.length
  const buying = load(purchases, 0)
  while (history.ordered.length < boughtBefore + purchases / 3) await wait(5)
  const known = { ordered: history.ordered.length, paid: history.paid.length }
  const backupStart = Date.now()
  const backup = () => takeBackup(env.database, file, () => undefined)
  // After a kill, a kept connection is dead.
  const manifest = await backup().catch(backup)
  const backupSeconds = seconds(backupStart)
  await buying
  for (const [index, url] of handles.entries()) {
    history.payables.push({ order: payLater[index]!, payable: url.split('/').at(-1)! })
    await payWith(env.sandbox.url, { kind: 'checkout', url })
  }
  const numbersBefore = await env.query('SELECT max(number) AS number FROM orders')
  const lostAfter = new Set(
    (await env.query('SELECT id, number FROM orders')).map(({ id, number }) => `${String(id)} ${String(number)}`),
  )

  effort.say('The database is lost, and restored …')
  for (const worker of workers) worker.process.kill()
  await env.loseDatabase()
  const restoreStart = Date.now()
  await restoreBackup(file, env.database, () => undefined)
  const restoreSeconds = seconds(restoreStart)
  const present = new Map(
    (await env.query('SELECT id, number FROM orders')).map(({ id, number }) => [String(id), Number(number)]),
  )
  const lost = [...lostAfter].map((line) => line.split(' ')).filter(([id]) => !present.has(id!))
  // This one can no longer be paid when the payment is found.
  await env.cancelBlindly(payLater[0]!)
  const wrong: string[] = []
  if ((await env.query('SELECT 1 FROM sessions')).length > 0) wrong.push('a session lives again')

  effort.say('Reconciling …')
  const reconcileStart = Date.now()
  const since = Date.parse(manifest.takenAt)
  const outcomes: string[] = []
  // Each Worker has an origin of its own: as three shops on one account.
  const depsOf = (origin: string) => ({ ...env.worker(), origin, now: Date.now })
  for (const { origin } of workers)
    outcomes.push(...(await reconcile(depsOf(origin), since)).findings.map(({ outcome }) => outcome))
  const reconcileSeconds = seconds(reconcileStart)
  for (const { origin } of workers) {
    const again = await reconcile(depsOf(origin), since)
    if (again.findings.length + again.refundsFound > 0) wrong.push('the second run found something')
  }
  const count = (start: string) => outcomes.filter((outcome) => outcome.startsWith(start)).length
  if (count('left') > 0) wrong.push(`${count('left')} payments are left`)
  if (count('owed') === 0 || count('settled') === 0 || count('refund') === 0)
    wrong.push(`too little was lost: ${outcomes.join(', ')}`)

  effort.say('Customers buy at the restored shop …')
  for (const worker of workers) worker.process = await worker.start()
  for (const buyer of buyers) buyer.cookie = await signIn(env, buyer.person)
  const restored = history.ordered.length
  await load(Math.ceil(purchases / 2), kills - Math.floor(kills / 2))
  const [first] = await env.query(
    `SELECT min(number) AS number FROM orders WHERE number > ${Math.max(...present.values())}`,
  )
  if (Number(first!.number) <= Number(numbersBefore[0]!.number)) wrong.push('a number of an order was given out twice')

  effort.say('Checking …')
  await rest(env)
  // What was acknowledged between the backup and the loss may be lost, and nothing else.
  const between = history.ordered.splice(known.ordered, restored - known.ordered)
  history.unsure.push(...between)
  const paidThen = history.paid.filter(
    ({ order: id }, index) => index < known.paid || present.has(id) || !lost.some(([gone]) => gone === id),
  )
  history.paid.splice(0, history.paid.length, ...paidThen.filter(({ order: id }) => id !== payLater[0]))
  const lostNumbers = lost.map(([, number]) => `C-${number}`)
  const violations = (await check(env.places(true))).filter(
    ({ invariant, subject, message }) =>
      !(invariant === 16 && message.includes('never written') && lostNumbers.includes(subject.split(':')[1]!)),
  )
  wrong.push(...wrongOf(violations))
  const succeeded = (await readSandbox<LedgerEntry[]>(env.sandbox.url, '/ledger')).filter(
    ({ what }) => what === 'succeeded',
  )
  return {
    part: 'restores',
    figures: {
      'customers, Workers, kills': `${clients}, ${workers.length}, ${kills}`,
      'rows of the backup, MB': `${Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0)}, ${(statSync(file).size / 1e6).toFixed(2)}`,
      'seconds of backup, restore, reconciling': [backupSeconds, restoreSeconds, reconcileSeconds].join(', '),
      'payments at the provider': succeeded.length,
      'orders lost by the restore': lost.length,
      'payments found': outcomes.length,
      'settled, refunded, owed without an order, left': ['settled', 'refund', 'owed', 'left'].map(count).join(', '),
      violations: violations.length,
    },
    wrong,
  }
}

interface Market {
  env: TestEnvironment
  workers: Worker[]
  instrument: string
  random: () => number
}

/** Customers order and pay; Workers and the database get a SIGKILL at random times. */
async function underLoad(market: Market & { buyers: Buyer[] }, purchases: number, kills: number): Promise<void> {
  const { env, workers, buyers, random } = market
  let [left, done] = [purchases, 0]
  const shopping = Promise.all(
    buyers.map(async (buyer) => {
      while (left-- > 0) {
        await buy(market, buyer)
        done++
      }
    }),
  )
  for (let killed = 0; killed < kills; killed++) {
    while (done < (purchases * killed) / kills) await wait(20)
    if (killed % 3 === 0) await env.killDatabase()
    else {
      const worker = workers[Math.floor(random() * workers.length)]!
      worker.process.kill()
      worker.process = await worker.start()
    }
  }
  await shopping
}

async function buy(market: Market, buyer: Buyer): Promise<void> {
  const { env, workers, random } = market
  const id = await order(market, buyer)
  const url = await startCheckout({ workers, random }, buyer, id)
  env.history.payables.push({ order: id, payable: url.split('/').at(-1)! })
  await payWith(env.sandbox.url, { kind: 'checkout', url })
  const page = await persist(
    () => ask(market, buyer, `/dashboard/myOrders/payment/${id}?from=checkout`),
    ({ status }) => status === 200,
  )
  if (page.text.includes('Your payment is successful!')) env.history.paid.push({ order: id, transaction: null })
}

async function order(market: Market, buyer: Buyer): Promise<string> {
  const { env, instrument } = market
  const submission = crypto.randomUUID()
  const attempt = { customer: buyer.person.id, instrument, submission, quantity: 1 }
  env.history.unsure.push(attempt)
  const form = {
    submissionId: submission,
    orderQuantity: '1',
    customerAddress: '1 Bow Lane',
    customerPhone: '07700 900123',
  }
  await persist(() => ask(market, buyer, `/instruments/${instrument}`, form), isRedirect)
  env.history.ordered.push({ ...attempt, order: null, shownPrice: null })
  for (let tries = 0; tries < 100; tries++) {
    const [row] = await env.query(`SELECT id FROM orders WHERE submission_id = '${submission}'`).catch(() => [])
    if (row) return String(row.id)
    await wait(100)
  }
  throw new Error('The order that the shop acknowledged is not there.')
}

async function startCheckout(market: Pick<Market, 'workers' | 'random'>, buyer: Buyer, id: string): Promise<string> {
  const response = await persist(() => ask(market, buyer, `/dashboard/myOrders/payment/${id}`, {}), isRedirect)
  const location = response.headers.get('location')!
  if (!location.includes('/checkout/')) throw new Error(`The payment of ${id} led to ${location}`)
  return location
}

interface Answer {
  status: number
  headers: Headers
  text: string
}

const isRedirect = ({ status }: Answer) => status === 302 || status === 303

/** With the whole page: a kill also cuts off those that have begun. */
async function ask(
  { workers, random }: Pick<Market, 'workers' | 'random'>,
  { cookie }: Buyer,
  path: string,
  form?: Record<string, string>,
): Promise<Answer> {
  const { origin } = workers[Math.floor(random() * workers.length)]!
  const response = await fetch(origin + path, {
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    headers: { cookie, origin },
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A customer tries again while the shop is away. */
async function persist(send: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await send().catch(() => null)
    if (answer && isDone(answer)) return answer
    await wait(200)
  }
  throw new Error('The shop stayed away.')
}

function seconds(start: number): string {
  return ((Date.now() - start) / 1000).toFixed(1)
}
