import { createHash } from 'node:crypto'
import { shopName } from '../../shop-name'
import { lettersOf } from '../shared/validation.server'

/** From dev/common-passwords.ts. Commands that run from source do not have it, and take no passwords from users. */
declare const COMMON_PASSWORDS: string | undefined

let hashes: Set<number> | undefined

function commonHashes(): Set<number> {
  if (hashes) return hashes
  hashes = new Set()
  let [hash, rest, shift] = [0, 0, 0]
  for (const byte of Buffer.from(typeof COMMON_PASSWORDS === 'string' ? COMMON_PASSWORDS : '', 'base64')) {
    rest |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    hash += rest
    hashes.add(hash)
    ;[rest, shift] = [0, 0]
  }
  return hashes
}

/** Made of the shop's name and little else. */
function isShopWord(text: string): boolean {
  const name = lettersOf(shopName)
  return name !== '' && new RegExp(`^${name}(shop|store|music|instruments)?$`).test(lettersOf(text))
}

/** True for one of the 10,000 commonest, the shop's words, one character again and again, and the user's own words (R48). */
export function isTooCommon(password: string, own: (string | undefined)[] = []): boolean {
  const text = password.normalize('NFKC').trim().toLowerCase()
  if (/^(.)\1*$/su.test(text) || text === '') return true
  if (isShopWord(text)) return true
  const words = own.flatMap((word) => (word ? [word.toLowerCase(), word.toLowerCase().split('@')[0]!] : []))
  if (words.includes(text)) return true
  return commonHashes().has(createHash('sha256').update(text).digest().readUIntBE(0, 3))
}

export const tooCommon = 'This password is too common.'
