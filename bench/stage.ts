import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../app/db/open.server'
import { addToSearch } from '../app/store/catalog/search/index-instruments.server'
import { startSandbox } from '../sandbox/serve'
import { migrateDatabase, type DatabaseAddress } from '../dev/database'
import { freePort } from '../dev/ports'
import { seedDemoShop } from '../dev/demo'
import { localVars } from '../dev/environment'

/** A Worker in a workerd process of its own, so that its cost can be measured alone. */
export interface Served {
  origin: string
  pid: number
}

export interface Database extends DatabaseAddress {
  /** Of sqld. */
  pid: number
  /** Of the process with the pool in front of it. */
  poolPid: number
}

export class Stage {
  private readonly stops: (() => Promise<unknown>)[] = []

  async database({ instruments = 0 } = {}): Promise<Database> {
    const folder = mkdtempSync(join(tmpdir(), 'cadenza-bench-'))
    const child = fork('bench/database-process.ts', { execArgv: ['--import', 'tsx'] })
    child.send(folder)
    const [address] = (await once(child, 'message')) as [DatabaseAddress & { pid: number }]
    const database = { ...address, poolPid: child.pid! }
    this.stops.push(async () => {
      await killAll(child, [database.pid])
      rmSync(folder, { recursive: true, force: true })
    })
    await migrateDatabase(database)
    await seedDemoShop(database)
    const client = createClient({ url: database.url, authToken: database.authToken })
    await client.batch(stockForLoad, 'write')
    // In steps: a request to the database has a time limit.
    for (let from = 0; from < instruments; from += step)
      await client.batch(insertInstruments(from, Math.min(step, instruments - from)), 'write')
    const db = openDatabase(database)
    for (const statement of addToSearch(db, sql`instruments.id GLOB 'bench-*'`)) await statement
    return database
  }

  async sandbox(webhookUrl = () => 'http://127.0.0.1:9/nobody'): Promise<string> {
    const sandbox = await startSandbox({ port: 0, webhookUrl, log: () => undefined })
    this.stops.push(() => sandbox.stop())
    return sandbox.url
  }

  async worker({ script, vars = {} }: { script?: string; vars?: Record<string, string> }): Promise<Served> {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const child = fork('tests/stress/worker-process.ts', { execArgv: ['--import', 'tsx'], stdio: 'ignore' })
    this.stops.push(() => killAll(child, pids))
    child.send({ port, script, vars: { ...vars, SHOP_ORIGIN: vars.SHOP_ORIGIN || origin } })
    const [pids] = (await once(child, 'message')) as [number[]]
    return { origin, pid: pids[0]! }
  }

  shop(database: DatabaseAddress, sandboxUrl: string, vars: Record<string, string> = {}): Promise<Served> {
    return this.worker({ vars: { ...localVars({ origin: '', database, sandboxUrl }), ...vars } })
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) await stop()
  }
}

async function killAll(child: ChildProcess, workerds: number[]): Promise<void> {
  for (const pid of workerds) process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const step = 20_000

const stockForLoad = [
  `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta)
   SELECT 1, 'stock counted', 'bench', id, 900000 FROM instruments WHERE id = 'violin-4-4'`,
]

function insertInstruments(from: number, count: number): string[] {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count})`
  return [
    `INSERT INTO instruments (id, name, img, description, price_cents, min_quantity, listed_at)
     ${numbers} SELECT 'bench-' || i, 'Flute No. ' || i || iif(i % 69, '', ', bamboo') || iif(i % 10, '', ', piccolo'), '/plates/flute-c.svg',
       'Silver-plated, with a C foot.', 45000 + i % 977, 1 + i % 5, 4000000000000 + i FROM n`,
    `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta)
     ${numbers} SELECT 1, 'stock counted', 'bench', 'bench-' || i, 20 + i % 50 FROM n`,
  ]
}
