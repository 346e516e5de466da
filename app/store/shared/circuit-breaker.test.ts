import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker'

test.each([
  ['opens after two timeouts', [5_000, 12_000], true],
  ['stays closed after one timeout', [12_000], false],
  ['ignores calls that end in time', [4_999, 4_999, 4_999], false],
])('%s', async (_name, durations, isOpen) => {
  let clock = 0
  const breaker = new CircuitBreaker(() => clock)
  for (const duration of durations) {
    expect(breaker.isOpen).toBe(false)
    await breaker.run(() => Promise.resolve((clock += duration))).catch(() => undefined)
  }
  expect(breaker.isOpen).toBe(isOpen)
})

test('counts a call that fails after the timeout', async () => {
  let clock = 0
  const breaker = new CircuitBreaker(() => clock)
  const fail = () => Promise.reject(new Error(String((clock += 6_000))))
  await expect(breaker.run(fail)).rejects.toThrow('6000')
  await expect(breaker.run(fail)).rejects.toThrow('12000')
  expect(breaker.isOpen).toBe(true)
})
