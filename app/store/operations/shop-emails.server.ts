import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dailySales, emails, shopSettings } from '../../db/schema'
import { day } from '../shared/dates'
import type { Deps } from '../deps'
import { enqueueEmailIf } from '../email/outbox.server'
import { dailySummaryEmail } from '../email/templates.server'
import { formatCents } from '../shared/money'
import { isToShip } from '../orders/orders.server'
import { countText, maxCount } from '../shared/counts'
import { countLowStock, selectLowStock } from '../screens/overview.server'

export const OrderEmails = z.object({
  orderEmails: z.enum(['each', 'daily', 'none'], { error: 'Choose one of the three' }),
})
export type OrderEmails = z.output<typeof OrderEmails>

/** There is no other row. */
const theOne = eq(shopSettings.id, 1)

/** Which emails about paid orders the shop gets. */
export async function readOrderEmails({ db }: Deps): Promise<OrderEmails['orderEmails']> {
  const [settings] = await db.select().from(shopSettings).where(theOne)
  return settings!.orderEmails
}

/** Chooses the emails about paid orders, and records who did. A trigger enqueues those about each order. Idempotent. */
export async function chooseOrderEmails(
  { db, now }: Deps,
  admin: { id: string },
  { orderEmails }: OrderEmails,
): Promise<void> {
  await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, note)
      SELECT ${now()}, 'shop emails changed', ${admin.id}, order_emails || ' → ' || ${orderEmails}
      FROM shop_settings WHERE id = 1 AND order_emails <> ${orderEmails}`),
    db.update(shopSettings).set({ orderEmails }).where(theOne),
  ])
}

/**
 * For the cron trigger: enqueues the summary of yesterday (UTC) if the shop wants one, once, however often it runs. None
 * after a day without paid orders.
 */
export async function enqueueDailySummary(deps: Deps): Promise<void> {
  const { db, now, origin, shopEmail } = deps
  const yesterday = Math.floor(now() / day) - 1
  const date = new Date(yesterday * day).toISOString().slice(0, 10)
  const isDue = sql`(SELECT order_emails FROM shop_settings WHERE id = 1) = 'daily'
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
