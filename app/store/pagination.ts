/**
 * One page of a list that was read one row further than it shows: that row tells whether there is more.
 */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? page.at(-1)!.id : null }
}

/** How many rows to read for such a page. */
export function rowsFor(limit: number): number {
  return limit + 1
}
