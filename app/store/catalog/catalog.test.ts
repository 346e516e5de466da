import { expect, test } from 'vitest'
import './families.server'
import { breadcrumb, firstWords, slugOf } from './catalog'

test.for([
  ['Solid maple', 20, 'Solid maple'],
  [' Solid maple\n', 11, 'Solid maple'],
  ['Solid  maple\nback and ribs', 14, 'Solid maple…'],
  ['Solid maple, spruce top', 16, 'Solid maple…'],
  ['Contrabassoon', 5, 'Contr…'],
] as const)('shortens %j to %i characters at the end of a word', ([text, length, expected]) => {
  expect(firstWords(text, length)).toBe(expected)
})

test('leads from the list to an instrument, by its family if that is shown', () => {
  const oboe = { name: 'Oboe', slug: 'oboe ½' }
  const [all, its] = [
    { name: 'All instruments', path: '/allInstruments' },
    { name: 'Oboe', path: '/catalog/oboe%20%C2%BD' },
  ]
  const woodwind = { name: 'Woodwind', path: '/allInstruments?family=woodwind' }
  expect(breadcrumb({ ...oboe, family: 'woodwind' })).toEqual([all, woodwind, its])
  for (const family of [null, 'lutes']) expect(breadcrumb({ ...oboe, family })).toEqual([all, its])
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
