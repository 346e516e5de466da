import { expect, test } from 'vitest'
import { firstWords, slugOf } from './catalog'

test.for([
  ['Solid maple', 20, 'Solid maple'],
  ['Solid  maple\nback and ribs', 14, 'Solid maple…'],
  ['Solid maple, spruce top', 16, 'Solid maple…'],
  ['Contrabassoon', 5, 'Contr…'],
] as const)('shortens %j to %i characters at the end of a word', ([text, length, expected]) => {
  expect(firstWords(text, length)).toBe(expected)
})

test.for([
  ['Horn in F', 'horn-in-f'],
  ['Flöte in C', 'flote-in-c'],
  ['Meister Straße ¾', 'meister-strasse-3-4'],
  ['Hardingfele, Bø', 'hardingfele-bo'],
  ['二胡', ''],
] as const)('makes the slug of %j %j', ([name, slug]) => {
  expect(slugOf(name)).toBe(slug)
})
