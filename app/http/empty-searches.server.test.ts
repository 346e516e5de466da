import { expect, test } from 'vitest'
import { Allowance } from './empty-searches.server'

test('counts twenty searches at once, and then one in two seconds, however long it was quiet', () => {
  let now = 1_000_000
  const allowance = new Allowance(() => now)
  const taken = (tries: number) => Array.from({ length: tries }, () => allowance.take()).filter(Boolean).length
  expect(taken(100)).toBe(20)
  now += 1999
  expect(taken(100)).toBe(0)
  now += 1
  expect(taken(100)).toBe(1)
  now += 3_600_000
  expect(taken(100)).toBe(20)
})
