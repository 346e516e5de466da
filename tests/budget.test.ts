import { expect, test } from 'vitest'
import { compare } from './support/budget'

const budget = { cpuSeconds: 600, startMs: 200, files: { 'tests/a.test.ts': 10, 'tests/b.test.ts': 20 } }

test('a run within the budget of CPU passes', () => {
  expect(compare(budget, { ...budget, cpuSeconds: 600 })).toBeNull()
})

test('a run over the budget of CPU fails, and names the files that grew', () => {
  const files = { 'tests/a.test.ts': 40, 'tests/b.test.ts': 21, 'tests/new.test.ts': 5 }
  const sentence = compare(budget, { cpuSeconds: 640, startMs: 200, files })
  expect(sentence).toContain('took 640 CPU seconds, its budget is 600')
  expect(sentence?.split('\n').slice(2)).toEqual([
    '  tests/a.test.ts: 10.0 → 40.0 s',
    '  tests/new.test.ts: 0.0 → 5.0 s',
  ])
})

test('a machine that takes twice as long to start Node may take twice the CPU, and one that takes half as long half of it', () => {
  const files = { 'tests/a.test.ts': 20, 'tests/b.test.ts': 60 }
  expect(compare(budget, { cpuSeconds: 1200, startMs: 400, files })).toBeNull()
  expect(compare(budget, { cpuSeconds: 1201, startMs: 400, files })).toMatch(/b\.test\.ts: 20\.0 → 30\.0 s$/)
  expect(compare(budget, { cpuSeconds: 300, startMs: 100, files })).toBeNull()
  expect(compare(budget, { cpuSeconds: 301, startMs: 100, files })).toContain('its budget is 300')
})
