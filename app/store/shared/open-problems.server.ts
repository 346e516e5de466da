import { sql, type SQL } from 'drizzle-orm'
import { longestSilence, maxAttempts } from './limits'
import { maxCount } from './counts'

/** SQL: emails that were given up, and refunds (of payments, of orders) that Stripe owes or that came back, and disputes that the shop can answer. */
export const openProblems = {
  emails: sql`emails.sent_at IS NULL AND emails.attempts >= ${maxAttempts}`,
  owedRefunds: { payment: sql`refund_id IS NULL`, order: sql`refund_id IS NULL AND failed_at IS NULL` },
  disputes: sql`state IN ('inquiry', 'open') AND due_by IS NOT NULL`,
  failedRefunds: { payment: sql`failed_at IS NOT NULL`, order: sql`refund_id IS NOT NULL AND failed_at IS NOT NULL` },
}

/** SQL over `log_readers`: when the oldest event happened that a reader has not read, in milliseconds since 1970; null: it has read all. */
export const oldestUnread = sql`(SELECT at FROM audit_log WHERE id > read_id ORDER BY id LIMIT 1)`

/** SQL: how many rows, at most `maxCount`. */
export function countRows(rows: SQL): SQL {
  return sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${maxCount}))`
}

/** SQL: how many things are wrong at this time, as the page of problems lists them, low stock apart, which is work and no fault. */
export function countProblems(at: number): SQL {
  const { emails, owedRefunds, failedRefunds } = openProblems
  const counts = [
    sql`emails WHERE ${emails}`,
    ...[owedRefunds, failedRefunds].flatMap(({ payment, order }) => [
      sql`refunds WHERE ${payment}`,
      sql`order_refunds WHERE ${order}`,
    ]),
    sql`disputes WHERE ${openProblems.disputes}`,
    sql`unmatched_payments WHERE refund_id IS NULL`,
    sql`log_readers WHERE ${oldestUnread} < ${at - longestSilence}`,
    sql`health WHERE id = 1 AND cron_finished_at < ${at - longestSilence}`,
  ]
  return sql.join(counts.map(countRows), sql` + `)
}
