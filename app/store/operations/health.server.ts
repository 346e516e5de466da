import { and, eq, isNull, lt, min, sql } from 'drizzle-orm'
import journal from '../../../migrations/meta/_journal.json'
import { emails, health, orderRefunds, refunds } from '../../db/schema'
import { oldestUnread } from '../shared/open-problems.server'
import { longestSilence, maxAttempts } from '../shared/limits'
import type { Deps } from '../deps'

export async function isHealthy({ db }: Deps): Promise<boolean> {
  try {
    await db.run(sql`SELECT 1`)
    return true
  } catch {
    return false
  }
}

const minute = 60_000

/** There is no other row. */
const theOne = eq(health.id, 1)

/** How old the oldest may be, in milliseconds. The cron trigger runs every 5 minutes, and a dead run holds its lease for 15. */
export const bounds = { log: longestSilence, email: 60 * minute, refund: 24 * 60 * minute, cron: longestSilence }

/** Drizzle writes the `when` of a migration beside it into the database. */
const knownMigration = Math.max(...journal.entries.map(({ when }) => when))

interface Check {
  ok: boolean
  [detail: string]: unknown
}

/** False for a replica, which would sign customers out right after their login (decision 33). Each read has a connection of its own. */
async function readsItsWrites({ db, now }: Deps): Promise<boolean> {
  // A replica that is 40 ms behind gave the new value in one of three reads.
  for (let round = 0; round < 4; round++) {
    const at = now() + round
    await db.update(health).set({ checkedAt: at }).where(theOne)
    const [row] = await db.select({ at: health.checkedAt }).from(health).where(theOne)
    if (row!.at! < at) return false
  }
  return true
}

/**
 * Looks at what a customer does not see: the schema, a real write, what waits too long. Ages in seconds. A database that is
 * ahead of the code is fine: migrations only add (docs/running.md). Never throws; `error` is the first one.
 */
export async function checkDeeply(deps: Deps): Promise<{ checks: Record<string, Check>; error: unknown }> {
  const { db, now } = deps
  const errors: unknown[] = []
  const attempt = async (check: () => Promise<Check>) => {
    const startedAt = now()
    const result = await check().catch((error: unknown): Check => {
      errors.push(error)
      return { ok: false }
    })
    return { ...result, durationMs: now() - startedAt }
  }
  const aged = (oldest: number | null, bound: number) => {
    const age = oldest === null ? null : Math.max(0, now() - oldest)
    return { ok: age === null || age <= bound, oldestSeconds: age === null ? null : Math.round(age / 1000) }
  }
  const [schema, write, log, email, refund, cron] = await Promise.all([
    attempt(async () => {
      const found = await db.get<{ at: number | null }>(sql`SELECT max(created_at) AS at FROM __drizzle_migrations`)
      return { ok: Number(found.at) >= knownMigration, known: knownMigration, found: found.at }
    }),
    attempt(async () => {
      // 16 kB: a full disk may have room for a byte.
      const ballast = sql`hex(randomblob(8192))`
      const { rowsAffected } = await db.update(health).set({ checkedAt: now(), ballast }).where(theOne)
      return { ok: rowsAffected === 1 && (await readsItsWrites(deps)) }
    }),
    attempt(async () => {
      const { at } = await db.get<{ at: number | null }>(sql`SELECT min(${oldestUnread}) AS at FROM log_readers`)
      return aged(at, bounds.log)
    }),
    attempt(async () => {
      // By age: a retry moves `due_at` ahead.
      const waiting = and(isNull(emails.sentAt), lt(emails.attempts, maxAttempts))
      const [row] = await db
        .select({ oldest: min(emails.createdAt) })
        .from(emails)
        .where(waiting)
      return aged(row!.oldest, bounds.email)
    }),
    attempt(async () => {
      const ofOrders = db
        .select({ at: orderRefunds.createdAt })
        .from(orderRefunds)
        .where(sql`refund_id IS NULL AND failed_at IS NULL`)
      const owed = ofOrders.unionAll(db.select({ at: refunds.createdAt }).from(refunds).where(isNull(refunds.refundId)))
      const dates = (await owed).map(({ at }) => at)
      return aged(dates.length > 0 ? Math.min(...dates) : null, bounds.refund)
    }),
    attempt(async () => {
      const [row] = await db.select({ at: health.cronFinishedAt }).from(health).where(theOne)
      return aged(row!.at, bounds.cron)
    }),
  ])
  return { checks: { schema, write, log, email, refund, cron }, error: errors[0] }
}
