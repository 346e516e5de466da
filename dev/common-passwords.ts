import { createHash } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'

/** Those of at least six characters among the 10,000 commonest: the shop refuses shorter ones anyway. */
export const commonPasswords = dictionary['passwords-common']
  .slice(0, 10_000)
  .filter((password) => password.length >= 6)

/**
 * For `define` in Vite's configurations. The first 3 bytes of each password's SHA-256, sorted, as differences of 7 bits
 * a byte: 20 KB in the Worker instead of 40. One of 2,000 other passwords is taken for a common one.
 */
export function defineCommonPasswords(): Record<string, string> {
  const hashes = commonPasswords.map((password) => createHash('sha256').update(password).digest().readUIntBE(0, 3))
  const bytes: number[] = []
  let before = 0
  for (const hash of [...new Set(hashes)].sort((one, other) => one - other)) {
    for (let rest = hash - before; ; rest >>= 7) {
      bytes.push(rest > 127 ? (rest & 127) | 128 : rest)
      if (rest <= 127) break
    }
    before = hash
  }
  return { COMMON_PASSWORDS: JSON.stringify(Buffer.from(bytes).toString('base64')) }
}
