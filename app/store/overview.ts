/** To count further, SQLite would read as many rows. */
export const maxCount = 100

/** Of a count that stops at `maxCount`. */
export function countText(count: number): string {
  return countUpTo(maxCount, count)
}

/** Of a count that stops at `max`. */
export function countUpTo(max: number, count: number): string {
  return count < max ? String(count) : `${max - 1}+`
}

export interface Sales {
  orders: number
  revenueCents: number
}

export interface Period extends Sales {
  /** Milliseconds since 1970, the start of its first day (UTC). */
  from: number
  days: number
}
