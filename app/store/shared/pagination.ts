/** `rows` needs one row more than the page: see `rowsFor`. */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? page.at(-1)!.id : null }
}

export function rowsFor(limit: number): number {
  return limit + 1
}
