import { inArray, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import { spellingsOf } from '../shared/clean-text.server'
import { fold } from '../shared/folding'

/** SQL: orders instruments by name as people do, without regard to case and accents. The index `instruments_on_sale_from_a_to_z` has it. */
export const byName = sql`coalesce(${instruments.nameKey}, lower(${instruments.name}))`

/** SQL over `instruments`: they have this name. The same index finds them. */
export function isNamed(name: string): SQL {
  const spellings = spellingsOf(name)
  const keys = spellings.map((each) => nameKeyOf(each) ?? each.toLowerCase())
  return sql`${inArray(byName, keys)} AND ${inArray(instruments.name, spellings)}`
}

/** Stored beside each name that SQLite cannot fold by itself; null for others. */
export function nameKeyOf(name: string): string | null {
  return /^\p{ASCII}*$/u.test(name) ? null : fold(name)
}
