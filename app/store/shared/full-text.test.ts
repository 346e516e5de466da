import { expect, test } from 'vitest'
import { correct, nearly } from './full-text'

const texts = ['Grande flûte in C', 'Sopranino recorder', 'Violas, new']
const knowsNothing = () => false

test.for([
  // Of four letters with one error, of six and more with two.
  ['flut', 'flute'],
  ['flot', 'flute'],
  ['vilzas', 'violas'],
  ['rexorxer', 'recorder'],
  // The beginning of a word is enough. Accents do not count.
  ['sopren', 'sopranino'],
  ['flûte', 'flute'],
  ['new-violas', 'new-violas'],
] as const)('corrects %s to %s', ([word, corrected]) => {
  expect(correct([word], texts, knowsNothing)).toEqual([corrected])
})

test.for(['lut', 'floz', 'flxxe', 'vilsa', 'vilzxs', 'rexoxxer'])(
  'does not correct %s: too short, or too many errors',
  (word) => {
    expect(correct([word], texts, knowsNothing)).toBeNull()
  },
)

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

test('finds texts by the beginning or one half of each word of four letters or more', () => {
  expect(nearly(['lut', 'flut', 'violas', 'recorders'])).toBe(
    [' fl', 'flu', 'lut', ' vi', 'vio', 'las', ' re', 'recor', 'rders'].map((part) => `"${part}"`).join(' OR '),
  )
  expect(nearly(['lut'])).toBe('')
})
