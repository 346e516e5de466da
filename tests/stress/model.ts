import type { StaffRole } from '../../app/store/accounts/sign-in'
import { scopes, type Scope } from '../../app/store/integrations/scopes'
import type { By } from './command'
import { createApiKey, findSeen } from './store-commands'
import type { Person, TestEnvironment } from './test-environment'
import type { DiscountRow } from './checker/facts'
import type { PaymentHandle } from './card'
import { CrashingWorker, type Side } from './crashing-worker'

export interface OrderSeen {
  id: string
  customer: number
  instrument: string
  quantity: number
  state: 'unpaid' | 'paid' | 'shipped' | 'cancelled'
  holdUntil: number
  total: number
  transaction: string | null
  refunded: number
  returned: number
  code: string | null
}

export interface Model {
  orders: OrderSeen[]
  stock: Map<string, number>
  onSale: Set<string>
  charged: Set<string>
  /** Of the second admin, who loses the role and gets it back. */
  isAdmin: boolean
  staffRole: StaffRole | null
  /** By instrument: what its page lists. */
  details: Map<string, Details>
  endedCodes: Set<string>
  keys: KeySeen[]
  /** In cents, by order: made at the provider's site. */
  elsewhere: Map<string, number>
  crashAt: { at: number; side: Side } | null
}

export interface KeySeen {
  key: string
  by: By
  scopes: Scope[]
  expiresAt: number
  isEnded: boolean
}

export interface Details {
  attributes: [string, string][]
  /** Addresses of the further ones. */
  pictures: string[]
}

export interface Allowed {
  cancel?: (order: OrderSeen) => boolean
  ship?: string
  /** The sums of this order's refunds may become these. */
  refund?: { id: string; refunded: number; returned: number }
  /** The cron trigger and events tell of refunds that were made elsewhere. */
  learn?: boolean
}

/** The index of whoever packs or keeps the books, and is no admin. */
export const clerk = 2

/** From 2 and 3: the random orders are of 1 to 3. */
export function breaksBelow(price: number) {
  return [2, 3].map((from) => ({ from, priceCents: price - from }))
}

/** One that runs out, one for each customer once and beside price breaks, one for the second instrument and larger orders. */
async function codesFor(env: TestEnvironment, second: string): Promise<DiscountRow[]> {
  return [
    await env.discount({ percent: 15, max_uses: 2 }),
    await env.discount({ amount_cents: 7_01, max_uses_per_customer: 1, combines: 1 }),
    await env.discount({ percent: 100, instruments: JSON.stringify([second]), min_total_cents: 150_00 }),
  ]
}

export class ModelSession {
  readonly payables: { order: string; payable: PaymentHandle }[] = []
  readonly steps: string[] = []
  /** By instrument: as it was when the session began. */
  readonly firstSeen = new Map<string, string>()
  private crashing: CrashingWorker | null = null

  constructor(
    readonly env: TestEnvironment,
    readonly customers: Person[],
    /** Two admins and the clerk. */
    readonly staff: [Person, Person, Person],
    readonly instruments: string[],
    readonly codes: DiscountRow[],
  ) {}

  static async begin(env: TestEnvironment): Promise<{ model: Model; real: ModelSession }> {
    const customers = await Promise.all([env.person(), env.person(), env.person()])
    const instruments = [
      await env.sells({ stock: 3 }),
      await env.sells({ stock: 5, price: 99_00, breaks: breaksBelow(99_00) }),
    ]
    const staff: [Person, Person, Person] = [await env.person('admin'), await env.person('admin'), await env.person()]
    const real = new ModelSession(env, customers, staff, instruments, await codesFor(env, instruments[1]!))
    const model: Model = {
      orders: [],
      stock: new Map(),
      onSale: new Set(instruments),
      charged: new Set(),
      isAdmin: true,
      staffRole: null,
      details: new Map(instruments.map((id) => [id, { attributes: [], pictures: [] }])),
      endedCodes: new Set(),
      keys: [],
      elsewhere: new Map(),
      crashAt: null,
    }
    // Random steps alone seldom make a key and use it.
    const form = { name: 'stress', scopes: [...scopes], days: 1, submissionId: crypto.randomUUID() }
    const key = await createApiKey(env.worker(), staff[1], form)
    model.keys.push({ ...key, by: 1, scopes: form.scopes, isEnded: false })
    for (const id of instruments) real.firstSeen.set(id, (await findSeen(env.worker(), id))!.seen)
    await real.look(model, {})
    return { model, real }
  }

  worker(model: Model) {
    this.crashing = model.crashAt && new CrashingWorker(model.crashAt.at, model.crashAt.side)
    model.crashAt = null
    return this.env.worker(this.crashing?.tampering)
  }

  get crashed(): boolean {
    return this.crashing?.dead ?? false
  }

  async look(model: Model, { cancel = () => false, ship, refund, learn = false }: Allowed): Promise<void> {
    const names = this.instruments.map((id) => `'${id}'`).join(', ')
    const rows = await this.env.query(
      `SELECT id, customer_id, instrument_id, quantity, state, hold_until, total_cents, transaction_id, refunded_cents,
        returned_quantity, discount_code FROM orders WHERE instrument_id IN (${names}) ORDER BY rowid`,
    )
    const now = rows.map((row) => ({
      id: String(row.id),
      customer: this.customers.findIndex(({ id }) => id === row.customer_id),
      instrument: String(row.instrument_id),
      quantity: Number(row.quantity),
      state: row.state as OrderSeen['state'],
      holdUntil: Number(row.hold_until),
      total: Number(row.total_cents),
      transaction: row.transaction_id as string | null,
      refunded: Number(row.refunded_cents),
      returned: Number(row.returned_quantity),
      code: row.discount_code as string | null,
    }))
    for (const order of now) {
      const earlier = model.orders.find(({ id }) => id === order.id)
      const before = earlier?.state ?? 'unpaid'
      const sums = ({ refunded, returned }: { refunded: number; returned: number }) => `${refunded} and ${returned}`
      const wasRefunded = earlier ? sums(earlier) : '0 and 0'
      const mayBe = [wasRefunded, ...(refund?.id === order.id ? [sums(refund)] : [])]
      const isReturned = [earlier?.returned ?? 0, refund?.id === order.id ? refund.returned : 0].includes(
        order.returned,
      )
      const isLearned = learn && isReturned && model.elsewhere.has(order.id)
      if (!mayBe.includes(sums(order)) && !isLearned)
        throw new Error(`${order.id} had refunds of ${wasRefunded}, and now of ${sums(order)}`)
      if (order.refunded > order.total) throw new Error(`${order.id} was refunded more than was paid`)
      if (before === order.state) continue
      const move = `${before} to ${order.state}`
      const fine =
        (move === 'unpaid to paid' && model.charged.has(order.id)) ||
        (move === 'unpaid to cancelled' && !model.charged.has(order.id) && cancel(order)) ||
        (move === 'paid to shipped' && ship === order.id)
      if (!fine) throw new Error(`${order.id} went from ${move}`)
    }
    if (now.length < model.orders.length) throw new Error('An order is gone')
    model.orders = now
    const stock = await this.env.query(`SELECT id, available_quantity FROM instruments WHERE id IN (${names})`)
    for (const row of stock) model.stock.set(String(row.id), Number(row.available_quantity))
    const [, second, third] = await Promise.all(
      this.staff.map(({ id }) => this.env.query(`SELECT role, staff_role FROM users WHERE id = '${id}'`)),
    )
    model.isAdmin = second![0]!.role === 'admin'
    // Keys end with the role of their admin, and do not come back with it.
    for (const key of model.keys) if (key.by === 1 && !model.isAdmin) key.isEnded = true
    model.staffRole = third![0]!.staff_role as StaffRole | null
  }
}
