import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm'
import { dailySales, instruments, users } from '../../db/schema'
import { isSecondFactorOn } from '../accounts/sign-in.server'
import { instrumentColumns, onSale } from '../catalog/instruments.server'
import { dayNumber, firstDayOf, monthOf } from '../shared/dates'
import type { Deps } from '../deps'
import { countRows, openProblems } from '../shared/open-problems.server'
import { isToShip, selectToShip } from '../orders/orders.server'
import { selectFirstSteps } from './first-steps.server'
import type { Period, Sales } from './overview'

const listLength = 5

/** What the shopkeeper looks at first, in one batch. Counts stop at `maxCount`. Sales are paid orders before refunds, by days of the shop. */
export async function readOverview(deps: Deps, admin: { id: string }) {
  const { db, now } = deps
  const today = dayNumber(now())
  const counts = db.all<Counts>(sql`SELECT
    ${countRows(sql`orders WHERE ${isToShip}`)} AS toShip,
    ${countLowStock(deps)} AS lowStock,
    ${countRows(sql`contact_messages WHERE done_at IS NULL`)} AS messages,
    ${countRows(sql`emails WHERE ${openProblems.emails}`)} AS failedEmails,
    ${countRefunds(openProblems.owedRefunds)} AS owedRefunds,
    ${countRefunds(openProblems.failedRefunds)} AS failedRefunds`)
  const account = {
    verifiedAt: users.emailVerifiedAt,
    hasSecondFactor: sql<number>`${isSecondFactorOn(sql`users.id`)}`,
  }
  const [[owner], [counted], [requests], toShip, lowStock, rows, [facts]] = await db.batch([
    db.select(account).from(users).where(eq(users.id, admin.id)),
    counts,
    db.all<{ quotes: number }>(sql`SELECT ${countRows(sql`quotes WHERE state = 'asked'`)} AS quotes`),
    selectToShip(deps, listLength),
    selectLowStock(deps),
    db
      .select()
      .from(dailySales)
      .where(gt(dailySales.day, today - 52 * 7 - 7)),
    selectFirstSteps(deps),
  ])
  return {
    isVerified: owner?.verifiedAt != null,
    hasSecondFactor: owner?.hasSecondFactor === 1,
    /** For `doneOf`. */
    facts: facts!,
    counts: { ...counted!, ...requests! },
    toShip,
    lowStock,
    ...summarize(new Map(rows.map((row) => [row.day, row])), today, monthOf(now())),
  }
}

const countRefunds = ({ payment, order }: Record<'payment' | 'order', SQL>) =>
  sql`${countRows(sql`refunds WHERE ${payment}`)} + ${countRows(sql`order_refunds WHERE ${order}`)}`

/**
 * On sale, at its threshold or below it; without a threshold, too few for an order. Expired holds count as available, as in the shop.
 * The first comparison is that of the index instruments_short.
 */
function isLow({ now }: Deps): SQL {
  const { availableQuantity, minQuantity, lowStock } = instruments
  const enough = sql`coalesce(${lowStock} + 1, ${minQuantity})`
  return and(
    onSale,
    sql`${availableQuantity} < ${enough}`,
    sql`${instrumentColumns(now()).availableQuantity} < ${enough}`,
  )!
}

/** SQL: how many are low, at most `maxCount`. */
export function countLowStock(deps: Deps): SQL {
  return countRows(sql`${instruments} WHERE ${isLow(deps)}`)
}

/** At most five that are low. */
export function selectLowStock(deps: Deps) {
  const { id, name, minQuantity, lowStock } = instruments
  const { availableQuantity } = instrumentColumns(deps.now())
  return deps.db
    .select({ id, name, availableQuantity, minQuantity, lowStock })
    .from(instruments)
    .where(isLow(deps))
    .orderBy(asc(instruments.availableQuantity), asc(id))
    .limit(listLength)
}

interface Counts {
  toShip: number
  lowStock: number
  messages: number
  failedEmails: number
  owedRefunds: number
  failedRefunds: number
}

/** `today` in days since 1970, which began on a Thursday; weeks begin on Monday. `month` as of `monthOf`. */
function summarize(sales: Map<number, Sales>, today: number, month: number) {
  const monday = today - ((today + 3) % 7)
  const period = (first: number, days: number): Period => {
    const found = Array.from({ length: days }, (_, nth) => sales.get(first + nth)).filter((each) => each !== undefined)
    const total = (pick: (each: Sales) => number) => found.reduce((sum, each) => sum + pick(each), 0)
    return {
      from: first,
      days,
      orders: total((each) => each.orders),
      revenueCents: total((each) => each.revenueCents),
    }
  }
  const daysOfWeek = today - monday + 1
  const first = firstDayOf(month)
  const daysOfMonth = today - first + 1
  const firstBefore = firstDayOf(month - 1)
  return {
    comparisons: [
      { title: 'Today', current: period(today, 1), before: period(today - 7, 1) },
      { title: 'This week', current: period(monday, daysOfWeek), before: period(monday - 7, daysOfWeek) },
      {
        title: 'This month',
        current: period(first, daysOfMonth),
        // A shorter month has no more days: March 30 is compared with all of February.
        before: period(firstBefore, Math.min(daysOfMonth, first - firstBefore)),
      },
    ],
    /** The last 30 days. */
    days: Array.from({ length: 30 }, (_, nth) => period(today - 29 + nth, 1)),
    /** The last 52 weeks; the last one is this week. */
    weeks: Array.from({ length: 52 }, (_, nth) => period(monday - (51 - nth) * 7, 7)),
  }
}

export type Overview = Omit<Awaited<ReturnType<typeof readOverview>>, 'isVerified' | 'hasSecondFactor' | 'facts'>
