import { distance } from 'fastest-levenshtein'
import { cutText } from './text'

/*
 * Expressions for `instrument_search` and `user_search`, FTS5 indexes of trigrams: they find any part of a text with three or more characters, whatever
 * the case and the accents. Those for `instrument_words` are in `catalog/search-terms.server.ts`.
 */

const maxWords = 8

/** At most 8 words of `q`, without signs around them. SQLite would end a query at a NUL. */
export function searchWords(q: string): string[] {
  const words = cutText(q, 200).split(/[\s,;\p{Cc}]+/u)
  return [...new Set(words.map((word) => word.replace(/^["'*()-]+|["'*()-]+$/g, '')))]
    .filter(Boolean)
    .slice(0, maxWords)
}

/** Shorter words have no trigram. */
export function hasTrigram(word: string): boolean {
  return /.{3}/su.test(word)
}

/** A pattern for LIKE, with ESCAPE '\\'. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Letters from À on whose accents the index ignores, with what it takes them for. */
const accented = new Map([
  ...[...letters(0xc0, 0x24f), ...letters(0x1e00, 0x1eff), '\u212b'].flatMap((letter) => {
    const plain = /^([a-z])\p{M}+$/iu.exec(letter.normalize('NFD'))?.[1]
    return plain && !'Ǡǡ'.includes(letter) ? [[letter, plain.toLowerCase()] as const] : []
  }),
  ['\u212a', 'k'] as const,
  ['ſ', 's'] as const,
  ['ẛ', 's'] as const,
])

/** By plain letter: all that the index takes for it. */
const lettersLike = new Map<string, string>()
for (const [letter, plain] of accented) lettersLike.set(plain, (lettersLike.get(plain) ?? '') + letter)

/** A range of characters that the index drops after a letter: few texts have them, so no pattern says which. */
export const combiningAccents = '\u0300-\u036f'

function letters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

/** A word as the index has it, or null if it has more than ASCII and accents. */
export function withoutAccents(word: string): string | null {
  const plain = word.normalize('NFC').replace(/\P{ASCII}/gu, (letter) => accented.get(letter) ?? letter)
  return /^\p{ASCII}*$/u.test(plain) ? plain.toLowerCase() : null
}

/** A pattern for GLOB that takes letters for equal as the index does. `plain` is a result of `withoutAccents`. */
export function containingAccents(plain: string): string {
  const pattern = plain.replace(/[a-z*?[]/g, (letter) => {
    return /[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}${lettersLike.get(letter) ?? ''}]` : `[${letter}]`
  })
  return `*${pattern}*`
}

export function allOf(words: string[]): string {
  return words.map(phrase).join(' AND ')
}

export function anyOf(words: string[]): string {
  return words.map(phrase).join(' OR ')
}

function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

const shortestCorrected = 4

/** Finds texts that may have the words that were meant: one typing error leaves the beginning or one half of a word intact. */
export function nearly(words: string[]): string {
  const parts = words
    .filter((word) => word.length >= shortestCorrected)
    .flatMap((word) => {
      const half = Math.max(3, Math.ceil(word.length / 2))
      const parts = [` ${word.slice(0, 2)}`, word.slice(0, half), word.slice(-half)]
      return parts.map((part) => part.toWellFormed())
    })
  return anyOf(parts)
}

/**
 * The words with each one replaced by the nearest of `texts`, or null if one is too far from all of them. A word that `isKnown` stays,
 * and one that is written in a text.
 */
export function correct(words: string[], texts: string[], isKnown: (word: string) => boolean): string[] | null {
  const known = [...new Set(texts.flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u)))].filter(Boolean)
  const corrected = words.map((word) => (isKnown(word) ? word : nearest(fold(word), known)))
  return corrected.every((word) => word !== null) ? corrected : null
}

function nearest(word: string, known: string[]): string | null {
  if (word.split(/[^\p{L}\p{N}]+/u).every((part) => known.includes(part))) return word
  if (word.length < shortestCorrected) return null
  let [best, errors]: [string | null, number] = [null, word.length < 6 ? 1 : 2]
  for (const each of known) {
    const found = Math.min(distance(word, each), distance(word, each.slice(0, word.length)))
    if (found < errors || (found === errors && best === null)) [best, errors] = [each, found]
  }
  return best
}

/** Small letters without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
