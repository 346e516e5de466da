import { sql } from 'drizzle-orm'

/** The years that the search tells apart: who is older than the last counts as that. */
const [youngest, oldest] = [3, 18]
/** Begins an age in `instrument_words`, and no word of a language. */
const mark = 'xage'

const numbers = [
  'three, drei',
  'four, vier',
  'five, fünf',
  'six, sechs',
  'seven, sieben',
  'eight, acht',
  'nine, neun',
  'ten, zehn',
  'eleven, elf',
  'twelve, zwölf',
  'thirteen, dreizehn',
  'fourteen, vierzehn',
  'fifteen, fünfzehn',
  'sixteen, sechzehn',
].map((line) => line.split(', '))
const number = String.raw`(?<!\p{L})(\d{1,2}|${numbers.flat().join('|')})`
const age = new RegExp(
  String.raw`(?:\baged? +|\bab +)?${number}[ -]*(?:(?:years?|yrs?|y\.?\/?o)(?:[ -]*olds?)?|jahren?|jahre?|j(?:ä|ae)hrige?[nrs]?)(?!\p{L})|\baged? +(\d{1,2})\b|\b(?:adults?|grown-ups?|erwachsenen?)\b`,
  'giu',
)

/** 'violin for a ten-year-old' becomes 'violin for a xage10'. */
export function withAges(q: string): string {
  return q.replace(age, (_, typed?: string, aged?: string) => {
    const text = (typed ?? aged ?? String(oldest)).toLowerCase()
    const inWords = numbers.findIndex((names) => names.includes(text))
    const years = inWords === -1 ? Number(text) : inWords + 3
    return ` ${mark}${Math.min(Math.max(years, youngest), oldest)} `
  })
}

export function isAgeWord(word: string): boolean {
  return word.startsWith(mark)
}

/** The way back, to words that a shopper reads and `withAges` knows. */
export function withoutAgeWords(q: string): string {
  return q.replace(new RegExp(`${mark}(\\d+)`, 'g'), '$1 years')
}

const years = JSON.stringify(Array.from({ length: oldest - youngest + 1 }, (_, n) => youngest + n))

/** SQL: the words of `instruments.ages`, such as `xage9 xage10 xage11`. */
export const ageWords = sql.raw(`(
  SELECT group_concat('${mark}' || value, ' ') FROM json_each('${years}')
  WHERE value BETWEEN CAST(ages AS INTEGER) AND iif(ages LIKE '%+', ${oldest}, CAST(substr(ages, instr(ages, 'to ') + 3) AS INTEGER)))`)
