import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { closedAccount } from '../orders/orders'
import { holdReminder, maxEmailsPerRun } from '../shared/limits'

/**
 * For the cron trigger: one email before the hold of an unpaid order ends (`holdReminder`), to verified customers as R49 says, at most
 * `maxEmailsPerRun`, the next end first. One statement decides and writes: an order that is paid or cancelled by then has none, and its id is
 * that of its only one, however many runs there are at once.
 */
export async function remindOfHolds({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const at = now()
  const { before, share } = holdReminder
  await db.run(sql`
    INSERT INTO emails (id, kind, recipient, subject, text, html, created_at, due_at, audit_log_id)
    SELECT 'hold ends:' || orders.id, 'hold ends', orders.customer_email, '', '', '', ${at}, ${at},
      (SELECT id FROM audit_log WHERE order_id = orders.id AND event = 'order placed')
    FROM orders CROSS JOIN users ON users.id = orders.customer_id
    WHERE orders.state = 'unpaid' AND orders.hold_until > ${at} AND orders.hold_until <= ${at + before}
      AND orders.hold_until - (orders.hold_until - orders.created_at) / ${share} <= ${at}
      AND users.email_verified_at IS NOT NULL AND orders.customer_email <> ${closedAccount}
      AND NOT EXISTS (SELECT 1 FROM emails WHERE id = 'hold ends:' || orders.id)
    ORDER BY orders.hold_until LIMIT ${maxEmailsPerRun}
    ON CONFLICT DO NOTHING`)
}
