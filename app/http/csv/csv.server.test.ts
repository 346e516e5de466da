import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, parseCsv, plainText, readTable, separatorOf } from './csv.server'

const parse = (text: string, separator = separatorOf(text)) => [...parseCsv(text, separator)]

test.for([
  ['=1+1', "'=1+1"],
  ['+39 0372', "'+39 0372"],
  ['+SUM(1)', "'+SUM(1)"],
  ['1 Bow Lane\n\nCremona\r\n  \r\nItaly', '1 Bow Lane\n\nCremona\r\n  \r\nItaly'],
  ["x\n'\ny", "x\n''\ny"],
  ['x\n\n=1', "x\n\n'=1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  [' =1', "' =1"],
  ["'=1", "''=1"],
  ['x;=1', "x;'=1"],
  ['x;"=1', `x;'""=1`],
  ['x\n- 1; - 2', "x\n'- 1;' - 2"],
  ['x;', "x;'"],
  ['x;\n', "x;'\n'"],
  ['=HYPERLINK("x","y")', `'=HYPERLINK(""x"",""y"")`],
  ['1 Bow Lane\nCremona, "Italy"', '1 Bow Lane\nCremona, ""Italy""'],
  ['a=b; c', 'a=b; c'],
  ["'Ode'", "'Ode'"],
  [-5, '-5'],
  [null, ''],
] as const)('writes %j as %j', ([value, written]) => {
  expect(csvLine([value, 'x'])).toBe(`"${written}","x"\r\n`)
})

test('leaves a phone number as it is, but in the first cell', () => {
  expect(csvLine(['C-1', '+39 (0372) 12-34', '+1;=1', '+39 A1', '+cmd|x'])).toBe(
    `"C-1","+39 (0372) 12-34","'+1;'=1","'+39 A1","'+cmd|x"\r\n`,
  )
})

test.for(['Two\n\nlines', "Two\n'\nlines", '+39 0372', '+1'])('reads %j of a file of before, and of today', (text) => {
  const old = text.replace(/(?<=\n)(?='*\n)|^(?=\+)/g, "'")
  expect([plainText(old), plainText(parse(csvLine(['x', text]))[0]![1]!)]).toEqual([text, text])
})

test.for([
  ['sep=;\r\na;b\r\n1;2', ';', [[2, '1', '2']]],
  ['"sep=;"\na;b\n1;2', ';', [[2, '1', '2']]],
  ['sep=;,,\na,b\n1,2', ',', [[2, '1', '2']]],
  ['sep=|\na|b\n1|2', '|', [[2, '1', '2']]],
  [
    '\uFEFF\n,\n a ,b,,\n\n1,2\n , \n3,\n',
    ',',
    [
      [5, '1', '2'],
      [7, '3', ''],
    ],
  ],
  ["a\tb\n'=1\t'x", '\t', [[2, '=1', "'x"]]],
] as const)('reads the lines of %j', ([text, separator, rows]) => {
  const table = readTable(text)
  expect([table.separator, table.names]).toEqual([separator, ['a', 'b']])
  expect(table.rows.map(({ line, cells }) => [line, ...cells])).toEqual(rows)
})

const texts = fc.string({
  unit: fc.constantFrom(
    "'",
    '"',
    '=',
    '+',
    '1',
    '-',
    '@',
    ',',
    ';',
    '\t',
    '\r',
    '\n',
    ' ',
    'é',
    '𝄞',
    '＝',
    '＠',
    '＋',
    '－',
  ),
})
const tables = fc.array(fc.array(texts, { minLength: 1, maxLength: 5 }), { minLength: 1 })

test('reads what it has written', () => {
  fc.assert(
    fc.property(tables, (rows) => {
      const read = parse(rows.map(csvLine).join(''), ',')
      expect(read.map((cells) => cells.map(plainText))).toEqual(rows)
    }),
    { numRuns: 2000 },
  )
})

/** As a spreadsheet does: quotes count only at the beginning of a cell, and text may follow them. */
function openedAt(separator: string, text: string): string[] {
  const cells: string[] = []
  let [cell, isQuoted, isStart] = ['', false, true]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const isEnd = !isQuoted && [separator, '\r', '\n'].includes(character)
    if (isEnd) {
      cells.push(cell)
      cell = ''
    } else if (isStart && character === '"') isQuoted = true
    else if (!isQuoted || character !== '"') cell += character
    else if (text[at + 1] === '"') cell += text.charAt(at++)
    else isQuoted = false
    isStart = isEnd
  }
  return [...cells, cell]
}

test.for([',', ';', '\t'])('has no formula for who opens the file split at %j', (separator) => {
  const attack = ['C-1', 'x;=cmd', 'y\t@SUM(A1)', '1 Bow Lane\n+1;"-2', '＝cmd;＋1', 'z;']
  const opened = openedAt(separator, csvLine(attack) + csvLine(['C-2', -5, '12.50']))
  expect(opened).toContain({ ',': '-5', ';': 'C-2,"-5","12.50"', '\t': 'C-2,"-5","12.50"' }[separator])
  fc.assert(
    fc.property(tables, (rows) => {
      const formulas = openedAt(separator, rows.map(csvLine).join('')).filter(
        (cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && !/^\+[\d ()./-]+$/.test(cell),
      )
      expect(formulas).toEqual([])
    }),
    { examples: [[[attack]]], numRuns: 3000 },
  )
})

test.for([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n"x;y";1,5\r\n',
    [
      ['a', 'b'],
      ['x;y', '1,5'],
    ],
  ],
  [
    'a\tb\n1\t',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['a,b\n\n,\n', [['a', 'b'], [''], ['', '']]],
  [
    'a,"b\r\n""c"""\n5" tube,x',
    [
      ['a', 'b\r\n"c"'],
      ['5" tube', 'x'],
    ],
  ],
  ['', []],
] as const)('parses %j', ([text, rows]) => {
  expect(parse(text)).toEqual(rows)
})

test.for([
  ['a,b\n1,"2\n3,4\n', 2, 'A quoted text does not end.'],
  ['a,b\n"1" x,2', 2, 'There is text after a closing quote.'],
  [`a\n${','.repeat(100_000)}`, 2, 'This line has more than 400 columns.'],
] as const)('refuses %j in line %i', ([text, line, message]) => {
  expect(() => parse(text, ',')).toThrow(expect.objectContaining({ line, message }) as Error)
})
