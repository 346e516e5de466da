import { beforeEach, expect, test } from 'vitest'
import { setFamilies, shownFamilies } from './families'
import { firstFamilies } from './families.server'
import { choicesOf, labelOf, specificationOf, wordsOf } from './field-words'
import type { Instrument } from './instruments'

beforeEach(() => setFamilies(firstFamilies))

test.for([
  ['family', 'strings', 'Strings'],
  ['family', 'none', ''],
  ['family', null, ''],
  ['brand', 'Amati', 'Amati'],
  ['brand', null, ''],
  ['lowStock', 0, '0'],
] as const)('customers read the %s %j as %j', ([key, value, words]) => {
  expect(wordsOf(key, value)).toBe(words)
})

test('customers choose from the families, and read what the shopkeeper has written, but no empty fact', () => {
  expect(labelOf('family')).toBe('Family')
  const families = shownFamilies().map(({ slug, name }) => ({ value: slug, text: name }))
  expect([families.length > 1, choicesOf('family')]).toEqual([true, families])
  const attributes: Instrument['attributes'] = [['Body', 'Maple']]
  expect(specificationOf({ attributes } as Instrument)).toEqual(attributes)
})
