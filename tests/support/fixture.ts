import { and, eq } from 'drizzle-orm'
import { auditLog, instruments, orders, passwords, users } from '../../app/db/schema'
import { resendEmail } from '../../app/gateways/resend.server'
import { stripePayments } from '../../app/gateways/stripe.server'
import { webhookSender } from '../../app/gateways/webhooks.server'
import type { PriceBreak } from '../../app/store/catalog/instruments'
import { indexUsers } from '../../app/store/accounts/user-search.server'
import { addInstrument } from '../../app/store/catalog/manage-instruments.server'
import type { Deps } from '../../app/store/deps'
import { readLog } from '../../app/store/operations/run-readers.server'
import { newId } from '../../app/store/shared/ids.server'
import { mailApiKey, stripeSecretKey, stripeWebhookSecret } from '../../sandbox/keys'
import { quickHash } from './quick-passwords'

export interface Customer {
  id: string
  name: string
  email: string
}

export interface NewUser {
  name?: string
  email?: string
  password?: string
  role?: 'customer' | 'admin'
  verified?: boolean
}

interface Surroundings extends Partial<Deps> {
  db: Deps['db']
  origin: string
  sandboxUrl: string
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour
export const noon = Date.UTC(2026, 10, 24, 12)
export const parcel = { customerAddress: '1 Bow Lane', customerPhone: '07700 900123' }

export const orderInput = (instrumentId: string, orderQuantity = 2) => ({
  instrumentId,
  submissionId: newId(),
  orderQuantity,
  ...parcel,
})

export function testDeps({ sandboxUrl, ...deps }: Surroundings): Deps {
  return {
    now: Date.now,
    ip: '192.0.2.1',
    shopEmail: 'shop@cadenza.example',
    seller: {
      name: 'Cadenza S.r.l.',
      address: 'Via dei Liutai 4\nCremona',
      vatNumber: 'IT01234567897',
      vatRate: 22_00,
    },
    encryptionKey: 'an_encryption_key_of_256_bits_in_base64url_',
    holdMs: 72 * 60 * 60 * 1000,
    reviewDays: 0,
    keepOrdersYears: 10,
    invalidate: () => undefined,
    readLogSoon: () => undefined,
    report: () => undefined,
    count: () => undefined,
    pictures: null,
    isImage: () => Promise.resolve(true),
    inspectPicture: () => Promise.resolve(null),
    fetchPicture: () => Promise.resolve({ problem: 'There are no pictures elsewhere.' }),
    webhooks: webhookSender(deps.origin),
    payments: stripePayments({
      secretKey: stripeSecretKey,
      webhookSecret: stripeWebhookSecret,
      apiUrl: sandboxUrl,
      shopOrigin: deps.origin,
    }),
    email: resendEmail({ apiUrl: sandboxUrl, apiKey: mailApiKey, from: 'Cadenza <orders@cadenza.example>' }),
    ...deps,
  }
}

/** What a test prepares and looks up in the database of a shop, with the Worker (`Shop`) or without (`StoreOnDisk`). */
export abstract class Fixture {
  abstract readonly deps: Deps
  abstract readonly sandbox: { url: string }
  protected skipReason: string | null = null

  /** Skips the final check of the invariants. */
  skipInvariants(reason: string): void {
    this.skipReason = reason
  }

  /** As the Worker does after its responses. */
  readLog(): Promise<boolean> {
    return readLog(this.deps)
  }

  /** `price` in cents. */
  async sells({
    id = newId(),
    name = 'Concert Violin',
    price = 1_000_00,
    minimum = 1,
    stock = 100,
    priceBreaks = [] as PriceBreak[],
    family = undefined as string | undefined,
  } = {}): Promise<string> {
    const quantities = { minQuantity: minimum, availableQuantity: stock }
    const img = '/plates/violin-4-4.svg'
    return (await addInstrument(this.deps, 'test', { id, name, img, price, ...quantities, priceBreaks, family })).id
  }

  abstract customer(user?: NewUser): Promise<Customer>
  abstract admin(): Promise<Customer>

  async user({
    name = 'Ada',
    email = `${newId()}@example.com`,
    password,
    role = 'customer',
    verified = true,
  }: NewUser): Promise<Customer> {
    const id = newId()
    const { db } = this.deps
    const createdAt = Date.now()
    const user = db.insert(users).values({ id, name, email, role, createdAt, emailVerifiedAt: verified ? 1 : null })
    await db.batch([
      user,
      indexUsers(db, eq(users.id, id)),
      ...(password === undefined
        ? []
        : [db.insert(passwords).values({ userId: id, hash: quickHash(password), changedAt: createdAt })]),
    ])
    return { id, name, email }
  }

  /** See docs/running.md. */
  async faults(faults: object): Promise<void> {
    const response = await fetch(`${this.sandbox.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    if (!response.ok) throw new Error(`The sandbox refused the faults: ${await response.text()}`)
  }

  /** Newest first. */
  async emailsTo(email: string): Promise<{ subject: string; text: string; html: string }[]> {
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

  auditLogOf(instrumentId: string, orderId?: string) {
    return this.deps.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.instrumentId, instrumentId), orderId ? eq(auditLog.orderId, orderId) : undefined))
      .orderBy(auditLog.id)
  }
}
