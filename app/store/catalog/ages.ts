/** `9 to 11` years, which no spreadsheet takes for a day, or `12+` and older. */
const age = /^(\d{1,2})(?:\+| to (\d{1,2}))$/

/** Null unless it is an age. The last year is null for `12+`. */
export function readAge(text: string): [from: number, to: number | null] | null {
  const [, from, to] = age.exec(text) ?? []
  if (from === undefined || (to !== undefined && Number(to) <= Number(from))) return null
  return [Number(from), to === undefined ? null : Number(to)]
}
