import { sql } from 'drizzle-orm'
import { emailsOf, logReader } from '../log/reader.server'
import { hasFallen } from '../log/stock-after.server'

/** To the shop, if it wants them. */
export const lowStock = logReader('low stock', (events) => [
  emailsOf({
    kind: sql`'low stock'`,
    id: sql`'low stock:' || instruments.id || ':' || event.id`,
    recipient: sql`'shop'`,
    from: sql`${events} CROSS JOIN instruments ON instruments.id = event.instrument_id
      WHERE ${hasFallen} AND (SELECT stock_emails FROM shop_settings) = 'each'`,
  }),
])

/** Between the emails of twenty customers and those of the next twenty, in milliseconds: not all of them come at once. */
const apart = 30_000

/** To who waits for an instrument that can be ordered now, once for each wish, those who have waited longest first. */
export const backInStock = logReader('back in stock', (events) => [
  emailsOf({
    kind: sql`'back in stock'`,
    id: sql`'back in stock:' || wishes.id`,
    recipient: sql`users.email`,
    dueAt: sql`event.at + ${apart} * ((row_number() OVER (ORDER BY wishes.created_at, wishes.id) - 1) / 20)`,
    aboutId: sql`wishes.id`,
    // It may be an order of somebody else.
    auditLogId: sql`NULL`,
    from: sql`(SELECT event.instrument_id, max(event.id) AS id, max(event.at) AS at FROM ${events}
        WHERE event.instrument_id IS NOT NULL AND event.event NOT LIKE 'order p%' GROUP BY 1) AS event
      CROSS JOIN instruments ON instruments.id = event.instrument_id AND removed_at IS NULL AND available_quantity >= min_quantity
      CROSS JOIN wishes ON wishes.instrument_id = instruments.id AND emailed_at IS NULL
      CROSS JOIN users ON users.id = wishes.user_id AND email_verified_at IS NOT NULL WHERE true`,
  }),
  sql`UPDATE wishes SET emailed_at = (SELECT created_at FROM emails WHERE id = 'back in stock:' || wishes.id)
    WHERE emailed_at IS NULL AND instrument_id IN (SELECT event.instrument_id FROM ${events})
      AND EXISTS (SELECT 1 FROM emails WHERE id = 'back in stock:' || wishes.id)`,
])
