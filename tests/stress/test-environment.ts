import { createHash, randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@libsql/client/web'
import { openDatabase } from '../../app/db/open.server'
import type { Deps, EmailProvider, Payments } from '../../app/store/deps'
import { testDeps } from '../support/fixture'
import { startSandbox } from '../../sandbox/serve'
import { migrateDatabase, startDatabase, type Database } from '../../dev/database'
import { check } from './checker/check'
import type { Places } from './checker/facts'
import { History, type PriceList } from './checker/history'
import type { DiscountRow } from './checker/facts'
import type { Violation } from './checker/violation'
import { Clock, hours } from './clock'
import { tamper, type DatabaseHook } from './tampering'

const shopOrigin = 'http://127.0.0.1:8788'

export interface Tampering {
  db?: DatabaseHook
  payments?: (payments: Payments) => Payments
  mail?: (email: EmailProvider) => EmailProvider
}

export interface Person {
  id: string
  email: string
}

let made: Promise<string> | undefined

function newTemplate(): Promise<string> {
  return (made ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cadenza-stress-template-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const database = await startDatabase({ folder })
    await migrateDatabase(database)
    const client = createClient({ url: database.url, authToken: database.authToken })
    await client.batch(
      [
        `INSERT INTO audit_log (at, event, actor, note) VALUES (0, 'shop emails changed', 'stress', 'none → each')`,
        `UPDATE shop_settings SET order_emails = 'each'`,
      ],
      'write',
    )
    client.close()
    await database.stop()
    return folder
  })())
}

/** app/store on a libSQL server and a sandbox of its own, with a movable clock. Its own SQL writes the test data. */
export class TestEnvironment {
  readonly clock = new Clock()
  readonly history = new History()
  private people = 0
  private databaseFolder: string
  private readonly client: Client

  private constructor(
    public database: Database,
    readonly sandbox: Awaited<ReturnType<typeof startSandbox>>,
    private readonly folder: string,
    readonly holdMs: number,
    clock: Clock,
  ) {
    this.clock = clock
    this.databaseFolder = folder
    this.client = createClient({ url: database.url, authToken: database.authToken })
  }

  static async open({ holdMs = 72 * hours } = {}): Promise<TestEnvironment> {
    const folder = mkdtempSync(join(tmpdir(), 'cadenza-stress-'))
    cpSync(await newTemplate(), folder, { recursive: true })
    const clock = new Clock()
    const database = await startDatabase({ folder })
    const options = { port: 0, webhookUrl: 'http://127.0.0.1:9/nobody', now: clock.now, log: () => undefined }
    const sandbox = await startSandbox(options)
    return new TestEnvironment(database, sandbox, folder, holdMs, clock)
  }

  static async use<T>(act: (env: TestEnvironment) => Promise<T>, options?: { holdMs: number }): Promise<T> {
    const env = await TestEnvironment.open(options)
    try {
      return await act(env)
    } finally {
      await env.close()
    }
  }

  async close(): Promise<void> {
    await this.sandbox.stop()
    await this.database.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The database is lost: a new one without tables takes its address and token. */
  async loseDatabase(): Promise<void> {
    const empty = join(this.folder, 'restored')
    mkdirSync(empty)
    for (const file of ['auth-key', 'auth-token']) cpSync(join(this.folder, file), join(empty, file))
    this.databaseFolder = empty
    await this.killDatabase()
  }

  async killDatabase(): Promise<void> {
    const port = Number(new URL(this.database.url).port)
    process.kill(this.database.pid, 'SIGKILL')
    await this.database.stop()
    this.database = await startDatabase({ folder: this.databaseFolder, port })
    // The client notices a broken connection to the old server only when it uses it.
    for (let successes = 0; successes < 3; successes++) {
      await this.client.execute('SELECT 1').catch(() => (successes = 0))
    }
  }

  worker({ db, payments = (same) => same, mail = (same) => same }: Tampering = {}): Deps {
    const opened = openDatabase(this.database)
    const deps = testDeps({
      db: db ? tamper(opened, db) : opened,
      now: this.clock.now,
      holdMs: this.holdMs,
      keepOrdersYears: 10,
      origin: shopOrigin,
      sandboxUrl: this.sandbox.url,
    })
    return { ...deps, payments: payments(deps.payments), email: mail(deps.email) }
  }

  /** sqld refuses what waits for a connection for too long, and has done nothing: a busy machine tries again. */
  async sql(...statements: { sql: string; args?: (string | number | null)[] }[]): Promise<void> {
    const batch = statements.map(({ sql, args = [] }) => ({ sql, args }))
    for (let left = 20; ; left--) {
      try {
        await this.client.batch(batch, 'write')
        return
      } catch (error) {
        if (left === 0 || !String(error).includes('HTTP status 429')) throw error
      }
    }
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.client.execute(sql)).rows
  }

  async person(role: 'customer' | 'admin' = 'customer'): Promise<Person> {
    const id = `${role}-${++this.people}`
    const email = `${id}@example.com`
    const args = [id, email, role, this.clock.now()]
    await this.sql({
      sql: `INSERT INTO users (id, email, name, role, email_verified_at, created_at) VALUES (?, ?, 'Ada', ?, 1, ?)`,
      args,
    })
    return { id, email }
  }

  /** `price` in cents. */
  async sells({
    id = crypto.randomUUID(),
    price = 250_00,
    breaks = [] as PriceList['breaks'],
    minimum = 1,
    stock = 10,
  } = {}): Promise<string> {
    const at = this.clock.now()
    await this.sql(
      {
        sql: `INSERT INTO instruments (id, name, img, price_cents, price_breaks, min_quantity, low_stock_threshold, listed_at) VALUES (?, 'Violin', '/v.svg', ?, ?, ?, 3, ?)`,
        args: [id, price, JSON.stringify(breaks), minimum, at],
      },
      stocked(id, stock, at),
    )
    this.history.priced(id, { price, breaks }, at)
    return id
  }

  /** Its SQL is the stress's own. */
  async discount(terms: Partial<DiscountRow>): Promise<DiscountRow> {
    const code = `CODE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`
    const all: DiscountRow = {
      ...{ code, percent: null, amount_cents: null, from_at: 0, until_at: null, ended_at: null, min_total_cents: 0 },
      ...{ max_uses: null, max_uses_per_customer: null, instruments: '[]', families: '[]', combines: 0 },
      ...terms,
    }
    const columns = Object.keys(all)
    const sql = `INSERT INTO discounts (${columns.join(', ')}, created_at) VALUES (${columns.map(() => '?').join(', ')}, 0)`
    await this.sql({ sql, args: Object.values(all) as (string | number | null)[] })
    return all
  }

  async restock(instrument: string, pieces: number): Promise<void> {
    await this.sql(stocked(instrument, pieces, this.clock.now()))
  }

  async reprice(
    instrument: string,
    price: number,
    breaks: PriceList['breaks'] = [],
    sale?: PriceList['sale'],
  ): Promise<void> {
    const at = this.clock.now()
    this.history.priced(instrument, { price, breaks, sale }, at)
    const sql = `UPDATE instruments SET price_cents = ?, price_breaks = ?, sale_cents = ?, sale_from_at = ?, sale_until_at = ?
      WHERE id = ?`
    const args = [
      price,
      JSON.stringify(breaks),
      sale?.price ?? null,
      sale?.from ?? null,
      sale?.until ?? null,
      instrument,
    ]
    await this.sql({ sql, args })
  }

  async remove(instrument: string): Promise<void> {
    await this.sql({ sql: 'UPDATE instruments SET removed_at = ? WHERE id = ?', args: [this.clock.now(), instrument] })
  }

  /** Skips the provider, so that a payment arrives too late. */
  async cancelBlindly(order: string): Promise<void> {
    const cancel = `UPDATE orders SET state = 'cancelled', cancelled_at = ?, moved_by = 'stress' WHERE id = ? AND state = 'unpaid'`
    await this.sql(
      { sql: `UPDATE payment_attempts SET state = 'closed' WHERE order_id = ?`, args: [order] },
      { sql: cancel, args: [this.clock.now(), order] },
    )
  }

  check(atRest = true): Promise<Violation[]> {
    return check(this.places(atRest))
  }

  places(atRest: boolean): Places {
    return { database: this.database, sandboxUrl: this.sandbox.url, history: this.history, atRest }
  }
}

function stocked(instrument: string, pieces: number, at: number) {
  const sql = `INSERT INTO audit_log (at, event, actor, instrument_id, stock_delta) VALUES (?, 'stock counted', 'stress', ?, ?)`
  return { sql, args: [at, instrument, pieces] }
}

/** The cookie of a new session. */
export async function signIn(env: TestEnvironment, { id }: Person): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(secret).digest('hex')
  const now = Date.now()
  await env.sql({
    sql: 'INSERT INTO sessions (token_hash, user_id, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    args: [hash, id, now, now, now + 24 * hours],
  })
  return `session=${encodeURIComponent(Buffer.from(JSON.stringify(secret)).toString('base64'))}`
}
