import { sql } from 'drizzle-orm'
import type { Deps } from '../deps'
import { clockOf, day } from '../shared/dates'
import { countAnew } from '../orders/sales-figures.server'

/** Null for what is no IANA name, such as `Mars/Phobos` or `+02:00`; else the name, in its usual capitals where they are known. */
export function readTimeZone(text: string): string | null {
  if (!/^[a-z][\w+/-]{1,49}$/i.test(text)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions()
    // It has old names for some, such as Asia/Calcutta.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    return null
  }
}

/** Further ahead, the offset of then stays. In milliseconds. */
const horizon = 20 * 366 * day
const week = 7 * day

/** From when on, in milliseconds since 1970, the clocks of the zone are how many milliseconds ahead of UTC. */
export function offsetsOf(zone: string, now: number): [fromAt: number, offsetMs: number][] {
  const clock = clockOf(zone)
  const offsets: [number, number][] = [[0, clock(0)]]
  for (let at = week; at < now + horizon; at += week) {
    let [low, high] = [at - week, at]
    const offset = clock(high)
    if (offset === offsets.at(-1)![1]) continue
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000
      if (clock(middle) === offset) high = middle
      else low = middle
    }
    offsets.push([high, offset])
  }
  return offsets
}

/** For the batch that stores another time zone. The figures of sales are counted anew; former prices keep the day that they have. */
export function countInZone({ db, now }: Deps, zone: string) {
  return [
    sql`DELETE FROM zone_offsets`,
    sql`INSERT INTO zone_offsets (from_at, offset_ms)
      SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(offsetsOf(zone, now()))})`,
    ...countAnew,
  ].map((statement) => db.run(statement))
}
