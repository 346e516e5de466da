import { expect, test } from 'vitest'
import { instrumentNames, smallWords, synonyms } from './instrument-words'
import { countInWords, formsOf, isKnownWord, readSigns, readTerms } from './search-terms.server'

const textsOf = (q: string) => readTerms(q).map(({ text }) => text)

test('takes several words for one name, if they are one', () => {
  expect(textsOf('old french horn case')).toEqual(['old', 'french horn', 'case'])
  expect(textsOf('b flat clarinets')).toEqual(['b flat', 'clarinets'])
  expect(textsOf('B♭ double basses')).toEqual(['Bb', 'double basses'])
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
  ] as const)
    expect(formsOf(word)).not.toContain(other)
})

test('knows every word of its lists, so that none is taken for a typing error', () => {
  const words = [...synonyms, instrumentNames, smallWords].flatMap((line) => line.split(/[ ,]+/))
  expect(words.filter((word) => !isKnownWord(word))).toEqual([])
  expect(isKnownWord('clarinett')).toBe(false)
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
  [101, 'case', 'More than 100 cases'],
  [1, '3/4 violin', '1 instrument for “3/4 violin”'],
  [7, '', '7 instruments'],
] as const)('counts %i of %j as %j', ([found, q, words]) => {
  expect(countInWords(found, 100, q)).toBe(words)
})
