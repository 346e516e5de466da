/**
 * One page of a list that was read one row further than it shows: that row tells whether there is more. Without a limit it is
 * all there is.
 */
export function pageOf<Row extends { id: string }>(
  rows: Row[],
  limit = Infinity,
): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? page.at(-1)!.id : null }
}

/** How many rows to read for such a page: SQLite takes -1 for all. */
export function rowsFor(limit: number | undefined): number {
  return limit === undefined ? -1 : limit + 1
}
