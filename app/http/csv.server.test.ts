import { expect, test } from 'vitest'
import { csvLine } from './csv.server'

test.for([
  ['=1+1', "'=1+1"],
  ['+39 0372', "'+39 0372"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['1 Bow Lane\nCremona, "Italy"', '"1 Bow Lane\nCremona, ""Italy"""'],
  ['a=b', 'a=b'],
  [-5, '-5'],
  [null, ''],
] as const)('writes %j as %j', ([value, written]) => {
  expect(csvLine([value, 'x'])).toBe(`${written},x\r\n`)
})
