import { readdirSync } from 'node:fs'
import { logIn } from './log-in'

interface SmokeTest {
  origin: string
  /** A customer without a second factor, who places an order and cancels it. */
  account?: { email: string; password: string } | undefined
  /** A domain or a version takes a while to arrive everywhere. */
  patienceMs: number
  log: (line: string) => void
}

/** Throws what does not work at a deployed shop. */
export async function smokeTest({ origin, account, patienceMs, log }: SmokeTest): Promise<void> {
  const deadline = Date.now() + patienceMs
  const manifest = readdirSync('build/client/assets').find((name) => name.startsWith('manifest-')) ?? ''
  const pages: [path: string, text: string][] = [
    // A file of this build: until it is there, the version before this one answers.
    [`/assets/${manifest}`, ''],
    ['/healthz?deep', ''],
    ['/', '<main'],
    ['/login', 'name="password"'],
  ]
  for (const [path, text] of pages) {
    for (let problem = await look(origin + path, text); problem; problem = await look(origin + path, text)) {
      if (Date.now() > deadline) throw new Error(`${origin}${path} ${problem}`)
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
    log(`  ${path} works.`)
  }
  const untested = account ? await order(origin, account) : 'that needs test keys, SMOKE_EMAIL and SMOKE_PASSWORD'
  log(untested ? `  NOT TESTED: an order: ${untested}.` : '  An order can be placed, its payment begun, and cancelled.')
}

async function look(url: string, text: string): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual', signal: timeout() })
    const body = await response.text()
    if (response.status !== 200) return `answers ${response.status}: ${body.slice(0, 500)}`
    return body.includes(text) ? null : `has no ${text}`
  } catch (error) {
    return `does not answer: ${reasonOf(error)}`
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

const timeout = () => AbortSignal.timeout(15_000)

interface Instrument {
  _id: string
  price: number
  minQuantity: number
  availableQuantity: number
}

/** The cheapest order there is. A text says why there is none. */
async function order(origin: string, account: { email: string; password: string }): Promise<string | null> {
  const headers = { origin, cookie: await logIn(origin, account), 'content-type': 'application/json' }

  async function call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const init = { method, headers, signal: timeout(), ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(origin + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text) as Result
  }

  const instruments = (await call<Instrument[]>('GET', '/instruments')).filter(
    ({ minQuantity, availableQuantity }) => availableQuantity >= minQuantity,
  )
  const [cheapest] = instruments.sort((one, other) => one.price * one.minQuantity - other.price * other.minQuantity)
  if (!cheapest) return 'no instrument is in stock'
  const { insertedId: id } = await call<{ insertedId: string }>('POST', '/order', {
    instrumentId: cheapest._id,
    orderQuantity: cheapest.minQuantity,
    customerAddress: 'Smoke test: do not ship',
    customerPhone: '00000 000000',
  })
  try {
    const { orderPrice } = await call<{ orderPrice: number }>('GET', `/order/${id}`)
    await call('POST', '/create-payment-intent', { orderPrice, orderId: id })
  } finally {
    await call('DELETE', `/order/${encodeURIComponent(account.email)}?orderId=${id}`)
  }
  return null
}
