import { distance } from 'fastest-levenshtein'

/*
 * Expressions for `instrument_search` and `user_search`, FTS5 indexes of trigrams: they find any part of a text with three or more characters, whatever
 * the case and the accents.
 */

const maxWords = 8

/** At most 8 words of `q`, without signs around them. SQLite would end a query at a NUL. */
export function searchWords(q: string): string[] {
  const words = q
    .slice(0, 200)
    .toWellFormed()
    .split(/[\s,;\p{Cc}]+/u)
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

/** The words with each one replaced by the nearest of `texts`, or null if one is too far from all of them. */
export function correct(words: string[], texts: string[]): string[] | null {
  const known = [...new Set(texts.flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u)))].filter(Boolean)
  const corrected = words.map((word) => nearest(fold(word), known))
  return corrected.every((word) => word !== null) ? corrected : null
}

function nearest(word: string, known: string[]): string | null {
  if (known.some((each) => each.includes(word))) return word
  if (word.length < shortestCorrected) return null
  let [best, errors]: [string | null, number] = [null, word.length < 6 ? 1 : 2]
  for (const each of known) {
    const found = Math.min(distance(word, each), distance(word, each.slice(0, word.length)))
    if (found < errors || (found === errors && best === null)) [best, errors] = [each, found]
  }
  return best
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
