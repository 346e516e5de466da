import { streamOf } from '../formats/stream.server'

/*
 * A spreadsheet runs a cell as a formula that begins with one of these (OWASP, CSV Injection). Half of Europe opens the file split at
 * `;`, whatever it is split at, and quotes count only at the beginning of a cell: a cell of theirs may begin after each `;`, tab and
 * line break of a text. There, and at the beginning, an apostrophe goes before a formula. A text that ends with a separator gets one
 * too: the next cell of theirs would begin with the end of our line. `plainText` takes them off again.
 */
const formula = `['" ]*[=+\\-@\\t\\r\\n＝＋－＠]`
const cellStart = `(?<=^|[;\\t\\r\\n])`
const separatorAtEnd = `(?<=[;\\t\\r\\n])`
const begins = new RegExp(`${cellStart}(?=${formula})|${separatorAtEnd}(?=['" ]*$)`, 'g')
const defused = new RegExp(`${cellStart}'(?=${formula})|${separatorAtEnd}'(?=['" ]*$)`, 'g')

/** A line of RFC 4180, all cells quoted, in which no text is a formula. */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '').replace(begins, "'")
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

const maxCells = 100

/** The cells of each line, with LF or CRLF. Throws `CsvError`; stops at the first line with more than `most` cells. */
export function* parseCsv(text: string, separator: string, most = maxCells): Generator<string[], void> {
  const plainEnd = new RegExp(`[${separator}\\r\\n]|$`, 'g')
  let at = 0
  for (let line = 1; at < text.length; line++) {
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
