import { and, eq, lt, sql } from 'drizzle-orm'
import { rateLimits } from '../db/schema'
import type { Deps } from './deps'
import { Refusal } from './refusal'

/** How often something may be tried: so many times in a window of so many milliseconds. */
export interface RateLimit {
  key: string
  max: number
  window: number
}

/** In milliseconds. */
export const quarterHour = 15 * 60 * 1000

/**
 * Counts one try against each limit, the narrowest first, and refuses it at the first that is used up: what one limit
 * stops does not use up a wider one, or one machine could lock everybody else out. Answers how to take the try back, for
 * those that turn out to be none. The count goes up before anything is looked at, so that a thousand at once are a
 * thousand. `tooMany` begins the words of the
 * refusal.
 */
export async function consumeRateLimit(
  { db, now }: Deps,
  limits: RateLimit[],
  tooMany = 'Too many tries.',
): Promise<{ takeBack: () => Promise<void> }> {
  const at = now()
  const counted = limits.map((limit) => ({ ...limit, until: (Math.floor(at / limit.window) + 1) * limit.window }))
  for (const { key, until, max } of counted) {
    const [row] = await db
      .insert(rateLimits)
      .values({ key, until, count: 1 })
      .onConflictDoUpdate({ target: [rateLimits.key, rateLimits.until], set: { count: sql`${rateLimits.count} + 1` } })
      .returning({ count: rateLimits.count })
    if (row!.count > max) throw rateLimited(tooMany, until - at)
  }
  return {
    async takeBack() {
      for (const { key, until } of counted) {
        await db
          .update(rateLimits)
          .set({ count: sql`${rateLimits.count} - 1` })
          .where(and(eq(rateLimits.key, key), eq(rateLimits.until, until)))
      }
    },
  }
}

/** Forgets windows that have ended. */
export async function deleteExpiredRateLimits({ db, now }: Deps): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.until, now()))
}

/** The refusal that says, after these words, to wait so many milliseconds. */
export function rateLimited(tooMany: string, wait: number): Refusal {
  return new Refusal('too-many', `${tooMany} Please wait ${formatDuration(wait)}, and try again.`, {
    retryAfter: Math.ceil(wait / 1000),
  })
}

/** Milliseconds as a person would say them, rounded up: `1 minute`, `15 minutes`, `7 hours`. */
function formatDuration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
