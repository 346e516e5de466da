import { distance } from 'fastest-levenshtein'
import { fold, inPlainLetters, normal } from './folding'
import { cutText } from './text'

/*
 * What all searches have in common. Expressions for `instrument_search` and `user_search`, FTS5 indexes of trigrams: they find any part of a text with three or more characters, whatever
 * the case and the accents. Those for `instrument_words` are in `catalog/search-terms.server.ts`.
 */

const maxWords = 8

/** At most 8 words of `q`, without signs around them. SQLite would end a query at a NUL. */
export function searchWords(q: string): string[] {
  const words = normal(cutText(q, 200)).split(/[\s,;\p{Cc}]+/u)
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

/**
 * What neither SQLite's indexes nor a pattern take for the letters that `fold` makes of it. `inKnownLetters` replaces
 * it in what `instrument_words` and `user_search` get.
 */
export const replacedInSql: [from: string, to: string][] = [
  ...Object.entries(inPlainLetters),
  ...Array.from('ẞÆŒØŁĐﬁﬂ', (letter): [string, string] => [letter, fold(letter)]),
  ...Array.from('¼½¾', (size): [string, string] => [size, ` ${fold(size)}`]),
  ...Array.from('‘’‐‑–—', (sign): [string, string] => [sign, normal(sign)]),
]

/** By folded letter or digit: all others that are folded to it. */
const lettersLike = new Map<string, string>()
for (const [first, last] of [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
  [0x212a, 0x212b],
  [0xff10, 0xff5a],
] as const)
  for (let code = first; code <= last; code++) {
    const letter = String.fromCodePoint(code)
    const folded = fold(letter)
    if (folded !== letter && /^[\p{L}\p{N}]$/u.test(folded))
      lettersLike.set(folded, (lettersLike.get(folded) ?? '') + letter)
  }

/** A pattern for GLOB that finds a folded word in a text, which `replacedInSql` and accents of their own have left. */
export function containingFolded(word: string): string {
  const pattern = word.replace(/[\p{L}\p{N}*?[]/gu, (letter) => {
    const others = (/[a-z]/.test(letter) ? letter.toUpperCase() : '') + (lettersLike.get(letter) ?? '')
    return others || /[*?[]/.test(letter) ? `[${letter}${others}]` : letter
  })
  return `*${pattern}*`
}

/** Accents that are characters of their own. */
export const combiningAccents = '\u0300-\u036f'

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
  const known = [...new Set(texts.flatMap((text) => fold(text).split(/[^\p{L}\p{N}\p{M}]+/u)))].filter(Boolean)
  const corrected = words.map((word) => (isKnown(word) ? word : nearest(fold(word), known)))
  return corrected.every((word) => word !== null) ? corrected : null
}

function nearest(word: string, known: string[]): string | null {
  if (word.split(/[^\p{L}\p{N}\p{M}]+/u).every((part) => known.includes(part))) return word
  if (word.length < shortestCorrected) return null
  let [best, errors]: [string | null, number] = [null, word.length < 6 ? 1 : 2]
  for (const each of known) {
    const found = Math.min(distance(word, each), distance(word, each.slice(0, word.length)))
    if (found < errors || (found === errors && best === null)) [best, errors] = [each, found]
  }
  return best
}
