import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, parseCsv, plainText, separatorOf } from './csv.server'

const parse = (text: string, separator = separatorOf(text)) => [...parseCsv(text, separator)]

test.for([
  ['=1+1', "'=1+1"],
  ['+39 0372', "'+39 0372"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ["'=1", "''=1"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['1 Bow Lane\nCremona, "Italy"', '"1 Bow Lane\nCremona, ""Italy"""'],
  ['a=b', 'a=b'],
  ["'Ode'", "'Ode'"],
  [-5, '-5'],
  [null, ''],
] as const)('writes %j as %j', ([value, written]) => {
  expect(csvLine([value, 'x'])).toBe(`${written},x\r\n`)
})

test('reads what it has written', () => {
  const characters = fc.string({
    unit: fc.constantFrom("'", '"', '=', '-', '@', ',', ';', '\t', '\r', '\n', ' ', 'é', '𝄞'),
  })
  fc.assert(
    fc.property(fc.array(fc.array(characters, { minLength: 1, maxLength: 5 }), { minLength: 1 }), (rows) => {
      const read = parse(rows.map(csvLine).join(''), ',')
      expect(read.map((cells) => cells.map(plainText))).toEqual(rows)
    }),
    { numRuns: 2000 },
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
  [`a\n${','.repeat(100_000)}`, 2, 'This line has more than 100 columns.'],
] as const)('refuses %j in line %i', ([text, line, message]) => {
  expect(() => parse(text, ',')).toThrow(expect.objectContaining({ line, message }) as Error)
})
