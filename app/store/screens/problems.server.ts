import { sql, type SQL } from 'drizzle-orm'
import type { Deps } from '../deps'
import { openProblems, oldestUnread } from '../shared/open-problems.server'
import { longestSilence } from '../shared/limits'
import { countLowStock } from './overview.server'

/** A row of the list. `at` in milliseconds since 1970, `amountCents` in US cents. */
export interface ProblemEntry {
  id: string
  at: number
  amountCents: number | null
  /** Null: not of an order that the shop has. */
  order: { id: string; number: number } | null
}

export interface Problems {
  /** `id` is the address that could not be reached. */
  failedEmails: ProblemEntry[]
  owedRefunds: ProblemEntry[]
  failedRefunds: ProblemEntry[]
  /** `at`: until when the shop can answer. */
  disputes: ProblemEntry[]
  /** `id` is Stripe's. */
  unmatchedPayments: ProblemEntry[]
  /** At most 99. */
  lowStock: number
  /** Readers of the audit log that have not read an event for half an hour. */
  lateReaders: string[]
  /** Milliseconds since 1970; null: they ran within half an hour. */
  tasksLastRan: number | null
}

interface Row extends Omit<ProblemEntry, 'order'> {
  orderId: string | null
  number: number | null
}

/** So many of each kind, the latest first. */
export const problemsShown = 20

/** For admins: everything that waits for somebody, in one batch. */
export async function readProblems(deps: Deps): Promise<Problems> {
  const { db, now } = deps
  const order = sql`orders.id AS orderId, orders.number`
  const latest = sql`ORDER BY at DESC LIMIT ${problemsShown}`
  const refunds = (which: Record<'payment' | 'order', SQL>) =>
    db.all<Row>(sql`
    SELECT its.id, its.at, its.amountCents, ${order} FROM (
      SELECT transaction_id AS id, order_id, amount_cents AS amountCents, created_at AS at FROM refunds
      WHERE ${which.payment}
      UNION ALL SELECT id, order_id, amount_cents, created_at FROM order_refunds
      WHERE ${which.order}
    ) AS its JOIN orders ON orders.id = its.order_id ${latest}`)
  const [emails, owed, failed, disputed, unmatched, [rest]] = await db.batch([
    db.all<Row>(sql`
      SELECT emails.recipient AS id, emails.created_at AS at, NULL AS amountCents, ${order}
      FROM emails LEFT JOIN audit_log ON audit_log.id = emails.audit_log_id LEFT JOIN orders ON orders.id = audit_log.order_id
      WHERE ${openProblems.emails} ${latest}`),
    refunds(openProblems.owedRefunds),
    refunds(openProblems.failedRefunds),
    db.all<Row>(sql`
      SELECT its.id, due_by AS at, amount_cents AS amountCents, ${order}
      FROM (SELECT * FROM disputes WHERE ${openProblems.disputes}) AS its JOIN orders ON orders.id = its.order_id
      ORDER BY at LIMIT ${problemsShown}`),
    db.all<Row>(sql`
      SELECT transaction_id AS id, found_at AS at, amount_cents AS amountCents, NULL AS orderId, NULL AS number
      FROM unmatched_payments WHERE refund_id IS NULL ${latest}`),
    db.all<{ lowStock: number; tasksRanAt: number; lateReaders: string }>(sql`
      SELECT ${countLowStock(deps)} AS lowStock, (SELECT cron_finished_at FROM health) AS tasksRanAt,
        (SELECT json_group_array(name) FROM log_readers WHERE ${oldestUnread} < ${now() - longestSilence}) AS lateReaders`),
  ])
  const entries = (rows: Row[]) =>
    rows.map(({ orderId, number, ...row }) => ({
      ...row,
      order: orderId === null ? null : { id: orderId, number: number! },
    }))
  return {
    failedEmails: entries(emails),
    owedRefunds: entries(owed),
    failedRefunds: entries(failed),
    disputes: entries(disputed),
    unmatchedPayments: entries(unmatched),
    lowStock: rest!.lowStock,
    lateReaders: JSON.parse(rest!.lateReaders) as string[],
    tasksLastRan: now() - rest!.tasksRanAt > longestSilence ? rest!.tasksRanAt : null,
  }
}
