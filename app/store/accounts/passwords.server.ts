import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

/*
 * scrypt with OWASP's parameters (16 MiB): Workers refuse PBKDF2 above 100,000 iterations. Each hash names its
 * parameters, so that they can be raised.
 */
const logN = 14
const r = 8
const p = 5

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** `scrypt$14$8$5$salt$key` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, 32, { N: 2 ** logN, r, p })
  return ['scrypt', logN, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Takes the same time without a hash, so that unknown emails cannot be detected (R7). */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [, logN, r, p, salt, key] = (hash ?? unknownAccount).split('$')
  const expected = Buffer.from(key!, 'base64')
  const actual = await derive(password, Buffer.from(salt!, 'base64'), expected.length, {
    N: 2 ** Number(logN),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(actual, expected)
}

/** No password has a key of zeros. */
const unknownAccount = `scrypt$${logN}$${r}$${p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
