import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rowsOfPart, ReadThrottle } from './read-throttle.server'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('gives each part of a list its turn, 10,000 rows a second', async () => {
  const readThrottle = new ReadThrottle()
  const done: string[] = []
  const read = async (reader: string) => {
    for (let part = 1; part <= 2; part++) {
      await readThrottle.take()
      done.push(`${reader}${part}`)
    }
  }
  void read('a')
  void read('b')
  await vi.advanceTimersByTimeAsync(0)
  expect(done).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(24)
  expect(done).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual(['a1', 'b1'])
  await vi.advanceTimersByTimeAsync(50)
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2'])
  await vi.advanceTimersByTimeAsync(1000)
  void read('c')
  await vi.advanceTimersByTimeAsync(0)
  expect(done.at(-1)).toBe('c1')
})

test('refuses a new list while a second’s parts are waiting', async () => {
  const readThrottle = new ReadThrottle()
  readThrottle.require()
  for (let reader = 0; reader < 10_000 / rowsOfPart; reader++) void readThrottle.take()
  expect(() => readThrottle.require()).toThrow('Too many long lists')
  await vi.advanceTimersByTimeAsync(1)
  readThrottle.require()
})
