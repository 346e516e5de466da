import { expect, test } from 'vitest'
import { base64url, hashSecret, idOf, newId, newSecret } from './ids.server'

test('ids and secrets are new each time, and secrets have 256 bits', () => {
  expect(newId()).toMatch(/^[\da-f-]{36}$/)
  expect(newId()).not.toBe(newId())
  expect(newSecret()).toMatch(/^[\w-]{43}$/)
  expect(newSecret()).not.toBe(newSecret())
})

test('bytes are written without padding and without signs that an address reads', () => {
  expect(base64url(new Uint8Array([0xfb, 0xef, 0xff, 0xfe]))).toBe('--___g')
})

test('a secret is kept as its SHA-256, and the same wish has the same id', async () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await hashSecret('abc')).toBe(digest)
  expect(await idOf('abc')).toBe(digest)
})
