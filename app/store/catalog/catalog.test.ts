import { expect, test } from 'vitest'
import { firstWords } from './catalog'

test.for([
  ['Solid maple', 20, 'Solid maple'],
  ['Solid  maple\nback and ribs', 14, 'Solid maple…'],
  ['Solid maple, spruce top', 16, 'Solid maple…'],
  ['Contrabassoon', 5, 'Contr…'],
] as const)('shortens %j to %i characters at the end of a word', ([text, length, expected]) => {
  expect(firstWords(text, length)).toBe(expected)
})
