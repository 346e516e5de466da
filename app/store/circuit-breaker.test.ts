import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker'

test.each([
  ['two calls without an answer are enough', [5_000, 12_000], true],
  ['one is not', [12_000], false],
  ['calls that are answered in time do not count', [4_999, 4_999, 4_999], false],
])('%s', async (_name, durations, taken) => {
  let clock = 0
  const silence = new CircuitBreaker(() => clock)
  for (const duration of durations) {
    expect(silence.isOpen).toBe(false)
    await silence.run(() => Promise.resolve((clock += duration))).catch(() => undefined)
  }
  expect(silence.isOpen).toBe(taken)
})

test('counts a call that fails after the timeout', async () => {
  let clock = 0
  const silence = new CircuitBreaker(() => clock)
  const fail = () => Promise.reject(new Error(String((clock += 6_000))))
  await expect(silence.run(fail)).rejects.toThrow('6000')
  await expect(silence.run(fail)).rejects.toThrow('12000')
  expect(silence.isOpen).toBe(true)
})
