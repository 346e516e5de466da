/*
 * Do login and password reset reveal which emails have an account? Sends interleaved pairs to the built Worker
 * and prints medians, a Mann-Whitney p-value and differences in status or body. Exits with 1 if answers or times differ.
 */
import { openDatabase } from '../app/db/open.server'
import { passwords, users } from '../app/db/schema'
import { hashPassword } from '../app/store/accounts/passwords.server'
import { openTemporaryShop } from '../dev/temporary-shop'

const pairs = Number(process.argv[2] ?? 150)
const shop = await openTemporaryShop()
let isTold = false

try {
  const db = openDatabase(shop.database)
  const hash = await hashPassword('nobody guesses this')
  const known = Array.from({ length: pairs }, (_, index) => ({
    id: `known-${index}`,
    email: `known${index}@example.com`,
  }))
  await db.insert(users).values(known.map((user) => ({ ...user, name: 'Known', createdAt: Date.now() })))
  await db.insert(passwords).values(known.map(({ id }) => ({ userId: id, hash, changedAt: Date.now() })))

  for (const [path, fields] of [
    ['/login', { password: 'not this one' }],
    ['/forgot-password', {}],
  ] as const) {
    const times = { known: [] as number[], unknown: [] as number[] }
    const answers = new Set<string>()
    for (let index = 0; index < pairs; index++) {
      const order = index % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const kind of order) {
        const { milliseconds, answer } = await send(path, { email: `${kind}${index}@example.com`, ...fields }, index)
        times[kind].push(milliseconds)
        answers.add(answer)
        // Background work (an email for a known user) must not slow the next request down.
        await new Promise((resolve) => setTimeout(resolve, 60))
      }
    }
    const p = pValue(times.known, times.unknown)
    isTold ||= p < 0.001 || answers.size > 1
    const medians = `known ${median(times.known).toFixed(2)} ms, unknown ${median(times.unknown).toFixed(2)} ms`
    console.log(`${path}: ${pairs} pairs, medians ${medians}, p = ${p.toFixed(3)}`)
    console.log(`  different answers (status, headers that lead somewhere, body without the address): ${answers.size}`)
  }
} finally {
  await shop.stop()
}
process.exit(isTold ? 1 : 0)

async function send(path: string, fields: Record<string, string>, index: number) {
  const headers = { origin: shop.url, 'cf-connecting-ip': `198.51.${Math.floor(index / 250)}.${index % 250}` }
  const startedAt = performance.now()
  const response = await fetch(shop.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  })
  const body = (await response.text()).replaceAll(fields.email!, '…')
  const milliseconds = performance.now() - startedAt
  return { milliseconds, answer: [response.status, response.headers.get('location'), body].join('\n') }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Two-sided Mann-Whitney U test, normal approximation. */
function pValue(a: number[], b: number[]): number {
  const u = a.reduce((sum, x) => sum + b.filter((y) => y < x).length, 0)
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  const z = Math.abs(u - (a.length * b.length) / 2) / deviation
  return 2 * (1 - normal(z))
}

/** Abramowitz and Stegun 26.2.17. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429].reduce(
    (sum, factor, index) => sum + factor * t ** (index + 1),
    0,
  )
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
