import { expect, test } from 'vitest'
import { missing, rowsOf } from './support/documents'

test('finds every test that docs/spec-coverage.md names', () => {
  const names = rowsOf('docs/spec-coverage.md')
    .map((cells) => cells.at(-1)!)
    .filter((name) => name !== 'test')
  expect(names.length).toBeGreaterThan(50)
  expect(missing(names)).toEqual([])
})
