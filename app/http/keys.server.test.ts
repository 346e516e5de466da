import { expect, test } from 'vitest'
import { keyFor } from './keys.server'

const keyOf = (secret: string, purpose: string) =>
  keyFor({ config: { SESSION_SECRET: secret } } as Parameters<typeof keyFor>[0], purpose)

test('derives one key for each secret and purpose, always the same', () => {
  const pairs = [
    ['secret', 'toast'],
    ['secret', 'device'],
    ['another secret', 'toast'],
  ] as const
  const keys = pairs.map(([secret, purpose]) => keyOf(secret, purpose))
  expect(new Set(keys).size).toBe(3)
  expect(pairs.map(([secret, purpose]) => keyOf(secret, purpose))).toEqual(keys)
})
