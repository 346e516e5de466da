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

const mostNamed = 5

/** Names those that an Undo has left alone; begins with a space. */
export function describeKept(names: string[]): string {
  if (names.length === 0) return ''
  const named = names.slice(0, mostNamed).join(', ')
  const more = names.length - mostNamed
  const others = more > 0 ? ` and ${more} other${more === 1 ? '' : 's'}` : ''
  return ` Somebody has changed these since, and they stay as they are: ${named}${others}.`
}
