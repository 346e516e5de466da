import { expect, test } from 'vitest'
import { correct, nearly } from './full-text'

const texts = ['Grande flûte in C', 'Sopranino recorder', 'Violas, new']
const knowsNothing = () => false

test.for<[string, string | null]>([
  // Three letters may be anything; four may have one error, from six letters on two.
  ['lut', null],
  ['flut', 'flute'],
  ['flot', 'flute'],
  ['floz', null],
  ['flxxe', null],
  ['vilsa', null],
  ['vilzas', 'violas'],
  ['vilzxs', null],
  ['rexorxer', 'recorder'],
  ['rexoxxer', null],
  // The beginning of a word is enough. What a text has is near to itself, without its accents.
  ['sopren', 'sopranino'],
  ['flûte', 'flute'],
  ['new-violas', 'new-violas'],
])('corrects %s to %s', ([word, corrected]) => {
  expect(correct([word], texts, knowsNothing)).toEqual(corrected === null ? null : [corrected])
})

test('takes the nearest word, and the first of two that are as near', () => {
  expect(correct(['tubas'], ['tubes tubal tabas tuba'], knowsNothing)).toEqual(['tubes'])
  expect(correct(['trumbets'], ['crumpets trumpets'], knowsNothing)).toEqual(['trumpets'])
  expect(correct(['trumbets'], ['trumpets crumpets'], knowsNothing)).toEqual(['trumpets'])
})

test('corrects all words or none, and leaves known ones alone', () => {
  expect(correct(['vilzas', 'recorder'], texts, knowsNothing)).toEqual(['violas', 'recorder'])
  expect(correct(['violas', 'xylophone'], texts, knowsNothing)).toBeNull()
  expect(correct(['vilzas', 'flut'], texts, (word) => word === 'flut')).toEqual(['violas', 'flut'])
  expect(correct([], texts, knowsNothing)).toEqual([])
})

test('looks for texts with the beginning or a half of a word of four letters or more', () => {
  expect(nearly(['lut', 'flut', 'violas', 'recorders'])).toBe(
    [' fl', 'flu', 'lut', ' vi', 'vio', 'las', ' re', 'recor', 'rders'].map((part) => `"${part}"`).join(' OR '),
  )
  expect(nearly(['lut'])).toBe('')
})
