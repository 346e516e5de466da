import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/open.server'
import { instruments } from '../../../db/schema'
import { inKnownLetters } from '../../shared/full-text.server'
import { ageWords } from './age-words.server'
import { searchedKeys, type EditedKey } from '../fields'

/** A rowid of `instrument_words` is the layer times this, and `search_id`. A parameter would be a float, which FTS5 ignores as a limit. */
export const layerSize = sql.raw('1000000000')
/** Where the layers begin: each has the texts of the one before, and one more. */
export const layers = {
  name: sql.raw('0'),
  family: sql.raw('1000000000'),
  brand: sql.raw('2000000000'),
  /** Only of those that have one. */
  specification: sql.raw('3000000000'),
  description: sql.raw('4000000000'),
}

/** SQL: the fields whose words are found as the brand. */
export const searched = sql.raw(searchedKeys.map((key) => instruments[key].name).join(', '))

const texts: Record<keyof typeof layers, SQL> = {
  name: sql`name`,
  family: sql`name, family`,
  brand: sql`name, family, ${searched}, ages`,
  specification: sql`name, family, ${searched}, ages, attributes`,
  description: sql`name, family, ${searched}, ages, attributes, description`,
}

const keys = ['name', 'family', 'description', 'ages', ...searchedKeys] satisfies EditedKey[]
type Searched = Record<(typeof keys)[number], unknown> & { attributes: unknown }

/** Says whether a change of an instrument is one of what the search knows of it. */
export function hasNewWords(before: Searched, after: Searched): boolean {
  return (
    keys.some((key) => (before[key] ?? null) !== (after[key] ?? null)) ||
    JSON.stringify(before.attributes) !== JSON.stringify(after.attributes)
  )
}

/** SQL statements: put the instruments that meet `which`, SQL over `instruments`, into the search. */
export function searchInserts(which: SQL): SQL[] {
  const its = sql`
    WITH its AS (
      SELECT search_id, instruments.name, families.name AS family, ${searched}, ${ageWords} AS ages, attributes, description
      FROM instruments LEFT JOIN families ON families.slug = family_slug WHERE ${which} AND removed_at IS NULL)`
  const words = Object.entries(texts).map(
    ([layer, columns]) => sql`
      SELECT ${layers[layer as keyof typeof layers]} + search_id AS number, concat_ws(' ', ${columns}) AS words FROM its
      ${layer === 'specification' ? sql`WHERE attributes <> '[]'` : sql``}`,
  )
  return [
    sql`
      INSERT INTO instrument_search (rowid, name, details) ${its}
      SELECT search_id, ' ' || name, concat_ws(' ', '', family, ${searched}, description) FROM its`,
    sql`
      INSERT INTO instrument_words (rowid, text) ${its}
      SELECT number, ${inKnownLetters(sql`words`)} FROM (${sql.join(words, sql` UNION ALL `)})`,
  ]
}

/** For the batch that adds instruments. */
export function addToSearch(db: Db, which: SQL) {
  return searchInserts(which).map((statement) => db.run(statement))
}

/** For the batch that changes instruments, or takes them off sale. */
export function indexInstruments(db: Db, which: SQL) {
  return [
    db.run(sql`DELETE FROM instrument_search WHERE rowid IN (SELECT search_id FROM instruments WHERE ${which})`),
    db.run(sql`
      DELETE FROM instrument_words WHERE rowid IN (
        SELECT layer.value + search_id FROM instruments,
          json_each(json_array(${sql.join(Object.values(layers), sql`, `)})) AS layer WHERE ${which})`),
    ...addToSearch(db, which),
  ]
}
