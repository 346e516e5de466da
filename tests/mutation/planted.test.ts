import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantedBugs } from './planted-bugs'

test('quotes code that stands once in its file', () => {
  const stale = plantedBugs
    .filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2)
    .map(({ file, name }) => `${file}: ${name}`)
  expect(stale).toEqual([])
})

test('asks test files that exist and that npm test runs', () => {
  const asked = new Set(plantedBugs.flatMap(({ tests }) => tests))
  expect([...asked].filter((file) => !existsSync(file) || file.includes('.drill.'))).toEqual([])
})
