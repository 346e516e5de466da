import { scrypt, scryptSync } from 'node:crypto'
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

const [composed, decomposed] = ['NFC', 'NFD'].map((form) => 'Señor Ångström'.normalize(form)) as [string, string]
/** In neither form: with the sign of the unit. */
const mixed = decomposed.replace('A\u030a', '\u212b')

test('opens with é as one sign what was set with two', async () => {
  expect(new Set([composed, decomposed, mixed]).size).toBe(3)
  expect(await passwordMatches(composed, await hashPassword(decomposed))).toBe(true)
})

test('opens an older hash of what was typed with either spelling, after the same work', async () => {
  const [salt, options] = [Buffer.alloc(16, 7), { N: 2 ** 10, r: 4, p: 1 }]
  const older = (typed: string) =>
    ['scrypt', 10, 4, 1, salt.toString('base64'), scryptSync(typed, salt, 32, options).toString('base64')].join('$')
  for (const [set, typed] of [
    [composed, decomposed],
    [decomposed, composed],
    [composed, mixed],
    [mixed, mixed],
  ] as const)
    expect([set, await passwordMatches(typed, older(set))]).toEqual([set, true])
  expect(await passwordMatches('Senor Angstrom', older(composed))).toBe(false)
  const calls = []
  for (const hash of [older(composed), older(decomposed), older('another')]) {
    vi.mocked(scrypt).mockClear()
    await passwordMatches(composed, hash)
    calls.push(work().length)
  }
  expect(calls).toEqual([2, 2, 2])
})

test('compares an older hash with its own parameters', async () => {
  const older = 'scrypt$10$4$1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA=='
  vi.mocked(scrypt).mockClear()
  await passwordMatches('a guess', older)
  expect(work()).toEqual([[16, { N: 2 ** 10, r: 4, p: 1 }]])
})
