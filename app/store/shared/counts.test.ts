import { expect, test } from 'vitest'
import { countText, countUpTo } from './counts'

test('says of a count that stops that there are more', () => {
  expect([countText(99), countText(100), countUpTo(10, 9), countUpTo(10, 10)]).toEqual(['99', '99+', '9', '9+'])
})
