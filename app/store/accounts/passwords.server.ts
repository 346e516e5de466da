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

/** `scrypt$14$8$5$salt$key`. Composed (NFC): some devices type é as one sign, others as two. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password.normalize('NFC'), salt, 32, { N: 2 ** logN, r, p })
  return ['scrypt', logN, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/**
 * Takes the same time without a hash, so that unknown emails cannot be detected (R7). Older hashes are of what was typed: each spelling of
 * the password is tried, whether or not one before it matches. Nearly every password has one.
 */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [, logN, r, p, salt, key] = (hash ?? unknownAccount).split('$')
  const expected = Buffer.from(key!, 'base64')
  let matches = false
  for (const spelling of new Set([password.normalize('NFC'), password.normalize('NFD'), password])) {
    const actual = await derive(spelling, Buffer.from(salt!, 'base64'), expected.length, {
      N: 2 ** Number(logN),
      r: Number(r),
      p: Number(p),
    })
    matches = timingSafeEqual(actual, expected) || matches
  }
  return matches
}

/** No password has a key of zeros. */
const unknownAccount = `scrypt$${logN}$${r}$${p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
