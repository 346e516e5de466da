import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { instruments, monthlyCustomers, monthlySales } from '../../db/schema'
import { selectAllEmptySearches, selectEmptySearches, type EmptySearch } from '../catalog/empty-searches.server'
import { families } from '../catalog/families'
import { onSale } from '../catalog/instruments.server'
import { byName } from '../catalog/order-by-name.server'
import type { Deps } from '../deps'
import { requireMay, type Reader } from '../accounts/rights.server'
import { monthOf, monthText } from '../shared/dates'
import { monthIn } from '../shared/dates.server'
import {
  addSales,
  monthsShown,
  noCustomers,
  noSales,
  type CustomerSums,
  type InstrumentSums,
  type MonthlySums,
  type SalesSums,
} from './reports'

export interface FamilySums extends SalesSums {
  /** Null: instruments without a family. */
  family: string | null
}

export interface StockValue {
  family: string | null
  pieces: number
  valueCents: number
}

export interface Reports {
  /** The newest first, without months in which nothing was sold or refunded. */
  months: MonthlySums[]
  /** Of the chosen month, the most revenue first. */
  instruments: InstrumentSums[]
  families: FamilySums[]
  /** Of the chosen month, as in `MonthlySums`. */
  disputedCents: number
  /** Of the chosen month. */
  customers: CustomerSums
  /** What is on sale now, at its price for one piece, without what unpaid orders hold. */
  stock: StockValue[]
  /** Of the chosen month: what shoppers looked for and did not find, the most frequent first. */
  emptySearches: EmptySearch[]
}

/**
 * The sales of the last 24 months, and of `month` by instrument and family, in one batch. Months are of the shop's time zone. A refund counts in the month
 * in which it was decided; one that failed does not count. From figures that a reader of the log keeps, so that the number of orders does not matter.
 */
export async function readReports({ db, now }: Deps, reader: Reader, month: string): Promise<Reports> {
  requireMay(reader, 'books')
  const first = monthText(monthOf(now()) - monthsShown + 1)
  const [months, sold, stock, emptySearches, [customers = noCustomers], [disputed]] = await db.batch([
    selectMonths({ db }, first),
    selectSoldIn({ db }, month),
    db.all<StockValue>(sql`
      SELECT family_slug AS family, sum(available_quantity) AS pieces, sum(available_quantity * price_cents) AS valueCents
      FROM ${instruments} WHERE ${onSale} GROUP BY family_slug`),
    selectEmptySearches({ db }, month),
    db
      .select({
        newCustomers: monthlyCustomers.newCustomers,
        returningCustomers: monthlyCustomers.returningCustomers,
      })
      .from(monthlyCustomers)
      .where(eq(monthlyCustomers.month, month)),
    db.all<{ cents: number }>(
      sql`SELECT coalesce(sum(cents), 0) AS cents FROM (${disputeMoves}) WHERE month = ${month}`,
    ),
  ])
  return {
    months,
    customers,
    disputedCents: disputed!.cents,
    instruments: sold,
    families: byFamily(sold),
    stock: inOrder(stock),
    emptySearches,
  }
}

/** For the files of those who keep the books (R53): each as its query below. */
export async function readMonths(deps: Deps, reader: Reader) {
  requireMay(reader, 'books')
  return selectMonths(deps)
}

export async function readSoldIn(deps: Deps, reader: Reader, month: string) {
  requireMay(reader, 'books')
  return selectSoldIn(deps, month)
}

export async function readEmptySearches(deps: Deps, reader: Reader) {
  requireMay(reader, 'books')
  return selectAllEmptySearches(deps)
}

/** SQL: what left the balance at Stripe for disputes, and what came back, with its month. They are few. */
const disputeMoves = sql`
  SELECT ${monthIn('withdrawn_at')} AS month, -withdrawn_cents AS cents FROM disputes WHERE withdrawn_at IS NOT NULL
  UNION ALL
  SELECT ${monthIn('reinstated_at')}, reinstated_cents FROM disputes WHERE reinstated_at IS NOT NULL`

/** Each month from `first` (such as `2026-11`) on in which something was sold or refunded, the newest first. */
export function selectMonths({ db }: Pick<Deps, 'db'>, first = '') {
  return db.all<MonthlySums>(sql`
    WITH moved AS (SELECT month, sum(cents) AS cents FROM (${disputeMoves}) WHERE month >= ${first} GROUP BY month),
    sales AS (
      SELECT month, orders, pieces, revenue_cents, refunded_cents, discount_cents FROM monthly_sales
      UNION ALL SELECT month, 0, 0, 0, 0, 0 FROM moved)
    SELECT month, sum(orders) AS orders, sum(pieces) AS pieces, sum(revenue_cents) AS revenueCents, sum(refunded_cents) AS refundedCents,
      sum(discount_cents) AS discountCents,
      coalesce((SELECT cents FROM moved WHERE moved.month = sales.month), 0) AS disputedCents,
      ${customersOf('new_customers')} AS newCustomers, ${customersOf('returning_customers')} AS returningCustomers
    FROM sales WHERE month >= ${first} GROUP BY month HAVING sum(orders) + sum(refunded_cents) > 0 OR disputedCents <> 0 ORDER BY month DESC`)
}

const customersOf = (column: 'new_customers' | 'returning_customers') =>
  sql.raw(`coalesce((SELECT ${column} FROM monthly_customers WHERE monthly_customers.month = sales.month), 0)`)

/** Every instrument that was sold or refunded in the month (such as `2026-11`), the most revenue first. */
export function selectSoldIn({ db }: Pick<Deps, 'db'>, month: string) {
  const { month: itsMonth, ...sums } = getTableColumns(monthlySales)
  return db
    .select({ ...sums, name: instruments.name, family: instruments.family })
    .from(monthlySales)
    .innerJoin(instruments, eq(instruments.id, monthlySales.instrumentId))
    .where(sql`${eq(itsMonth, month)} AND ${sums.orders} + ${sums.refundedCents} > 0`)
    .orderBy(desc(sums.revenueCents), asc(byName), asc(instruments.id))
}

function byFamily(sold: InstrumentSums[]): FamilySums[] {
  const sums = new Map<string | null, SalesSums>()
  for (const each of sold) sums.set(each.family, addSales(sums.get(each.family) ?? noSales, each))
  return inOrder([...sums].map(([family, its]) => ({ family, ...its })))
}

/** As in the shop; those without a family last. */
function inOrder<T extends { family: string | null }>(rows: T[]): T[] {
  const order = [...families.map(({ slug }): string | null => slug), null]
  return rows.toSorted((one, other) => order.indexOf(one.family) - order.indexOf(other.family))
}
