import {
  countColumns,
  importColumns,
  optionalColumns,
  type ImportColumn,
  type ImportLine,
} from '../../store/catalog/import-instruments.server'
import { attributesText } from '../../store/catalog/attributes'
import { picturesText } from '../../store/catalog/pictures/picture-lists'
import type { Instrument } from '../../store/catalog/instruments'
import { maxImportLines } from '../../store/shared/limits'
import { dayText, inFirstDay, inLastDay } from '../../store/shared/dates'
import { dollarsText } from '../../store/shared/money'
import { csvLine, CsvError, readTable } from './csv.server'
import { readCount, readDayOf, readPrice } from './spreadsheet-values'
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
  if (column === 'saleFrom') return dayText(instrument.saleFromAt && inFirstDay(instrument.saleFromAt))
  if (column === 'saleUntil') return dayText(instrument.saleUntilAt && inLastDay(instrument.saleUntilAt))
  return column === 'price' ? dollarsText(instrument.regularCents) : instrument[column]
}

/** Null for a file that is neither UTF-8 nor UTF-16 with its mark, as Excel saves "Unicode text". */
export async function readText(file: File): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const mark = `${bytes[0]} ${bytes[1]}`
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const days = ['saleFrom', 'saleUntil'] as const

/** The lines of a file, in which the columns may stand in any order. Throws `CsvError`. */
export function readProducts(text: string): ImportLine[] {
  const { separator, names, rows } = readTable(text)
  const columns = readHead(names)
  if (rows.length > maxImportLines) {
    const most = maxImportLines.toLocaleString('en-US')
    throw new CsvError(rows[maxImportLines]!.line, `A file may have at most ${most} products.`)
  }
  return rows.map(({ line, cells: row }) => {
    if (row.slice(columns.length).some((cell) => cell !== '')) {
      throw new CsvError(line, `This line has ${row.length} values, and the first line has ${columns.length} columns.`)
    }
    const cells = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])) as ImportLine['cells']
    const read = (columns: readonly ImportColumn[], reader: (cell: string) => string) => {
      for (const column of columns) if (cells[column] !== undefined) cells[column] = reader(cells[column])
    }
    read(countColumns, readCount)
    read(['price', 'salePrice'], (cell) => readPrice(cell, separator))
    const unclear = days.flatMap((column) => {
      const cell = cells[column]
      const day = cell === undefined ? undefined : readDayOf(cell)
      if (day) cells[column] = day
      return day === null ? [{ column, message: `${cell} may be one of two days. Write it like 2026-12-24.` }] : []
    })
    return { line, cells, ...(unclear.length > 0 && { unclear }) }
  })
}

/** The names without regard to case, spaces and hyphens. */
const foldName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
const byName = new Map(importColumns.map((column) => [foldName(column), column]))

function readHead(names: string[]): ImportColumn[] {
  const columns = names.map((name) => byName.get(foldName(name)))
  const missing = importColumns.filter(
    (column) => !columns.includes(column) && !(optionalColumns as readonly string[]).includes(column),
  )
  const unknown = names.filter((_, nth) => !columns[nth])
  const twice = columns.filter((column, nth) => columns.indexOf(column) !== nth)
  const problem = columns.every((column) => !column)
    ? `It has none of them, but: ${cutText(names.join(', '), 100) || 'nothing'}.`
    : missing.length > 0
      ? `Missing: ${missing.join(', ')}.`
      : unknown.length > 0
        ? `Unknown: ${cutText(unknown.map((name) => name || '(no name)').join(', '), 100)}.`
        : twice.length > 0
          ? `There twice: ${twice.join(', ')}.`
          : null
  if (problem === null) return columns as ImportColumn[]
  const elsewhere = names.length > 20 ? ' Of WooCommerce, bring a file that was exported in English or German.' : ''
  throw new CsvError(1, `The first line must have the columns ${importColumns.join(', ')}. ${problem}${elsewhere}`)
}
