import { randomBytes, scryptSync } from 'node:crypto'

/*
 * In the format of app/store/accounts/passwords.server.ts, which it replaces in unit tests, with the least cost: a real
 * hash takes a fifth of a CPU second to make, and as long to compare.
 */
export function quickHash(password: string): string {
  const [logN, r, p, salt] = [1, 8, 1, randomBytes(16)]
  const key = scryptSync(password, salt, 32, { N: 2 ** logN, r, p })
  return ['scrypt', logN, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

export const hashPassword = (password: string) => Promise.resolve(quickHash(password))

export const compared: [password: string, hash: string | null][] = []

export function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  compared.push([password, hash])
  if (hash === null) return Promise.resolve(false)
  const [, logN, r, p, salt, key] = hash.split('$')
  const options = { N: 2 ** Number(logN), r: Number(r), p: Number(p) }
  const actual = scryptSync(password, Buffer.from(salt!, 'base64'), 32, options)
  return Promise.resolve(actual.toString('base64') === key)
}
