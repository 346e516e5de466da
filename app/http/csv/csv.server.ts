import { cleanText } from '../../store/shared/clean-text.server'
import { streamOf } from '../formats/stream.server'

/*
 * A spreadsheet runs a cell as a formula that begins with one of these (OWASP, CSV Injection). Half of Europe opens the file split at
 * `;`, whatever it is split at, and quotes count only at the beginning of a cell: a cell of theirs may begin after each `;`, tab and
 * line break of a text. There, and at the beginning, an apostrophe goes before a formula. A text that ends with a separator gets one
 * too: the next cell of theirs would begin with the end of our line. An empty line is an empty cell of theirs, and stays; one of apostrophes
 * alone gets one more, since files of before have one in each empty line. `plainText` takes them off again.
 */
const marks = `=+\\-@\\t＝＋－＠`
const formula = `['" ]*[${marks}]`
const any = `['" ]*[${marks}\\r\\n]`
const [cellStart, lineStart, separatorAtEnd] = ['(?<=^|[;\\t])', '(?<=[\\r\\n])', `(?<=[;\\t\\r\\n])`]
const begins = new RegExp(
  `${cellStart}(?=${any})|${lineStart}(?=${formula}|'['" ]*[\\r\\n])|${separatorAtEnd}(?=['" ]*$)`,
  'g',
)
const defused = new RegExp(`${cellStart}'(?=${any})|${lineStart}'(?=${any})|${separatorAtEnd}'(?=['" ]*$)`, 'g')

/** A phone number is no formula: at worst a spreadsheet adds its parts up. Not in the first cell, which for some goes on with the next one. */
const phone = /^\+[\d ()./-]+$/

/** A line of RFC 4180, all cells quoted, in which no text is a formula. */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map((cell, nth) => csvCell(cell, nth === 0)).join(',')}\r\n`
}

function csvCell(value: string | number | null, isFirst: boolean): string {
  const isHarmless = typeof value === 'number' || (!isFirst && phone.test(value ?? ''))
  const text = isHarmless ? String(value) : (value ?? '').replace(begins, "'")
  return `"${text.replaceAll('"', '""')}"`
}

/** The text that `csvLine` was given. */
export function plainText(cell: string): string {
  return cell.replace(defused, '')
}

/** `line` counts as a spreadsheet does: a text with line breaks is one line. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

/** Comma, semicolon (as spreadsheets in Europe write it) or tab: the one that the first line has most of. */
export function separatorOf(text: string): string {
  const head = /^[^\r\n]{0,1000}/.exec(text)![0]
  const count = (separator: string) => head.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

export interface Table {
  separator: string
  /** As they stand in the file. */
  names: string[]
  rows: { line: number; cells: string[] }[]
}

/** Also columns without a name, which spreadsheets add. */
const maxColumns = 400
const maxRows = 50_000

/**
 * A file as spreadsheets write it: with a byte order mark, a line `sep=;`, empty lines, empty columns, and an apostrophe before what would be a
 * formula. The lines that are not empty, after the names of the columns. Throws `CsvError`.
 */
export function readTable(text: string): Table {
  if (text.includes('\0')) throw new CsvError(1, 'This is not a CSV file.')
  const [mark, sep] = /^\uFEFF?(?:"?sep=(.)"?[,;\t ]*(?:\r\n?|\n))?/i.exec(text)!
  const [empty] = /^(?:[,;\t ]*(?:\r\n?|\n))*/.exec(text.slice(mark.length))!
  const body = text.slice(mark.length + empty.length)
  const separator = separatorOf(body)
  const named = sep !== undefined && [',', ';', '\t', '|'].includes(sep) && /^.*/.exec(body)![0].includes(sep)
  const skipped = empty.split(/\r\n?|\n/).length - 1
  const table: Table = { separator: named ? sep : separator, names: [], rows: [] }
  let line = skipped
  for (const cells of parseCsv(body, table.separator, maxColumns, skipped)) {
    line++
    if (line === skipped + 1) {
      table.names = cells.map((name) => cleanText(name).trim())
      while (table.names.at(-1) === '') table.names.pop()
    } else if (cells.some((cell) => cell.trim() !== '')) {
      if (table.rows.length === maxRows) throw new CsvError(line, 'A file may have at most 50,000 lines.')
      table.rows.push({ line, cells: cells.map((cell) => cleanText(plainText(cell))) })
    }
  }
  return table
}

/** The cells of each line, with LF or CRLF. Throws `CsvError`; stops at the first line with more than `most` cells. `skipped`: lines before `text`. */
export function* parseCsv(text: string, separator: string, most = maxColumns, skipped = 0): Generator<string[], void> {
  const plainEnd = new RegExp(`[${separator}\\r\\n]|$`, 'g')
  let at = 0
  for (let line = skipped + 1; at < text.length; line++) {
    const cells: string[] = []
    for (;;) {
      const isQuoted = text[at] === '"'
      plainEnd.lastIndex = at
      const end = isQuoted ? endOfQuote(text, at + 1) : plainEnd.exec(text)!.index
      if (end === -1) throw new CsvError(line, 'A quoted text does not end.')
      cells.push(isQuoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end))
      if (cells.length > most) throw new CsvError(line, `This line has more than ${most} columns.`)
      at = isQuoted ? end + 1 : end
      if (text[at] !== separator) break
      at++
    }
    if (at < text.length && !/[\r\n]/.test(text[at]!)) throw new CsvError(line, 'There is text after a closing quote.')
    at += text.startsWith('\r\n', at) ? 2 : 1
    yield cells
  }
}

function endOfQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/** A download, streamed, that no cache stores. */
export function csvFile(name: string, content: string | AsyncGenerator<string, void>): Response {
  return new Response(typeof content === 'string' ? content : streamOf(content), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  })
}
