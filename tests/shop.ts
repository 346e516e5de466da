import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { inject, test as base } from 'vitest'
import { openDatabase } from '../app/db/open.server'
import { instruments, journal, orders, passwords, users } from '../app/db/schema'
import { resendMail } from '../app/gateways/mail.server'
import { stripePayments } from '../app/gateways/stripe.server'
import { grantAdmin } from '../app/store/customers.server'
import { newId } from '../app/store/ids.server'
import { hashPassword } from '../app/store/passwords.server'
import type { Deps } from '../app/store/deps'
import { addInstrument } from '../app/store/stockroom.server'
import { mailApiKey, stripeSecretKey, stripeWebhookSecret } from '../sandbox/keys'
import { startSandbox } from '../sandbox/serve'
import { startDatabase, type Database } from '../scripts/database'
import { localVars } from '../scripts/local'
import { check } from './checker/check'
import { describe, type Violation } from './checker/violation'
import { Visitor } from './visitor'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

export interface Customer {
  id: string
  name: string
  email: string
  password: string
}

/** Every customer of a test has this password: hashing it once is enough. */
const password = 'correct horse'
let hash: Promise<string> | undefined

const origin = 'http://127.0.0.1:8788'

/** A shop of a test's own: real libSQL server on a copy of the migrated template, real gateways against a sandbox. */
export class Shop {
  readonly deps: Deps
  readonly vars: Record<string, string>
  private readonly visitors: Visitor[] = []
  private broken: string | null = null
  private constructor(
    public database: Database,
    readonly sandbox: Sandbox,
    private readonly folder: string,
  ) {
    this.vars = localVars({ origin, databaseUrl: database.url, sandboxUrl: sandbox.url })
    // Tests also change the shop from behind, which no Worker could know of.
    this.vars.EDGE_CACHE_SECONDS = '0'
    this.deps = {
      db: openDatabase({ url: database.url }),
      now: Date.now,
      origin,
      shopMail: 'shop@cadenza.example',
      holdMs: 72 * 60 * 60 * 1000,
      changed: () => undefined,
      report: (what, error) => console.error(what, error),
      payments: stripePayments({
        secretKey: stripeSecretKey,
        webhookSecret: stripeWebhookSecret,
        apiUrl: sandbox.url,
        shopOrigin: origin,
      }),
      mail: resendMail({ apiUrl: sandbox.url, apiKey: mailApiKey, from: 'Cadenza <orders@cadenza.example>' }),
    }
  }

  static async open(): Promise<Shop> {
    const folder = mkdtempSync(join(tmpdir(), 'cadenza-shop-'))
    cpSync(inject('template'), folder, { recursive: true })
    const database = await startDatabase({ folder })
    // Nobody listens for webhooks here: a test that wants one posts it itself.
    const sandbox = await startSandbox({ port: 0, webhookUrl: 'http://127.0.0.1:9/webhooks/stripe' })
    return new Shop(database, sandbox, folder)
  }

  /** What a test breaks on purpose, so that its end is not checked. */
  breaks(what: string): void {
    this.broken = what
  }

  /** Every invariant that is broken at this moment, by the checker that shares no code with the shop. */
  check(): Promise<Violation[]> {
    return check({ databaseUrl: this.database.url, sandboxUrl: this.sandbox.url })
  }

  /** Throws what the checker finds, unless the test has broken something on purpose. */
  async expectWhole(): Promise<void> {
    await Promise.all(this.visitors.map((visitor) => visitor.settled()))
    const violations = this.broken === null ? await this.check() : []
    if (violations.length > 0) throw new Error(describe(violations))
  }

  async close(): Promise<void> {
    await Promise.all(this.visitors.map((visitor) => visitor.settled()))
    await this.sandbox.stop()
    await this.database.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Kills the database as a power button would, and starts it again on the same files and port. */
  async killDatabase(): Promise<void> {
    const port = Number(new URL(this.database.url).port)
    process.kill(this.database.pid, 'SIGKILL')
    await this.database.stop()
    this.database = await startDatabase({ folder: this.folder, port })
  }

  /** A visitor's browser without JavaScript, at this shop's front door. */
  visitor(): Visitor {
    const visitor = new Visitor(this.vars)
    this.visitors.push(visitor)
    return visitor
  }

  /** Puts an instrument on sale. `price` in cents. */
  async sells({
    id = newId(),
    name = 'Concert Violin',
    price = 1_000_00,
    minimum = 1,
    stock = 100,
  } = {}): Promise<string> {
    const instrument = {
      id,
      name,
      img: '/plates/violin-4-4.svg',
      price,
      minQuantity: minimum,
      availableQuantity: stock,
    }
    return (await addInstrument(this.deps, 'test', instrument)).id
  }

  async customer({ name = 'Ada', email = `${newId()}@example.com` } = {}): Promise<Customer> {
    const id = newId()
    hash ??= hashPassword(password)
    await this.deps.db.batch([
      this.deps.db.insert(users).values({ id, name, email, createdAt: Date.now() }),
      this.deps.db.insert(passwords).values({ userId: id, hash: await hash, changedAt: Date.now() }),
    ])
    return { id, name, email, password }
  }

  async admin(): Promise<Customer> {
    const admin = await this.customer({ name: 'The Shopkeeper' })
    await grantAdmin(this.deps, 'test', admin.email)
    return admin
  }

  /** Makes the sandbox misbehave: see docs/running.md. */
  async faults(faults: object): Promise<void> {
    const answer = await fetch(`${this.sandbox.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    if (!answer.ok) throw new Error(`The sandbox refused the faults: ${await answer.text()}`)
  }

  /** What was mailed to somebody, newest first. */
  async mailsTo(email: string): Promise<{ subject: string; text: string; html: string }[]> {
    await Promise.all(this.visitors.map((visitor) => visitor.settled()))
    return (await fetch(`${this.sandbox.url}/mail?to=${encodeURIComponent(email)}`)).json()
  }

  async stockOf(id: string): Promise<number> {
    const [row] = await this.deps.db
      .select({ available: instruments.availableQuantity })
      .from(instruments)
      .where(eq(instruments.id, id))
    return row!.available
  }

  /** How many pieces of it stand in orders in these states. */
  async piecesIn(id: string, ...states: ('unpaid' | 'paid' | 'shipped' | 'cancelled')[]): Promise<number> {
    const rows = await this.deps.db
      .select({ quantity: orders.quantity, state: orders.state })
      .from(orders)
      .where(eq(orders.instrumentId, id))
    return rows.filter((row) => states.includes(row.state)).reduce((sum, row) => sum + row.quantity, 0)
  }

  ordersOf(customer: { id: string }) {
    return this.deps.db.select().from(orders).where(eq(orders.customerId, customer.id))
  }

  /** What the journal tells of an instrument, or of one order of it, in order. */
  journalOf(instrumentId: string, orderId?: string) {
    return this.deps.db
      .select()
      .from(journal)
      .where(and(eq(journal.instrumentId, instrumentId), orderId ? eq(journal.orderId, orderId) : undefined))
      .orderBy(journal.id)
  }
}

/** `test` with a shop of its own. */
export const test = base.extend<{ shop: Shop }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
  shop: async ({}, use) => {
    const shop = await Shop.open()
    try {
      await use(shop)
      await shop.expectWhole()
    } finally {
      await shop.close()
    }
  },
})
