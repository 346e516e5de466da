import { expect, test } from 'vitest'
import { base64url, hashSecret, idOf, newId, newSecret } from './ids.server'

test('creates unique ids, and unique secrets of 256 bits', () => {
  expect(newId()).toMatch(/^[\da-f-]{36}$/)
  expect(newId()).not.toBe(newId())
  expect(newSecret()).toMatch(/^[\w-]{43}$/)
  expect(newSecret()).not.toBe(newSecret())
})

test('encodes base64url without padding', () => {
  expect(base64url(new Uint8Array([0xfb, 0xef, 0xff, 0xfe]))).toBe('--___g')
})

test('hashes a secret with SHA-256, and derives the same id from the same key', async () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await hashSecret('abc')).toBe(digest)
  expect(await idOf('abc')).toBe(digest)
})
