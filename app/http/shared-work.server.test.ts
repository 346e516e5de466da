import { expect, test } from 'vitest'
import { SharedWork } from './shared-work.server'

test('gives the result to all who wait, and to who comes later', async () => {
  const finish: ((text: string) => void)[] = []
  const work = new SharedWork(() => new Promise<string>((resolve) => finish.push(resolve)))
  const waits = [work.wait(10_000), work.wait(10_000)]
  finish[0]!('page')
  expect(await work.result).toBe('page')
  expect(await Promise.all([...waits, work.wait(0)])).toEqual(Array.from({ length: 3 }, () => ({ value: 'page' })))
})

test('throws what the work threw', async () => {
  const work = new SharedWork(() => Promise.reject(new Error('away')))
  await expect(work.result).rejects.toThrow('away')
  await expect(work.wait(10_000)).rejects.toThrow('away')
})

test('gives up on work that does not end', async () => {
  expect(await new SharedWork(() => new Promise(() => undefined)).wait(20)).toBeNull()
})
