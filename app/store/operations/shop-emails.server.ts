import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import { dailySales, emails, shopSettings } from '../../db/schema'
import { oldestUnread } from '../shared/open-problems.server'
import { salesFigures } from '../orders/sales-figures.server'
import { dayNumber, dayNumberText, startOfDay } from '../shared/dates'
import type { Deps } from '../deps'
import { enqueueEmailIf } from '../email/outbox.server'
import { dailySummaryEmail } from '../email/templates.server'
import { formatCents } from '../shared/money'
import { isToShip } from '../orders/orders.server'
import { countText, maxCount } from '../shared/counts'
import { readLog, runReaders } from './run-readers.server'
import { countLowStock, selectLowStock } from '../screens/overview.server'

const eachOrNone = z.enum(['each', 'none'], { error: 'Choose one of the two' }).optional()

/** Which emails the shop gets; what is missing stays as it is. */
export const ShopEmails = z.object({
  orderEmails: z.enum(['each', 'daily', 'none'], { error: 'Choose one of the three' }),
  messageEmails: eachOrNone,
  quoteEmails: eachOrNone,
  stockEmails: eachOrNone,
})
export type ShopEmails = z.output<typeof ShopEmails>

/** There is no other row. */
const theOne = eq(shopSettings.id, 1)

export async function readShopEmails({ db }: Deps): Promise<Required<ShopEmails>> {
  const { orderEmails, messageEmails, quoteEmails, stockEmails } = shopSettings
  const [chosen] = await db
    .select({ orderEmails, messageEmails, quoteEmails, stockEmails })
    .from(shopSettings)
    .where(theOne)
  return chosen!
}

/** SQL: what changes in the emails of one kind, for the audit log; empty: nothing. */
function changeOf(what: string, column: SQLWrapper, choice: string | undefined): SQL {
  return choice === undefined
    ? sql`''`
    : sql`iif(${column} <> ${choice}, ${`, ${what}`} || ${column} || ' → ' || ${choice}, '')`
}

/** Chooses the emails to the shop, and records who did. Idempotent. */
export async function chooseShopEmails(deps: Deps, admin: { id: string }, choice: ShopEmails): Promise<void> {
  const { db, now } = deps
  const { orderEmails, messageEmails, quoteEmails, stockEmails } = shopSettings
  const change = sql.join(
    [
      changeOf('', orderEmails, choice.orderEmails),
      changeOf('messages ', messageEmails, choice.messageEmails),
      changeOf('price requests ', quoteEmails, choice.quoteEmails),
      changeOf('low stock ', stockEmails, choice.stockEmails),
    ],
    sql` || `,
  )
  // What has happened until now is read by the choice before.
  await readLog(deps)
  await runReaders(deps, [
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, 'shop emails changed', ${admin.id}, substr(change, 3) FROM (SELECT ${change} AS change FROM ${shopSettings} WHERE ${theOne})
      WHERE change <> ''`),
    db.update(shopSettings).set(choice).where(theOne),
  ])
}

/**
 * For the cron trigger: enqueues the summary of yesterday, a day of the shop, if the shop wants one, once, however often it runs. None
 * after a day without paid orders.
 */
export async function enqueueDailySummary(deps: Deps): Promise<void> {
  const { db, now, origin, shopEmail } = deps
  const yesterday = dayNumber(now()) - 1
  const date = dayNumberText(yesterday)
  // Not before the last sale of yesterday is counted.
  const isCounted = sql`coalesce((SELECT ${oldestUnread} FROM log_readers WHERE name = ${salesFigures.name}) >= ${startOfDay(now())}, true)`
  const isDue = sql`${isCounted} AND (SELECT order_emails FROM shop_settings WHERE id = 1) = 'daily'
    AND NOT EXISTS (SELECT 1 FROM ${emails} WHERE id = ${`daily summary:${date}`})`
  const [sales] = await db
    .select()
    .from(dailySales)
    .where(sql`${eq(dailySales.day, yesterday)} AND ${isDue}`)
  if (!sales) return
  const [lowStock, [waiting]] = await db.batch([
    selectLowStock(deps),
    db.all<{ toShip: number; low: number }>(sql`SELECT
      (SELECT count(*) FROM (SELECT 1 FROM orders WHERE ${isToShip} LIMIT ${maxCount})) AS toShip,
      ${countLowStock(deps)} AS low`),
  ])
  const { toShip, low } = waiting!
  const lowLines = lowStock.map(({ name, availableQuantity }) => `${name}: ${availableQuantity}`)
  if (low > lowStock.length) lowLines.push(`The first ${lowStock.length} of ${countText(low)}`)
  const rows: [string, string][] = [
    ['Paid orders', String(sales.orders)],
    ['Revenue', formatCents(sales.revenueCents)],
    ['To ship', toShip < maxCount ? String(toShip) : `${maxCount} or more`],
    ['Low stock', lowLines.join('\n') || 'nothing'],
  ]
  const email = dailySummaryEmail({ day: date, rows, page: `${origin}/dashboard`, shopEmail })
  await enqueueEmailIf(deps, email, isDue)
}
