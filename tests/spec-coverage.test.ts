import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files, missing } from './support/documents'

test('finds every test that docs/spec-coverage.md names', () => {
  const text = readFileSync('docs/spec-coverage.md', 'utf8').replace(/\s+/g, ' ')
  const names = [...text.matchAll(/“([^”]+)”/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(50)
  expect(missing(names)).toEqual([])
})

test('docs/rules.md has every rule that code and documents name', () => {
  const named = ['app', 'dev', 'docs', 'sandbox', 'tests']
    .flatMap((folder) => files(folder, /\.(tsx?|sql|md|css)$/))
    .flatMap((file) => readFileSync(file, 'utf8').match(/\bR\d{1,2}\b/g) ?? [])
  const rules = new Set(readFileSync('docs/rules.md', 'utf8').match(/(?<=^- \*\*)R\d+/gm))
  expect([...new Set(named)].filter((rule) => !rules.has(rule))).toEqual([])
})
