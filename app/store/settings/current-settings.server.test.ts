import { afterEach, expect, test } from 'vitest'
import { defaultWords } from '../../shop-name'
import { CurrentSettings } from './current-settings.server'
import type { Settings } from './settings'

/** Without a name: there is no newer version than the one that was known. */
const answer = (version: number, name?: string) => [
  [String(version), name ? JSON.stringify({ name }) : '', '[]', '[]'].map((value) => ({ value })),
]

// The name and the families are bindings of their modules, which the other test files of this thread read too.
afterEach(() => new CurrentSettings(defaultWords as Settings).use())

test('keeps the newer settings when an earlier question to the database is answered later', () => {
  let changes = 0
  const settings = new CurrentSettings(defaultWords as Settings)
  const ask = settings.companion(() => changes++)
  const [first, second] = [ask(), ask()]
  second.read(answer(2, 'Rosewood'))
  first.read(answer(1, 'Boxwood'))
  expect([settings.values.name, changes]).toEqual(['Rosewood', 0])
  ask().read(answer(3, 'Ebony'))
  expect([settings.values.name, changes]).toEqual(['Ebony', 1])
})

test('keeps the newer settings when the database has looked at two questions in another order', () => {
  const settings = new CurrentSettings(defaultWords as Settings)
  const ask = settings.companion(() => undefined)
  ask().read(answer(1, 'Boxwood'))
  const [first, second] = [ask(), ask()]
  first.read(answer(2, 'Rosewood'))
  second.read(answer(1))
  expect(settings.values.name).toBe('Rosewood')
  ask().read(answer(2))
  expect(settings.values.name).toBe('Rosewood')
})
