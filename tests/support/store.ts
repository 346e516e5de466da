import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type Client } from '@libsql/client'
import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/web'
import { inject, test as base } from 'vitest'
import { instruments, auditLog, orders, passwords, users } from '../../app/db/schema'
import { resendEmail } from '../../app/gateways/resend.server'
import { stripePayments } from '../../app/gateways/stripe.server'
import type { Deps } from '../../app/store/deps'
import { newId } from '../../app/store/ids.server'
import { hashPassword } from '../../app/store/accounts/passwords.server'
import { addInstrument } from '../../app/store/catalog/manage-instruments.server'
import { mailApiKey, stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'
import { startSandbox } from '../../sandbox/serve'
import { check } from '../stress/checker/check'
import { describe } from '../stress/checker/violation'

const origin = 'http://127.0.0.1:8788'

export interface Customer {
  id: string
  name: string
  email: string
}

/** Shared with `Shop` of tests/support/shop.ts. */
export type Store = Pick<
  StoreOnDisk,
  | 'deps'
  | 'sandbox'
  | 'breaks'
  | 'sells'
  | 'customer'
  | 'admin'
  | 'faults'
  | 'mailsTo'
  | 'stockOf'
  | 'piecesIn'
  | 'ordersOf'
  | 'journalOf'
>

/** app/store on libSQL in this process: it starts in milliseconds, so mutation testing can run thousands of tests. */
class StoreOnDisk {
  readonly deps: Deps
  readonly told: string[] = []
  readonly reported: string[] = []
  private brokenReason: string | null = null

  constructor(
    private readonly client: Client,
    readonly sandbox: { url: string },
  ) {
    this.deps = {
      db: drizzle(client),
      now: Date.now,
      origin,
      shopEmail: 'shop@cadenza.example',
      holdMs: 72 * 60 * 60 * 1000,
      invalidate: (what) => void this.told.push(what),
      report: (what) => void this.reported.push(what),
      payments: stripePayments({
        secretKey: stripeSecretKey,
        webhookSecret: stripeWebhookSecret,
        apiUrl: sandbox.url,
        shopOrigin: origin,
      }),
      email: resendEmail({ apiUrl: sandbox.url, apiKey: mailApiKey, from: 'Cadenza <orders@cadenza.example>' }),
    }
  }

  breaks(what: string): void {
    this.brokenReason = what
  }

  async expectInvariants(): Promise<void> {
    if (this.brokenReason !== null) return
    const rowsOf = async (query: string) => (await this.client.execute(query)).rows.map((row) => ({ ...row }) as never)
    const violations = await check({ databaseUrl: rowsOf, sandboxUrl: this.sandbox.url })
    if (violations.length > 0) throw new Error(describe(violations))
  }

  /** `price` in cents. */
  async sells({ name = 'Concert Violin', price = 1_000_00, minimum = 1, stock = 100 } = {}): Promise<string> {
    const instrument = {
      name,
      img: '/plates/violin-4-4.svg',
      price,
      minQuantity: minimum,
      availableQuantity: stock,
    }
    return (await addInstrument(this.deps, 'test', instrument)).id
  }

  /** `password` is hashed only if given, because hashing is slow. */
  async customer({
    name = 'Ada',
    email = `${newId()}@example.com`,
    password,
    role = 'customer',
  }: { name?: string; email?: string; password?: string; role?: 'customer' | 'admin' } = {}): Promise<Customer> {
    const id = newId()
    const { db } = this.deps
    await db.insert(users).values({ id, name, email, role, createdAt: Date.now() })
    if (password !== undefined) {
      await db.insert(passwords).values({ userId: id, hash: await hashPassword(password), changedAt: Date.now() })
    }
    return { id, name, email }
  }

  admin(): Promise<Customer> {
    return this.customer({ name: 'The Shopkeeper', role: 'admin' })
  }

  /** See docs/running.md. */
  async faults(faults: object): Promise<void> {
    const response = await fetch(`${this.sandbox.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    if (!response.ok) throw new Error(`The sandbox refused the faults: ${await response.text()}`)
  }

  /** Newest first. */
  async mailsTo(email: string): Promise<{ subject: string; text: string; html: string }[]> {
    return (await fetch(`${this.sandbox.url}/mail?to=${encodeURIComponent(email)}`)).json()
  }

  async stockOf(id: string): Promise<number> {
    const [row] = await this.deps.db
      .select({ available: instruments.availableQuantity })
      .from(instruments)
      .where(eq(instruments.id, id))
    return row!.available
  }

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

  journalOf(instrumentId: string, orderId?: string) {
    return this.deps.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.instrumentId, instrumentId), orderId ? eq(auditLog.orderId, orderId) : undefined))
      .orderBy(auditLog.id)
  }
}

export const test = base.extend<{ shop: StoreOnDisk }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the fixture's needs from this pattern
  shop: async ({}, use) => {
    const folder = inject('storeTemplate')
    const file = join(folder, `${newId()}.db`)
    copyFileSync(join(folder, 'template.db'), file)
    const client = createClient({ url: `file:${file}` })
    // No test needs this file to survive a power failure.
    await client.executeMultiple('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;')
    const sandbox = await startSandbox({
      port: 0,
      webhookUrl: 'http://127.0.0.1:9/webhooks/stripe',
      log: () => undefined,
    })
    try {
      const store = new StoreOnDisk(client, sandbox)
      await use(store)
      await store.expectInvariants()
    } finally {
      client.close()
      await sandbox.stop()
      rmSync(file, { force: true })
    }
  },
})
