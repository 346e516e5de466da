import { scrypt } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { hashPassword, passwordMatches } from './passwords.server'

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  return { ...real, scrypt: vi.fn(real.scrypt as never) }
})

const work = () => vi.mocked(scrypt).mock.calls.map(([, , length, options]) => [length, options])

test('matches only the right password, and stores the parameters in the hash', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^scrypt\$14\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/)
  expect(await hashPassword('correct horse')).not.toBe(hash)
  expect(await passwordMatches('correct horse', hash)).toBe(true)
  expect(await passwordMatches('correct horsf', hash)).toBe(false)
})

test('does the same work for an unknown account, and never matches', async () => {
  const hash = await hashPassword('correct horse')
  vi.mocked(scrypt).mockClear()
  await passwordMatches('a guess', hash)
  expect(await passwordMatches('a guess', null)).toBe(false)
  expect(work()).toEqual([
    [32, { N: 2 ** 14, r: 8, p: 5 }],
    [32, { N: 2 ** 14, r: 8, p: 5 }],
  ])
})

test('compares an older hash with its own parameters', async () => {
  const older = 'scrypt$10$4$1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA=='
  vi.mocked(scrypt).mockClear()
  await passwordMatches('a guess', older)
  expect(work()).toEqual([[16, { N: 2 ** 10, r: 4, p: 1 }]])
})
