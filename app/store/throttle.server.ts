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

export const quarterHour = 15 * 60 * 1000

/**
 * Counts one try against every limit, and refuses it, in the words of `tooMany`, when one of them is used up; answers how
 * to take the try back, for those that turn out to be none. The count goes up before anything is looked at, so that a thousand at once are a
 * thousand.
 */
export async function countTry(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  limits: [Limit, ...Limit[]],
  tooMany = 'Too many tries.',
): Promise<{ takeBack: () => Promise<void> }> {
  const at = now()
  const counted = limits.map((limit) => ({ ...limit, until: (Math.floor(at / limit.window) + 1) * limit.window }))
  const upserts = counted.map(({ key, until }) =>
    db
      .insert(tries)
      .values({ key, until, count: 1 })
      .onConflictDoUpdate({ target: [tries.key, tries.until], set: { count: sql`${tries.count} + 1` } })
      .returning({ count: tries.count }),
  )
  const rows = await db.batch(upserts as [(typeof upserts)[number], ...typeof upserts])
  const waits = counted.filter(({ most }, index) => rows[index]![0]!.count > most).map(({ until }) => until - at)
  if (waits.length > 0) throw refusal(tooMany, Math.max(...waits))

  return {
    async takeBack() {
      const downs = counted.map(({ key, until }) =>
        db
          .update(tries)
          .set({ count: sql`${tries.count} - 1` })
          .where(and(eq(tries.key, key), eq(tries.until, until))),
      )
      await db.batch(downs as [(typeof downs)[number], ...typeof downs])
    },
  }
}

/** Forgets windows that have ended. */
export async function forgetOldTries({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db.delete(tries).where(lt(tries.until, now()))
}

function refusal(tooMany: string, wait: number): Refusal {
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
