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
