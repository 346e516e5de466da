import { and, eq, lt, sql } from 'drizzle-orm'
import { tries } from '../db/schema'
import type { Deps } from './deps'
import { Refusal } from './refusal'

/** How often something may be tried: so many times in a window of so many milliseconds. */
export interface Limit {
  key: string
  most: number
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
export async function countTry(
  { db, now }: Deps,
  limits: Limit[],
  tooMany = 'Too many tries.',
): Promise<{ takeBack: () => Promise<void> }> {
  const at = now()
  const counted = limits.map((limit) => ({ ...limit, until: (Math.floor(at / limit.window) + 1) * limit.window }))
  for (const { key, until, most } of counted) {
    const [row] = await db
      .insert(tries)
      .values({ key, until, count: 1 })
      .onConflictDoUpdate({ target: [tries.key, tries.until], set: { count: sql`${tries.count} + 1` } })
      .returning({ count: tries.count })
    if (row!.count > most) throw tooOften(tooMany, until - at)
  }
  return {
    async takeBack() {
      for (const { key, until } of counted) {
        await db
          .update(tries)
          .set({ count: sql`${tries.count} - 1` })
          .where(and(eq(tries.key, key), eq(tries.until, until)))
      }
    },
  }
}

/** Forgets windows that have ended. */
export async function forgetOldTries({ db, now }: Deps): Promise<void> {
  await db.delete(tries).where(lt(tries.until, now()))
}

/** The refusal that says, after these words, to wait so many milliseconds. */
export function tooOften(tooMany: string, wait: number): Refusal {
  return new Refusal('too-many', `${tooMany} Please wait ${inWords(wait)}, and try again.`, {
    retryAfter: Math.ceil(wait / 1000),
  })
}

/** Milliseconds as a person would say them, rounded up: `1 minute`, `15 minutes`, `7 hours`. */
function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000)
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
