import { fold } from '../../shared/folding'
import { searchWords } from '../../shared/full-text'
import { isAgeWord, withAges, withoutAgeWords } from './age-words.server'
import { accessories, ends, instrumentNames, otherKinds, smallWords, softCases, synonyms } from './instrument-words'
import { formatValue, language, t } from '../../../i18n/language'

/** One thing that is looked for: a word, or several that mean one thing together ('french horn'). */
export interface Term {
  /** As it was typed. */
  text: string
  /** Expressions for `instrument_words`: whole words only, or also their beginnings. */
  whole: string
  beginning: string
  /** Alternatives: a text with the term has all parts of one, in small letters without accents. Null: nobody can tell. */
  parts: string[][] | null
  /** Patterns for GLOB: a text in small ASCII letters, with a space at either end, that has one of each list has the term. Null: as above. */
  patterns: string[][] | null
  isInstrument: boolean
  isCase: boolean
}

/** Beginnings of more letters are in no index of `instrument_words`. */
const longestBeginning = 8

const listOf = (line: string) => line.split(',').map((text) => keyOf(text))
const groups = [...synonyms, ...accessories].map(listOf)
const caseNames = groups.find((group) => group.includes('case'))!
const instruments = new Set(listOf(instrumentNames))
const small = new Set(listOf(smallWords))
const kinds = new Set(listOf(otherKinds))
const twoNames = new RegExp(`^(.+)(${[ends, ...accessories].flatMap(listOf).join('|')})[ns]?$`)
const mostWords = Math.max(...groups.flat().map((text) => text.split(' ').length))

/** What `q` asks for. Signs that stand alone are no terms. */
export function readTerms(q: string): Term[] {
  const names = namesIn(q)
  // After the names: 'size' is small, but not in 'full size'.
  const rest = names.filter((name) => !isSmall(name))
  return (rest.length > 0 ? rest : names).map(toTerm)
}

function namesIn(q: string): string[][] {
  const words = searchWords(withAges(q).replaceAll('♭', 'b')).filter(hasLetters)
  const names: string[][] = []
  for (let at = 0; at < words.length;) {
    const length = lengthOfName(words.slice(at, at + mostWords))
    names.push(words.slice(at, at + length))
    at += length
  }
  return names
}

/** Something that is no instrument but belongs to one. */
export interface Accessory {
  /** In the plural, in the language of the page. */
  name: string
  isSoftCase: boolean
  /** An expression for `instrument_words`. */
  called: string
  /** The search without it, or with a case instead. */
  q: string
}

/** What a search asks for beside an instrument, or alone. Not what one comes with: 'violin with bow', '34 strings'. */
export function readAccessory(q: string): Accessory | null {
  const names = namesIn(q).flatMap((name) => {
    const two = name.length === 1 ? partsOf(name[0]!) : []
    return two.length > 0 ? two.map((word) => [word]) : [name]
  })
  const at = names.findIndex((name, n) => lineOf(name) && !/^(with|mit|\d+)$/i.test(names[n - 1]?.join(' ') ?? ''))
  if (at === -1) return null
  const line = lineOf(names[at]!)!
  const isSoftCase = line === softCases
  const others = names.filter((name, n) => n !== at && !isSmall(name)).map((name) => textOf(name))
  // Strings are a family too.
  if (others.length === 0 && synonyms.some((group) => listOf(group).includes(keyOf(names[at]!.join(' '))))) {
    if (!isSoftCase) return null
  }
  const [english, german] = line.split(', ') as [string, string]
  return {
    name: language() === 'de' ? german : english,
    isSoftCase,
    called: listOf(line).map(phrase).join(' OR '),
    q: [...others, ...(isSoftCase ? ['case'] : [])].join(' '),
  }
}

function lineOf(name: string[]): string | undefined {
  const forms = formsOfName(keyOf(name.join(' ')))
  return [...accessories, softCases].find((line) => listOf(line).some((each) => forms.includes(each)))
}

/** Says whether something with this name is what `called` finds, and does not only come with it: 'Bow for cello', but no 'Violin with bow'. */
export function isCalledSo(name: string, { called }: Pick<Accessory, 'called'>): boolean {
  const [head = ''] = fold(name).split(/,|\(| with | for | mit | für /)
  return called.split(' OR ').some((each) => ` ${keyOf(head)} `.includes(` ${each.slice(1, -1)} `))
}

/** An expression for names that have the terms and are no case, or null if a case is meant. */
export function instrumentsOnly(terms: Term[]): string | null {
  const query = terms.map(({ whole }) => whole).join(' AND ')
  return !terms.some(({ isInstrument }) => isInstrument) || terms.some(({ isCase }) => isCase)
    ? null
    : `(${query}) NOT (${caseNames.flatMap(namesOf).map(phrase).join(' OR ')})`
}

function isSmall([word, ...more]: string[]): boolean {
  return more.length === 0 && formsOf(keyOf(word!)).some((form) => small.has(form))
}

/** Words of signs alone, such as '%'. */
export function readSigns(q: string): string[] {
  return searchWords(q).filter((word) => !hasLetters(word))
}

/** Says whether a word is no typing error, although nothing may have it. */
export function isKnownWord(word: string): boolean {
  if (isAgeWord(word)) return true
  const parts = keyOf(word).split(' ')
  return parts.every(
    (part) => partsOf(part).length > 0 || formsOfName(part).some((form) => small.has(form) || knownWords.has(form)),
  )
}
const knownWords = new Set([...instruments, ...groups.flat().flatMap((name) => name.split(' '))])

/** Says whether a word, such as 'electric', makes another instrument of one. */
export function isOtherKind(word: string): boolean {
  return kinds.has(keyOf(word))
}

/** The word itself, and what else it may be as singular or plural. Some are no words ('cas' of 'cases'): nothing has them. */
export function formsOf(word: string): string[] {
  if (!/^[\p{L}\p{M}]{3,}$/u.test(word)) return [word]
  const singular = [
    word.replace(/ies$/, 'y'),
    word.replace(/(?<=s|x|z|ch|sh)es$/, ''),
    /(ss|us|is)$/.test(word) ? word : word.replace(/s$/, ''),
  ]
  const plural = singular.flatMap((each) => [`${each}s`, ...(/(s|x|z|ch|sh)$/.test(each) ? [`${each}es`] : [])])
  const ofY = /[^aeiou]y$/.test(word) ? [word.replace(/y$/, 'ies')] : []
  return [...new Set([word, ...singular, ...plural, ...ofY])]
}

/** Two Geigen are one Geige: said only of the shop's own list, because it would make 'kitche' of 'kitchen'. */
function formsOfName(word: string): string[] {
  return [...formsOf(word), word.replace(/(?<=e)n$/, '')]
}

/** Such as '1 clarinet', '3 clarinets', or '3 instruments for “wood”'. */
export function countInWords(found: number, most: number, q: string): string {
  const count = found > most ? t('More than {most}', { most }) : formatValue(found)
  const noun = keyOf(q)
  // Words for instruments are English ones.
  if (language() === 'de') {
    if (noun === '') return t(found === 1 ? '{count} instrument' : '{count} instruments', { count })
    return t(found === 1 ? '{count} instrument for “{q}”' : '{count} instruments for “{q}”', { count, q })
  }
  const term = readTerms(q)
  if (term.length === 1 && term[0]!.isInstrument && /^[a-z]{3,}$/.test(noun)) {
    const one = /(ss|us|is)$/.test(noun) ? noun : noun.replace(/(?<=ss|x|z|ch|sh)es$|s$/, '')
    return `${count} ${found === 1 ? one : one + (/(s|x|z|ch|sh)$/.test(one) ? 'es' : 's')}`
  }
  return `${count} ${found === 1 ? 'instrument' : 'instruments'}${noun && ` for “${q}”`}`
}

function hasLetters(word: string): boolean {
  return /[\p{L}\p{N}]/u.test(word)
}

/** Small letters without accents, and one space in place of everything else. */
function keyOf(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

/** How many of these words are a name in a group of synonyms; 1 if none. */
function lengthOfName(words: string[]): number {
  for (let length = words.length; length > 1; length--) if (synonymsOf(words.slice(0, length))) return length
  return 1
}

/** The other names of what these words name, or null if they are in no group. */
function synonymsOf(words: string[]): string[] | null {
  const key = keyOf(words.join(' '))
  const [head, last] = [key.slice(0, key.lastIndexOf(' ') + 1), key.slice(key.lastIndexOf(' ') + 1)]
  const names = formsOfName(last).map((form) => head + form)
  const found = groups.filter((group) => names.some((name) => group.includes(name)))
  return found.length === 0 ? null : [...new Set(found.flat())].filter((name) => !names.includes(name))
}

/** As it is searched for again. */
function textOf(words: string[]): string {
  return withoutAgeWords(words.join(' '))
}

function toTerm(words: string[]): Term {
  if (isAgeWord(words[0]!)) {
    const word = phrase(words[0]!)
    const unknown = { parts: [['']], patterns: null, isInstrument: false, isCase: false }
    return { text: textOf(words), whole: word, beginning: word, ...unknown }
  }
  const others = synonymsOf(words) ?? []
  const inOtherWords = others.flatMap(namesOf).map(phrase)
  const two = words.length === 1 ? partsOf(words[0]!).map((part) => toTerm([part])) : []
  const either = (how: 'whole' | 'beginning', typed: string[]) => {
    const ofTwo = two.length === 0 ? [] : [`(${two.map((part) => part[how]).join(' AND ')})`]
    return `(${[typed.join(' AND '), ...inOtherWords, ...ofTwo].join(' OR ')})`
  }
  const folded = words.map(fold)
  const parts = [folded, ...others.map((name) => name.split(' '))].map((each) => each.map(partOf))
  return {
    text: words.join(' '),
    whole: either('whole', folded.map(wholeWord)),
    beginning: either('beginning', folded.map(beginningOf)),
    parts: two.length > 0 || parts[0]!.includes(null) ? null : (parts as string[][]),
    patterns: folded.every((word) => /^[a-z0-9]+$/.test(word)) ? folded.map(patternsOf) : null,
    isCase: two.length > 0 || [words.map(keyOf).join(' '), ...others].some((name) => caseNames.includes(name)),
    isInstrument: two.length > 0 || [...words.map(keyOf), ...others].some(isInstrument),
  }
}

/** The two names that a German word is made of, or none. */
function partsOf(word: string): [string, string] | [] {
  const [, first = '', end = ''] = twoNames.exec(keyOf(word)) ?? []
  return synonymsOf([first]) || instruments.has(first) ? [first, end] : []
}

function isInstrument(name: string): boolean {
  return name.split(' ').some((word) => formsOf(word).some((form) => instruments.has(form)))
}

/** A name with its last word in the singular and in the plural. */
function namesOf(name: string): string[] {
  const words = name.split(' ')
  return formsOf(words.pop()!).map((form) => [...words, form].join(' '))
}

function wholeWord(word: string): string {
  return `(${formsOf(word).map(phrase).join(' OR ')})`
}

function beginningOf(word: string): string {
  return hasBeginning(word) ? `(${wholeWord(word)} OR ${phrase(word)} *)` : wholeWord(word)
}

function hasBeginning(word: string): boolean {
  const { length } = Array.from(word)
  return length >= 2 && length <= longestBeginning
}

function patternsOf(word: string): string[] {
  if (hasBeginning(word)) return [`*[^a-z0-9]${word}*`]
  return formsOf(word).map((form) => `*[^a-z0-9]${form}[^a-z0-9]*`)
}

/** FTS5 makes words of what is in quotes, as it does with the texts. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** The longest run of letters in a word that all of its forms begin with. */
function partOf(word: string): string | null {
  const [longest] = word.split(/[^\p{L}\p{N}\p{M}]+/u).sort((a, b) => b.length - a.length)
  return /^\p{ASCII}*$/u.test(longest!) ? longest!.replace(/(?<=..)(ies|es|s|y)$/, '') : null
}
