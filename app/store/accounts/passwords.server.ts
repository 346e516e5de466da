import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

/*
 * scrypt as OWASP lists it (N=2^14, r=8, p=5: 16 MiB), which also runs in production Workers: they refuse PBKDF2 above
 * 100,000 iterations and WebAssembly made at run time. The parameters stand in each hash, so that they can be raised.
 */
const logN = 14
const r = 8
const p = 5

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** The text to keep of a password: `scrypt$14$8$5$salt$key`. Takes the exact characters; nothing is cut off. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, 32, { N: 2 ** logN, r, p })
  return ['scrypt', logN, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** True when `password` is the one that `hash` was made of. Takes as long when there is no hash to compare with. */
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

/** The hash that unknown addresses are compared with, so that they take as long as known ones (R7): no password has a key of zeros. */
const unknownAccount = `scrypt$${logN}$${r}$${p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
