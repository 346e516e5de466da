import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { Allowance, noteEmptySearch } from './empty-searches.server'

test('allows a burst at once, and then one in an interval, however long it was quiet', () => {
  let now = 1_000_000
  const allowance = new Allowance(() => now, { burst: 20, interval: 2000 })
  const taken = (tries: number) => Array.from({ length: tries }, () => allowance.take()).filter(Boolean).length
  expect(taken(100)).toBe(20)
  now += 1999
  expect(taken(100)).toBe(0)
  now += 1
  expect(taken(100)).toBe(1)
  now += 3_600_000
  expect(taken(100)).toBe(20)
})

test('counts the words of an address once and twenty at a time, and goes on counting those of others', () => {
  const counted = (ip: string, words: string[]) => {
    let count = 0
    const context = { ip, later: () => count++ } as unknown as AppLoadContext
    for (const each of words) noteEmptySearch(context, each)
    return count
  }
  // What is not kept uses nothing up.
  const wanted = ['hurdy gurdy', 'Hurdy-Gurdy', 'a@example.com', 'serpent', 'hurdy gurdy']
  expect(counted('203.0.113.1', wanted)).toBe(2)
  expect(counted('203.0.113.2', wanted)).toBe(2)
  const many = Array.from({ length: 50 }, (_, nth) => `kazoo ${'x'.repeat((nth % 20) + 1)}`)
  const ofOne = counted('203.0.113.3', many)
  expect([ofOne, counted('203.0.113.3', many)]).toEqual([16, 0])
})
