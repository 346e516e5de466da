import { createClient } from '@libsql/client/http'
import { fetchGenerator, fire, median, type Target } from './load'
import { invitePeople, personOf, placeOrder } from './orders'
import type { Results } from './report'
import { usage } from '../dev/cpu'
import type { Served, Stage } from './stage'

const [size, readers] = [10_000, 8]
const thousands = size.toLocaleString('en-US')

const html = { accept: 'text/html' }
const json = { accept: 'application/json' }

const readings: { path: string; headers: Record<string, string>; note?: string }[] = [
  { path: '/merchant.xml', headers: {} },
  { path: '/sitemap.xml', headers: {} },
  { path: '/instruments', headers: json },
  { path: '/instruments?max=900001', headers: json },
  { path: '/instruments?limit=999', headers: json },
  { path: '/reviews', headers: json },
  { path: '/catalog.html', headers: html },
  { path: '/allInstruments?q=flute', headers: html },
  { path: '/allInstruments?q=flute', headers: { ...html, cookie: 'session=x' }, note: ' with a made-up session' },
  { path: '/allInstruments?q=zz', headers: html },
  { path: '/allInstruments?page=199&sort=price', headers: html },
  { path: '/allInstruments', headers: { accept: 'text/plain' }, note: ' as text' },
  { path: '/openapi.json', headers: json },
]

/**
 * What a public list costs in a large shop, and what eight readers of it do to a customer who orders. The readers share the cores of this
 * machine with the shop, which those of a real shop do not: so an order is also timed beside readers of a Worker that is not the shop.
 */
export async function measureReaders(
  stage: Stage,
  results: Results,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  fetchGenerator()
  const database = await stage.database({ instruments: size - 24 })
  const client = createClient({ url: database.url, authToken: database.authToken })
  await invitePeople(client)
  await client.execute(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
     INSERT INTO reviews (id, user_id, name, img, description, created_at)
     SELECT 'bench-' || i, 'bench-' || (i % 500), 'Bench', '/art/avatar.svg', 'A warm sound, and it was here in three days.', i FROM n`,
  )
  client.close()
  const served = await stage.shop(database, await stage.sandbox())
  const empty = await stage.worker({ script: 'bench/empty.mjs' })
  let n = 0
  const order = async () => {
    const from = performance.now()
    await placeOrder(served, personOf(n++))
    return performance.now() - from
  }
  await during(2, order)
  const rows: [string, ...number[]][] = []
  for (const reading of readings) {
    const name = `${reading.path}${reading.note ?? ''}`
    const cost = await costOf(served, database.pid, reading)
    const alone: number[] = []
    const beside: number[] = []
    const besideEmpty: number[] = []
    let answers = 0
    const orderBeside = async (target: Target, seconds: number, into: number[]) => {
      const reads = { isOver: false }
      const load = fire({ ...target, connections: readers }, { seconds }).finally(() => (reads.isOver = true))
      while (!reads.isOver) into.push(await order())
      return (await load).requests
    }
    // The parts of eight long lists take turns: all of them end after some eight seconds (app/http/request/turns.server.ts).
    const readSeconds = Math.max(seconds, 15)
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await during(seconds / 2, order)))
      await orderBeside({ name: 'a bare Worker', served: empty, path: '/' }, seconds / 2, besideEmpty)
      answers += await orderBeside({ name, served, ...reading }, readSeconds, beside)
    }
    const [p50, emptyP50, besideP50] = [median(alone), median(besideEmpty), median(beside)]
    rows.push([
      name,
      ...cost,
      answers / rounds / readSeconds,
      p50,
      emptyP50,
      besideP50,
      besideP50 / Math.max(p50, emptyP50),
    ])
  }
  results.say(
    '## Readers',
    '',
    `A shop of ${thousands} instruments and ${thousands} reviews: CPU milliseconds and bytes of one answer, one by one; then p50 of an order, alone, beside ${readers} clients that read a bare Worker without a pause, and beside ${readers} that read the shop. The ratio is of the last two.`,
  )
  results.table(
    ['', 'bytes', 'Worker', 'database', 'read/s', 'order p50 ms', 'beside a bare Worker', 'beside readers', 'ratio'],
    rows,
  )
  results.check(
    ...rows.map(([what, ...figures]) => ({
      what: `${what}: an order beside ${readers} readers`,
      value: figures.at(-1)!,
      max: 1.5,
    })),
  )
}

async function during(seconds: number, run: () => Promise<number>): Promise<number[]> {
  const until = performance.now() + seconds * 1000
  const durations: number[] = []
  while (performance.now() < until) durations.push(await run())
  return durations
}

/** Bytes, and CPU milliseconds of the Worker and of the database. */
async function costOf(
  { origin, pid }: Served,
  databasePid: number,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<[bytes: number, worker: number, database: number]> {
  const times = 30
  const read = async () => (await (await fetch(origin + path, { headers })).arrayBuffer()).byteLength
  const bytes = await read()
  const cpu = () => [usage(pid).cpuMs, usage(databasePid).cpuMs] as const
  const before = cpu()
  for (let time = 0; time < times; time++) await read()
  const [worker, database] = cpu().map((after, index) => (after - before[index]!) / times) as [number, number]
  return [bytes, worker, database]
}
