import { expect, test } from 'vitest'
import { countText, countUpTo, describeKept } from './counts'

test('says of a count that stops that there are more', () => {
  expect([countText(99), countText(100), countUpTo(10, 9), countUpTo(10, 10)]).toEqual(['99', '99+', '9', '9+'])
})

test('names five of those that an Undo has left alone', () => {
  const kept = ' Somebody has changed these since, and they stay as they are: '
  const names = ['Bow', 'Lute', 'Oboe', 'Viol', 'Shawm', 'Rebec', 'Horn']
  expect(describeKept([])).toBe('')
  expect(describeKept(names.slice(0, 1))).toBe(`${kept}Bow.`)
  expect(describeKept(names.slice(0, 5))).toBe(`${kept}Bow, Lute, Oboe, Viol, Shawm.`)
  expect(describeKept(names.slice(0, 6))).toBe(`${kept}Bow, Lute, Oboe, Viol, Shawm and 1 other.`)
  expect(describeKept(names)).toBe(`${kept}Bow, Lute, Oboe, Viol, Shawm and 2 others.`)
})
