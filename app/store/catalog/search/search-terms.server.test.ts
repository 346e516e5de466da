import { expect, test } from 'vitest'
import { inLanguage } from '../../../i18n/language.server'
import { instrumentNames, smallWords, synonyms } from './instrument-words'
import { countInWords, formsOf, isKnownWord, readSigns, readTerms } from './search-terms.server'

const textsOf = (q: string) => readTerms(q).map(({ text }) => text)

test('takes several words for one name, if they are one', () => {
  expect(textsOf('old french horn case')).toEqual(['old', 'french horn', 'case'])
  expect(textsOf('b flat clarinets')).toEqual(['b flat', 'clarinets'])
  expect(textsOf('B♭ double basses')).toEqual(['Bb', 'double basses'])
  expect(textsOf('a flat clarinet')).toEqual(['a flat', 'clarinet'])
  for (const q of ['b flat', 'B-flat', "'b--flat!"]) expect(readTerms(q)[0]!.whole).toContain('"bb"')
})

test('drops small words and signs, unless there is nothing else', () => {
  expect(textsOf('the violin, for a child & me')).toEqual(['violin', 'child'])
  expect(textsOf('The')).toEqual(['The'])
  expect(textsOf('new full size violin, size 4/4')).toEqual(['full size', 'violin', '4/4'])
  expect([textsOf('% & -'), readSigns('% & 7 -')]).toEqual([[], ['%', '&']])
})

test.for([
  ['trumpet', 'trumpets'],
  ['case', 'cases'],
  ['double bass', 'double basses'],
  ['box', 'boxes'],
  ['accessory', 'accessories'],
] as const)('%s and %s are one word', ([one, more]) => {
  const last = (text: string) => text.split(' ').pop()!
  expect(formsOf(last(one))).toContain(last(more))
  expect(formsOf(last(more))).toContain(last(one))
})

test('leaves words alone that only look like a plural', () => {
  for (const [word, other] of [
    ['brass', 'bras'],
    ['bass', 'bas'],
    ['4s', '4'],
    ['priest', 'pryt'],
    ['chest', 'cht'],
    ['whistle', 'whistlees'],
  ] as const)
    expect(formsOf(word)).not.toContain(other)
  expect(formsOf('whistles')).toContain('whistle')
  expect(formsOf('gypsy')).toContain('gypsies')
  for (const word of ['oboe', 'key']) expect(formsOf(word)).toEqual([word, `${word}s`])
  for (const word of ['12string', 'string12', '琴']) expect(formsOf(word)).toEqual([word])
})

test('knows every word of its lists, so that none is taken for a typing error', () => {
  const words = [...synonyms, instrumentNames, smallWords].flatMap((line) => line.split(/[ ,]+/))
  expect(words.filter((word) => !isKnownWord(word))).toEqual([])
  for (const word of ['clarinett', 'violin-clarinett']) expect(isKnownWord(word)).toBe(false)
})

test('names each thing once', () => {
  const names = synonyms.flatMap((line) => line.split(',').map((name) => name.trim()))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test.for([
  [1, 'Clarinets', '1 clarinet'],
  [2, 'clarinet', '2 clarinets'],
  [1, 'basses', '1 bass'],
  [2, 'bass', '2 basses'],
  [100, 'case', '100 cases'],
  [101, 'case', 'More than 100 cases'],
  [2, 'wood', '2 instruments for “wood”'],
  [1, '3/4 violin', '1 instrument for “3/4 violin”'],
  [7, '', '7 instruments'],
] as const)('counts %i of %j as %j', ([found, q, words]) => {
  expect(countInWords(found, 100, q)).toBe(words)
})

test.for([
  [1, 'Cello', '1 Instrument zu „Cello“'],
  [101, 'Cello', 'Mehr als 100 Instrumente zu „Cello“'],
  [1, '', '1 Instrument'],
  [7, ' ', '7 Instrumente'],
] as const)('counts %i of %j in German as %j', ([found, q, words]) => {
  expect(inLanguage('de', () => countInWords(found, 100, q))).toBe(words)
})

test.for<[q: string, parts: string[][] | null, patterns: string[][] | null]>([
  ['viola', [['viola'], ['tenor', 'violin'], ['bratsche']], [['*[^a-z0-9]viola*']]],
  ['Oboe', [['oboe']], [['*[^a-z0-9]oboe*']]],
  ['Keyboard', [['keyboard']], [['*[^a-z0-9]keyboard*']]],
  ['harmonica', [['harmonica']], [['*[^a-z0-9]harmonica[^a-z0-9]*', '*[^a-z0-9]harmonicas[^a-z0-9]*']]],
  ['trophy', [['troph']], [['*[^a-z0-9]trophy*']]],
  ['buddies', [['budd']], [['*[^a-z0-9]buddies*']]],
  ['no.12-string', [['string']], null],
  ['Étude', [['etude']], [['*[^a-z0-9]etude*']]],
  ['Großflöte', [['grossflote']], [['*[^a-z0-9]grossflote[^a-z0-9]*', '*[^a-z0-9]grossflotes[^a-z0-9]*']]],
  ['琴', null, null],
])('a text with %j has one of %j, and %j tell surely', ([q, parts, patterns]) => {
  const [term] = readTerms(q)
  expect(term!.parts).toEqual(parts)
  expect(term!.patterns).toEqual(patterns)
})
