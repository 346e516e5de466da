import { expect, test, noon } from '../../../tests/support/store'
import { rateLimits } from '../../db/schema'
import { quarterHour } from './limits'
import { consumeRateLimit, deleteExpiredRateLimits, networkOf, rateLimited, useOnce } from './rate-limit.server'

test('refuses attempts above the limit until the window ends', async ({ shop }) => {
  let now = noon
  const deps = { ...shop.deps, now: () => now }
  const limits = [{ key: 'a', max: 2, window: quarterHour }]
  for (now of [noon, noon + quarterHour - 1]) await consumeRateLimit(deps, limits)
  now = noon + 60_000
  await expect(consumeRateLimit(deps, limits)).rejects.toMatchObject({
    code: 'too-many',
    message: 'Too many attempts. Please wait 14 minutes and try again.',
    retryAfter: 14 * 60,
  })
  await expect(consumeRateLimit(deps, limits, 'Too many letters.')).rejects.toThrow('Too many letters. Please wait')
  await consumeRateLimit(deps, [{ ...limits[0]!, key: 'b' }])
  now = noon + quarterHour
  await consumeRateLimit(deps, limits)
})

test('does not count an attempt against a wider limit when a narrow one refuses it', async ({ shop }) => {
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

test('undoes an attempt in its own window', async ({ shop }) => {
  let now = noon
  const deps = { ...shop.deps, now: () => now }
  const limits = ['a', 'b'].map((key) => ({ key, max: 5, window: quarterHour }))
  const { undo } = await consumeRateLimit(deps, limits)
  await consumeRateLimit(deps, limits)
  now = noon + quarterHour
  await consumeRateLimit(deps, limits)
  await undo
  const counts = await shop.deps.db.select({ count: rateLimits.count }).from(rateLimits)
  expect(counts).toEqual([1, 1, 1, 1].map((count) => ({ count })))
})

test('accepts only as many parallel attempts as the limit', async ({ shop }) => {
  const attempt = () => consumeRateLimit({ ...shop.deps, now: () => noon }, [{ key: 'a', max: 3, window: quarterHour }])
  const results = await Promise.allSettled(Array.from({ length: 20 }, attempt))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('deletes expired windows', async ({ shop }) => {
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
] as const)('formats %d milliseconds as %s', ([wait, words, retryAfter]) => {
  expect(rateLimited('Stop.', wait)).toMatchObject({
    message: `Stop. Please wait ${words} and try again.`,
    retryAfter,
  })
})

test('names the /48 of an IPv6 address', () => {
  expect(networkOf('2001:db8:7:1')).toBe('2001:db8:7')
  expect(networkOf('203.0.113.9')).toBeNull()
})

test('takes a key once', async ({ shop }) => {
  const use = (key: string, now = noon) => useOnce({ ...shop.deps, now: () => now }, key)
  await use('a')
  await use('b')
  await expect(use('a', noon + 60_000)).rejects.toMatchObject({ code: 'conflict' })
  await deleteExpiredRateLimits({ ...shop.deps, now: () => noon + 24 * 60 * 60 * 1000 })
  await expect(use('a')).rejects.toMatchObject({ code: 'conflict' })
})
