import type { Person, TestEnvironment } from './test-environment'
import type { Given } from './card'
import { CrashingWorker, type Side } from './crashing-worker'

export interface OrderSeen {
  id: string
  customer: number
  instrument: string
  quantity: number
  state: 'unpaid' | 'paid' | 'shipped' | 'cancelled'
  holdUntil: number
}

/** What is known of the shop without asking it: the last look at its tables, and what cards were charged for. */
export interface Model {
  orders: OrderSeen[]
  stock: Map<string, number>
  onSale: Set<string>
  charged: Set<string>
  /** The next command's worker dies at this effect. */
  doomed: { at: number; side: Side } | null
}

/** What one command may do to orders; whatever else changes is a bug. */
export interface Allowed {
  cancel?: (order: OrderSeen) => boolean
  ship?: string
}

/** One sequence of commands at a shop: its customers, and what they were given. */
export class Play {
  readonly given: { order: string; payable: Given }[] = []
  readonly steps: string[] = []
  private mortal: CrashingWorker | null = null

  constructor(
    readonly stand: TestEnvironment,
    readonly people: Person[],
    readonly admin: Person,
    readonly instruments: string[],
  ) {}

  static async begin(stand: TestEnvironment): Promise<{ model: Model; real: Play }> {
    const people = await Promise.all([stand.person(), stand.person(), stand.person()])
    const instruments = [await stand.sells({ stock: 3 }), await stand.sells({ stock: 5, price: 99_00 })]
    const real = new Play(stand, people, await stand.person('admin'), instruments)
    const model: Model = {
      orders: [],
      stock: new Map(),
      onSale: new Set(instruments),
      charged: new Set(),
      doomed: null,
    }
    await real.look(model, {})
    return { model, real }
  }

  /** The worker for the next command; it may be doomed. */
  worker(model: Model) {
    this.mortal = model.doomed && new CrashingWorker(model.doomed.at, model.doomed.side)
    model.doomed = null
    return this.stand.worker(this.mortal?.tampering)
  }

  get crashed(): boolean {
    return this.mortal?.dead ?? false
  }

  /** Looks at the tables, and requires that only what is allowed has changed. */
  async look(model: Model, { cancel = () => false, ship }: Allowed): Promise<void> {
    const names = this.instruments.map((id) => `'${id}'`).join(', ')
    const rows = await this.stand.query(
      `SELECT id, customer_id, instrument_id, quantity, state, hold_until FROM orders WHERE instrument_id IN (${names}) ORDER BY rowid`,
    )
    const now = rows.map((row) => ({
      id: String(row.id),
      customer: this.people.findIndex(({ id }) => id === row.customer_id),
      instrument: String(row.instrument_id),
      quantity: Number(row.quantity),
      state: row.state as OrderSeen['state'],
      holdUntil: Number(row.hold_until),
    }))
    for (const order of now) {
      const before = model.orders.find(({ id }) => id === order.id)?.state ?? 'unpaid'
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
    const stock = await this.stand.query(`SELECT id, available_quantity FROM instruments WHERE id IN (${names})`)
    for (const row of stock) model.stock.set(String(row.id), Number(row.available_quantity))
  }
}
