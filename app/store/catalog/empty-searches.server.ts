import { asc, desc, eq, lt, sql } from 'drizzle-orm'
import { emptySearches } from '../../db/schema'
import type { Deps } from '../deps'
import { fold, normal } from '../shared/folding'
import { searchMonths } from '../shared/limits'
import { monthOf, monthText } from '../shared/dates'

/** Of a search that found nothing: its words in small letters, and how often it was made in the month. */
export interface EmptySearch {
  words: string
  searches: number
}

const longest = 60
const mostWords = 8
const longestWord = 24
/** Words of a month. */
const mostKept = 200

/** What may be an email, an address of the web, a telephone, or the number of an order, a card or a person. */
const personal = /[@%]|\(at\)|\[at\]|:\/\/|\p{L}\.\p{L}{2,}|(?:\p{Nd}\P{L}*){5}/u

/**
 * The words of a search in one spelling, for the reports: small letters, no accents, no signs, at most 60 characters. Null for what may be
 * personal data, and for texts that nobody types as the name of a thing.
 */
export function wordsToKeep(q: string): string | null {
  const text = normal(q.toWellFormed())
  if (personal.test(text)) return null
  const words: string[] = fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const joined = words.join(' ')
  const isName = words.length <= mostWords && words.every((word) => word.length <= longestWord)
  return isName && joined.length <= longest && /\p{L}/u.test(joined) ? joined : null
}

/** Counts the search in this month, without who made it or when. Says whether it was kept: see `wordsToKeep`. */
export async function recordEmptySearch({ db, now }: Pick<Deps, 'db' | 'now'>, q: string): Promise<boolean> {
  const words = wordsToKeep(q)
  if (words === null) return false
  const month = monthText(monthOf(now()))
  const others = sql`FROM empty_searches WHERE month = ${month} AND words <> ${words}`
  await db.batch([
    db
      .insert(emptySearches)
      .values({ month, words, searches: 1 })
      .onConflictDoUpdate({
        target: [emptySearches.month, emptySearches.words],
        set: { searches: sql`min(${emptySearches.searches} + 1, 1000000)` },
      }),
    // The rarest go, of those the oldest: what is looked for twice stays, however many words a program makes up.
    db.run(sql`
      DELETE ${others} AND rowid NOT IN (SELECT rowid ${others} ORDER BY searches DESC, rowid DESC LIMIT ${mostKept - 1})`),
  ])
  return true
}

/** Of the month (such as `2026-11`), the most frequent first: at most 200. */
export function selectEmptySearches({ db }: Pick<Deps, 'db'>, month: string) {
  const { words, searches } = emptySearches
  return db
    .select({ words, searches })
    .from(emptySearches)
    .where(eq(emptySearches.month, month))
    .orderBy(desc(searches), asc(words))
}

/** Of all months that are kept, the newest first. */
export function selectAllEmptySearches({ db }: Pick<Deps, 'db'>) {
  const { month, words, searches } = emptySearches
  return db.select().from(emptySearches).orderBy(desc(month), desc(searches), asc(words))
}

/** For the cron trigger. */
export async function forgetEmptySearches({ db, now }: Deps): Promise<void> {
  const first = monthText(monthOf(now()) - searchMonths + 1)
  await db.delete(emptySearches).where(lt(emptySearches.month, first))
}
