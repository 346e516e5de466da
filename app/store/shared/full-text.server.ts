import { and, sql, type SQL } from 'drizzle-orm'
import { fold } from './folding'
import { combiningAccents, containing, containingFolded, replacedInSql, searchWords } from './full-text'

/** Those that Mac computers and PDF files have. */
const accents = Array.from('\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327')

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** SQLite's parser takes some twenty calls inside each other. */
const mostNested = 8

function replaceAll(text: SQL, list: [from: string, to: string][]): SQL {
  const now = list.slice(0, mostNested)
  if (now.length === 0) return text
  const calls = now.reduce((inner, [from, to]) => `replace(${inner}, ${quoted(from)}, ${quoted(to)})`, 'text')
  return replaceAll(sql`(SELECT ${sql.raw(calls)} FROM (SELECT ${text} AS text))`, list.slice(mostNested))
}

/** SQL: the text with letters that the indexes know, and the patterns of `containingFolded`. */
export function inKnownLetters(text: SQL): SQL {
  return replaceAll(text, replacedInSql)
}

function withoutAccents(text: SQL): SQL {
  const none = accents.map((accent): [string, string] => [accent, ''])
  return sql`iif(${text} GLOB ${sql.raw(quoted(`*[${combiningAccents}]*`))}, ${replaceAll(text, none)}, ${text})`
}

/** SQL: whether a text has all words of `q`, in any order, whatever the case and the accents. Without a word, false. */
export function hasWords(text: SQL, q: string): SQL {
  const words = searchWords(q).map(fold)
  return words.length === 0 ? sql`false` : and(...words.map((word) => hasWord(text, word)))!
}

/** SQL: whether a text has a word that is folded. Texts of ASCII letters alone, which most are, take a third of the time. */
export function hasWord(text: SQL, word: string): SQL {
  return sql`CASE octet_length(${text}) WHEN length(${text}) THEN ${text} LIKE ${containing(word)} ESCAPE '\\'
    ELSE ${inKnownLetters(withoutAccents(text))} GLOB ${containingFolded(word)} END`
}
