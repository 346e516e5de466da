import { sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import { fold } from '../shared/folding'

/** SQL: orders instruments by name as people do, without regard to case and accents. The index `instruments_on_sale_from_a_to_z` has it. */
export const byName = sql`coalesce(${instruments.nameKey}, lower(${instruments.name}))`

/** Stored beside each name that SQLite cannot fold by itself; null for others. */
export function nameKeyOf(name: string): string | null {
  return /^\p{ASCII}*$/u.test(name) ? null : fold(name)
}
