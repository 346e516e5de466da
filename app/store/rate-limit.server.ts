import { and, eq, lt, sql } from 'drizzle-orm'
import { rateLimits } from '../db/schema'
import type { Deps } from './deps'
import { Refusal } from './refusal'

export interface RateLimit {
  key: string
  max: number
  /** Milliseconds. */
  window: number
}

/** Milliseconds. */
export const quarterHour = 15 * 60 * 1000

/**
 * Counts one attempt against each limit and refuses at the first exceeded one. Pass the narrowest limit first:
 * otherwise one client could use up a wider limit and lock everybody out. Counts before it compares, so parallel
 * attempts cannot pass. `undo` removes the attempt from the count.
 */
export async function consumeRateLimit(
  { db, now }: Deps,
  limits: RateLimit[],
  message = 'Too many tries.',
): Promise<{ undo: () => Promise<void> }> {
  const at = now()
  const windows = limits.map((limit) => ({ ...limit, until: (Math.floor(at / limit.window) + 1) * limit.window }))
  for (const { key, until, max } of windows) {
    const [row] = await db
      .insert(rateLimits)
      .values({ key, until, count: 1 })
      .onConflictDoUpdate({ target: [rateLimits.key, rateLimits.until], set: { count: sql`${rateLimits.count} + 1` } })
      .returning({ count: rateLimits.count })
    if (row!.count > max) throw rateLimited(message, until - at)
  }
  return {
    async undo() {
      for (const { key, until } of windows) {
        await db
          .update(rateLimits)
          .set({ count: sql`${rateLimits.count} - 1` })
          .where(and(eq(rateLimits.key, key), eq(rateLimits.until, until)))
      }
    },
  }
}

export async function deleteExpiredRateLimits({ db, now }: Deps): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.until, now()))
}

/** `wait` in milliseconds. */
export function rateLimited(message: string, wait: number): Refusal {
  return new Refusal('too-many', `${message} Please wait ${formatDuration(wait)}, and try again.`, {
    retryAfter: Math.ceil(wait / 1000),
  })
}

/** Rounded up: `1 minute`, `15 minutes`, `7 hours`. */
function formatDuration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
