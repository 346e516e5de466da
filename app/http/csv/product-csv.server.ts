import {
  importColumns,
  optionalColumns,
  type ImportColumn,
  type ImportLine,
} from '../../store/catalog/import-instruments.server'
import { attributesText } from '../../store/catalog/attributes'
import { picturesText } from '../../store/catalog/pictures/picture-lists'
import type { Instrument } from '../../store/catalog/instruments'
import { maxImportLines } from '../../store/shared/limits'
import { day, dayText } from '../../store/shared/dates'
import { dollarsText } from '../../store/shared/money'
import { csvLine, CsvError, parseCsv, plainText, separatorOf } from './csv.server'
import { cutText } from '../../store/shared/text'

/** Spreadsheets read UTF-8 only after a byte order mark. */
export const productsHead = `\uFEFF${csvLine([...importColumns])}`

export function productsCsv(instruments: Instrument[]): string {
  return instruments.map((instrument) => csvLine(importColumns.map((column) => cellOf(instrument, column)))).join('')
}

function cellOf(instrument: Instrument, column: ImportColumn): string | number | null {
  if (column === 'stockChange' || column === 'reason') return ''
  if (column === 'specification') return attributesText(instrument.attributes)
  if (column === 'pictures') return picturesText(instrument.pictures)
  if (column === 'salePrice') return instrument.saleCents === null ? '' : dollarsText(instrument.saleCents)
  if (column === 'saleFrom') return dayText(instrument.saleFromAt)
  if (column === 'saleUntil') return dayText(instrument.saleUntilAt && instrument.saleUntilAt - day)
  return column === 'price' ? dollarsText(instrument.regularCents) : instrument[column]
}

/** Null for a file that is not UTF-8. */
export async function readText(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return null
  }
}

/** The lines of a file, in which the columns may stand in any order. Throws `CsvError`. */
export function readProducts(text: string): ImportLine[] {
  if (text.includes('\0')) throw new CsvError(1, 'This is not a CSV file.')
  const separator = separatorOf(text)
  const rows = parseCsv(text, separator)
  const columns = readHead(rows.next().value ?? [])
  const lines: ImportLine[] = []
  let line = 1
  for (const row of rows) {
    line++
    // Spreadsheets write empty lines, and leave out or add empty cells at the end of a line.
    if (row.every((cell) => cell === '')) continue
    if (row.slice(columns.length).some((cell) => cell !== '')) {
      throw new CsvError(line, `This line has ${row.length} values, and the first line has ${columns.length} columns.`)
    }
    if (lines.length === maxImportLines) {
      throw new CsvError(line, `A file may have at most ${maxImportLines.toLocaleString('en-US')} products.`)
    }
    const cells = Object.fromEntries(
      columns.map((column, index) => [column, plainText(row[index] ?? '')]),
    ) as ImportLine['cells']
    // Where the separator is a semicolon, a price has a decimal comma.
    const withPoint = (price: string) => (separator === ';' ? price.replace(/^(\d+),(\d+)$/, '$1.$2') : price)
    cells.price = withPoint(cells.price)
    if (cells.salePrice !== undefined) cells.salePrice = withPoint(cells.salePrice)
    lines.push({ line, cells })
  }
  return lines
}

function readHead(row: string[]): ImportColumn[] {
  const names = row.map((name) => name.trim())
  while (names.at(-1) === '') names.pop()
  const missing = importColumns.filter(
    (column) => !names.includes(column) && !(optionalColumns as readonly string[]).includes(column),
  )
  const unknown = names.filter((name) => !importColumns.includes(name as ImportColumn))
  const problem =
    missing.length > 0
      ? `Missing: ${missing.join(', ')}.`
      : unknown.length > 0
        ? `Unknown: ${cutText(unknown.join(', '), 100)}.`
        : new Set(names).size < names.length
          ? 'One is there twice.'
          : null
  if (problem === null) return names as ImportColumn[]
  const elsewhere = names.length > 20 ? ' Of WooCommerce, bring a file that was exported in English or German.' : ''
  throw new CsvError(1, `The first line must have the columns ${importColumns.join(', ')}. ${problem}${elsewhere}`)
}
