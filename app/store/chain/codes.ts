/** Crockford's base32: no I, L, O and U, which people take for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 125 bits. */
export const codeLength = 25

export function base32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((value >> (bits - 5)) & 31)
    value &= 31
  }
  return bits > 0 ? text + alphabet.charAt((value << (5 - bits)) & 31) : text
}

/** `ABCDE-FGHJK-…`, for people. */
export function formatCode(code: string): string {
  return code.replace(/.{5}(?=.)/g, '$&-')
}

/** What somebody typed, as it is stored: a code, or the address that has it. Null if it is neither. */
export function parseCode(typed: string): string | null {
  const code = normalize(typed)
  return code.length === codeLength && isBase32(code) ? code : null
}

/** The same for the beginning of a hash, or all of it. */
export function parseHash(typed: string): string | null {
  const hash = normalize(typed)
  return hash.length >= codeLength && isBase32(hash) ? hash : null
}

function normalize(typed: string): string {
  return typed
    .replace(/^.*\/verify\//i, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

const isBase32 = (text: string) => new RegExp(`^[${alphabet}]+$`).test(text)

export function verifyPath(code: string): string {
  return `/verify/${formatCode(code)}`
}
