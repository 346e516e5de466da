import { readAll, readEach, type DatabaseAddress, type Row } from './database'
import type { History } from './history'
import { readSandbox, type LedgerEntry, type DeliveredEmail } from './ledger'

export interface InstrumentRow {
  id: string
  price_cents: number
  min_quantity: number
  available_quantity: number
  low_stock_threshold: number | null
}

export interface OrderRow {
  id: string
  number: number
  customer_id: string
  instrument_id: string
  submission_id: string
  product_name: string
  created_at: number
  hold_until: number | null
  unit_price_cents: number
  quantity: number
  total_cents: number
  customer_email: string
  state: 'unpaid' | 'paid' | 'shipped' | 'cancelled'
  paid_at: number | null
  shipped_at: number | null
  cancelled_at: number | null
  transaction_id: string | null
  refunded_cents: number
  returned_quantity: number
  quote_id: string | null
  discount_code: string | null
  discount_cents: number | null
}

export interface DiscountRow {
  code: string
  percent: number | null
  amount_cents: number | null
  from_at: number
  until_at: number | null
  ended_at: number | null
  min_total_cents: number
  max_uses: number | null
  max_uses_per_customer: number | null
  /** JSON. */
  instruments: string
  families: string
  combines: number
}

export interface QuoteRow {
  id: string
  customer_id: string
  instrument_id: string
  state: 'asked' | 'offered' | 'declined'
  quantity: number | null
  unit_price_cents: number | null
  answered_at: number | null
  valid_until: number | null
}

export interface AuditRow {
  id: number
  at: number
  event: string
  actor: string
  instrument_id: string | null
  order_id: string | null
  user_id: string | null
  stock_delta: number
  note: string
  submission_id: string | null
  /** Whether the customer of its order was verified by then (R49, R52). */
  is_verified: number
}

export interface AttemptRow {
  order_id: string
  attempt: number
  state: 'opening' | 'open' | 'closed'
  provider_id: string | null
}

export interface RefundRow {
  transaction_id: string
  order_id: string
  amount_cents: number
  created_at: number
  refund_id: string | null
  made_at: number | null
}

export interface OrderRefundRow {
  id: string
  order_id: string
  submission_id: string
  amount_cents: number
  restock: number
  moved_by: string
  created_at: number
  refund_id: string | null
  made_at: number | null
  failed_at: number | null
}

export interface InvoiceRow {
  order_id: string
  series: number
  number: number
  issued_at: number
}

export interface CreditNoteRow {
  order_id: string
  order_refund_id: string
  series: number
  number: number
  is_reversal: number
  amount_cents: number
}

export interface EmailRow {
  id: string
  kind: string
  recipient: string
  sent_at: number | null
}

interface ReviewRow {
  id: string
  user_id: string | null
  instrument_id: string
  rating: number | null
}

interface UnmatchedRow {
  transaction_id: string
  order_id: string
  amount_cents: number
  found_at: number
  refund_id: string | null
  refunded_at: number | null
}

interface Tables {
  instruments: InstrumentRow[]
  orders: OrderRow[]
  quotes: QuoteRow[]
  discounts: DiscountRow[]
  auditLog: AuditRow[]
  attempts: AttemptRow[]
  refunds: RefundRow[]
  orderRefunds: OrderRefundRow[]
  invoices: InvoiceRow[]
  creditNotes: CreditNoteRow[]
  /** Payments without their order: a restore has lost it. */
  unmatched: UnmatchedRow[]
  emails: EmailRow[]
  /** Those about an instrument. */
  reviews: ReviewRow[]
}

export interface Facts extends Tables {
  /** Orders whose payment is in the audit log up to this row were paid before the shop issued invoices. */
  invoicesAfter: number
  admins: Set<string>
  integrityErrors: Row[]
  ledger: LedgerEntry[]
  deliveredEmails: DeliveredEmail[]
  history: History | null
  /** No customer is paying, and the shop has handled every pending task and event. */
  atRest: boolean
}

const queries = {
  instruments: 'SELECT id, price_cents, min_quantity, available_quantity, low_stock_threshold FROM instruments',
  orders: `SELECT id, number, customer_id, instrument_id, submission_id, product_name, created_at, hold_until, unit_price_cents, quantity, total_cents, customer_email, state,
    paid_at, shipped_at, cancelled_at, transaction_id, refunded_cents, returned_quantity, quote_id, discount_code, discount_cents FROM orders`,
  discounts: `SELECT code, percent, amount_cents, from_at, until_at, ended_at, min_total_cents, max_uses, max_uses_per_customer, instruments, families, combines FROM discounts`,
  quotes:
    'SELECT id, customer_id, instrument_id, state, quantity, unit_price_cents, answered_at, valid_until FROM quotes',
  auditLog: `SELECT id, at, event, actor, instrument_id, order_id, user_id, stock_delta, note, submission_id, coalesce((SELECT email_verified_at <= at
    FROM orders JOIN users ON users.id = customer_id WHERE orders.id = order_id), 0) AS is_verified FROM audit_log ORDER BY id`,
  attempts: 'SELECT order_id, attempt, state, provider_id FROM payment_attempts ORDER BY order_id, attempt',
  refunds: 'SELECT transaction_id, order_id, amount_cents, created_at, refund_id, made_at FROM refunds',
  orderRefunds:
    'SELECT id, order_id, submission_id, amount_cents, restock, moved_by, created_at, refund_id, made_at, failed_at FROM order_refunds ORDER BY rowid',
  invoices: 'SELECT order_id, series, number, issued_at FROM invoices',
  creditNotes: 'SELECT order_id, order_refund_id, series, number, is_reversal, amount_cents FROM credit_notes',
  settings: 'SELECT invoices_after FROM shop_settings',
  unmatched: 'SELECT transaction_id, order_id, amount_cents, found_at, refund_id, refunded_at FROM unmatched_payments',
  emails: 'SELECT id, kind, recipient, sent_at FROM emails',
  reviews: 'SELECT id, user_id, instrument_id, rating FROM reviews WHERE instrument_id IS NOT NULL',
  admins: `SELECT id FROM users WHERE role = 'admin'`,
  foreign: 'SELECT * FROM pragma_foreign_key_check',
  integrity: `SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  sales: `WITH counted AS (
      SELECT paid_at / 86400000 AS day, count(*) AS orders, sum(total_cents) AS revenue_cents
      FROM orders WHERE paid_at IS NOT NULL GROUP BY 1)
    SELECT * FROM (SELECT day, orders, revenue_cents FROM daily_sales EXCEPT SELECT * FROM counted)
    UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT day, orders, revenue_cents FROM daily_sales)`,
  monthlySales: `WITH each AS (
      SELECT substr(date(paid_at / 1000, 'unixepoch'), 1, 7) AS month, instrument_id, 1 AS orders, quantity AS pieces, total_cents AS paid, 0 AS back,
        ifnull(discount_cents, 0) AS off
      FROM orders WHERE paid_at IS NOT NULL
      UNION ALL SELECT substr(date(r.created_at / 1000, 'unixepoch'), 1, 7), o.instrument_id, 0, 0, 0, r.amount_cents, 0
      FROM order_refunds r JOIN orders o ON o.id = r.order_id WHERE r.failed_at IS NULL),
    counted AS (SELECT month, instrument_id, sum(orders), sum(pieces), sum(paid), sum(back), sum(off) FROM each GROUP BY 1, 2),
    -- A refund that failed leaves a row of zeros.
    stored AS (SELECT month, instrument_id, orders, pieces, revenue_cents, refunded_cents, discount_cents FROM monthly_sales
      WHERE orders + pieces + revenue_cents + refunded_cents + discount_cents <> 0)
    SELECT * FROM (SELECT * FROM stored EXCEPT SELECT * FROM counted)
    UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM stored)`,
  monthlyCustomers: `WITH paid AS (
      SELECT substr(date(o.paid_at / 1000, 'unixepoch'), 1, 7) AS month, customer_id,
        EXISTS (SELECT 1 FROM orders earlier WHERE earlier.customer_id = o.customer_id AND (earlier.paid_at, earlier.id) < (o.paid_at, o.id)) AS again
      FROM orders o WHERE paid_at IS NOT NULL),
    counted AS (SELECT month, count(*) FILTER (WHERE NOT again), count(DISTINCT customer_id) FILTER (WHERE again) FROM paid GROUP BY 1)
    SELECT * FROM (SELECT month, new_customers, returning_customers FROM monthly_customers EXCEPT SELECT * FROM counted)
    UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT month, new_customers, returning_customers FROM monthly_customers)`,
}

export interface Places {
  /** A server, or a function that runs a query when there is no server. */
  database: DatabaseAddress | ((query: string) => Promise<Row[]>)
  sandboxUrl: string
  history?: History
  atRest?: boolean
}

export async function readFacts({ database, sandboxUrl, history, atRest = false }: Places): Promise<Facts> {
  const [tables, ledger, deliveredEmails] = await Promise.all([
    typeof database === 'function' ? readEach(database, queries) : readAll(database, queries),
    readSandbox<LedgerEntry[]>(sandboxUrl, '/ledger'),
    readSandbox<DeliveredEmail[]>(sandboxUrl, '/mail'),
  ])
  return {
    ...(tables as unknown as Tables),
    invoicesAfter: Number(tables.settings[0]?.invoices_after ?? 0),
    admins: new Set(tables.admins.map(({ id }) => String(id))),
    integrityErrors: [
      ...tables.foreign,
      ...tables.integrity,
      ...tables.sales,
      ...tables.monthlySales,
      ...tables.monthlyCustomers,
    ],
    ledger,
    deliveredEmails,
    history: history ?? null,
    atRest,
  }
}

/** Whether a user was an admin when a row of the audit log was written. */
export function adminAt({ auditLog, admins }: Facts): (user: string, row: AuditRow) => boolean {
  const changes = grouped(
    auditLog.filter(({ event }) => event === 'admin granted' || event === 'admin revoked'),
    (row) => row.user_id,
  )
  return (user, { id }) => {
    const ofUser = changes.get(user) ?? []
    const last = ofUser.findLast((change) => change.id < id)
    if (last) return last.event === 'admin granted'
    const [first] = ofUser
    // A migration has recorded who was an admin already, and had no event.
    return first ? first.event === 'admin revoked' || first.actor === 'migration' : admins.has(user)
  }
}

/** Whether a user was an admin or a packer then: who packs has the note `packer` in the event. */
export function shipperAt(facts: Facts): (user: string, row: AuditRow) => boolean {
  const wasAdmin = adminAt(facts)
  const ends = ['staff role granted', 'staff role revoked', 'admin granted', 'account closed']
  const changes = grouped(
    facts.auditLog.filter(({ event }) => ends.includes(event)),
    (row) => row.user_id,
  )
  return (user, row) => {
    const last = (changes.get(user) ?? []).findLast((change) => change.id < row.id)
    return wasAdmin(user, row) || (last?.event === 'staff role granted' && last.note === 'packer')
  }
}

export function grouped<T, Key>(rows: T[], keyOf: (row: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
