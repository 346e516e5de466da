import { expect } from 'vitest'
import { test } from '../../tests/support/store'
import { rateLimits } from '../db/schema'
import { consumeRateLimit, deleteExpiredRateLimits, quarterHour, rateLimited } from './rate-limit.server'

const noon = Date.UTC(2026, 10, 24, 12)

test('so many tries are counted in a window, and the next one waits for its end', async ({ shop }) => {
  let now = noon
  const deps = { ...shop.deps, now: () => now }
  const limits = [{ key: 'a', max: 2, window: quarterHour }]
  for (now of [noon, noon + quarterHour - 1]) await consumeRateLimit(deps, limits)
  now = noon + 60_000
  await expect(consumeRateLimit(deps, limits)).rejects.toMatchObject({
    code: 'too-many',
    message: 'Too many tries. Please wait 14 minutes, and try again.',
    retryAfter: 14 * 60,
  })
  await expect(consumeRateLimit(deps, limits, 'Too many letters.')).rejects.toThrow('Too many letters. Please wait')
  await consumeRateLimit(deps, [{ ...limits[0]!, key: 'b' }])
  now = noon + quarterHour
  await consumeRateLimit(deps, limits)
})

test('what a narrow limit stops does not use up a wider one', async ({ shop }) => {
  const deps = { ...shop.deps, now: () => noon }
  const limits = ['narrow', 'wide'].map((key, index) => ({ key, max: index + 1, window: quarterHour }))
  await consumeRateLimit(deps, limits)
  for (let each = 0; each < 3; each++)
    await expect(consumeRateLimit(deps, limits)).rejects.toMatchObject({ code: 'too-many' })
  const counts = await shop.deps.db
    .select({ key: rateLimits.key, count: rateLimits.count })
    .from(rateLimits)
    .orderBy(rateLimits.key)
  expect(counts).toEqual([
    { key: 'narrow', count: 4 },
    { key: 'wide', count: 1 },
  ])
})

test('a try that is taken back is not counted, in its own window', async ({ shop }) => {
  let now = noon
  const deps = { ...shop.deps, now: () => now }
  const limits = ['a', 'b'].map((key) => ({ key, max: 5, window: quarterHour }))
  const { takeBack } = await consumeRateLimit(deps, limits)
  await consumeRateLimit(deps, limits)
  now = noon + quarterHour
  await consumeRateLimit(deps, limits)
  await takeBack()
  const counts = await shop.deps.db.select({ count: rateLimits.count }).from(rateLimits)
  expect(counts).toEqual([1, 1, 1, 1].map((count) => ({ count })))
})

test('of 20 tries at once as many are heard as the limit says', async ({ shop }) => {
  const attempt = () => consumeRateLimit({ ...shop.deps, now: () => noon }, [{ key: 'a', max: 3, window: quarterHour }])
  const results = await Promise.allSettled(Array.from({ length: 20 }, attempt))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('windows that have ended are deleted', async ({ shop }) => {
  await consumeRateLimit({ ...shop.deps, now: () => noon }, [{ key: 'a', max: 5, window: quarterHour }])
  await deleteExpiredRateLimits({ ...shop.deps, now: () => noon + quarterHour })
  expect(await shop.deps.db.select().from(rateLimits)).toHaveLength(1)
  await deleteExpiredRateLimits({ ...shop.deps, now: () => noon + quarterHour + 1 })
  expect(await shop.deps.db.select().from(rateLimits)).toEqual([])
})

test.for([
  [1, '1 minute', 1],
  [60_000, '1 minute', 60],
  [60_001, '2 minutes', 61],
  [119 * 60_000, '119 minutes', 7140],
  [120 * 60_000, '2 hours', 7200],
  [120 * 60_000 + 1, '3 hours', 7201],
] as const)('%d milliseconds are said as %s', ([wait, words, retryAfter]) => {
  expect(rateLimited('Stop.', wait)).toMatchObject({
    message: `Stop. Please wait ${words}, and try again.`,
    retryAfter,
  })
})
