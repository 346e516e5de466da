/** Fields of which a form has a row each: the nth has the name and `n` once it is read. */
const rowFields = ['attributeName', 'attributeValue']

/** More than any form has. */
export const maxRows = 60

/** `attributeName` three times becomes `attributeName1` to `attributeName3`: conform drops empty ones, and so mixes up the rows. */
export function numberRows(form: FormData): FormData {
  const numbered = new FormData()
  const counts: Record<string, number> = {}
  for (const [name, value] of form) {
    if (rowFields.includes(name)) counts[name] = (counts[name] ?? 0) + 1
    numbered.append(`${name}${counts[name] ?? ''}`, value)
  }
  return numbered
}

type ValueOf = (name: string) => string | undefined

const allRows = Array.from({ length: maxRows }, (_, index) => index + 1)

/** How many rows have something in this field. */
export function countRows(valueOf: ValueOf, name: string): number {
  return allRows.filter((row) => valueOf(`${name}${row}`)).length
}

/** How many rows of these fields the form shows: all that have something, and an empty one. */
export function rowsToShow(valueOf: ValueOf, names: string[], most: number): number {
  const asked = Number(valueOf('addRow') ?? 0)
  const filled = allRows.findLast((row) => names.some((name) => valueOf(`${name}${row}`)))
  return Math.max(filled ?? 0, Math.min(most, Math.max((filled ?? 0) + 1, Number.isInteger(asked) ? asked : 0)))
}
