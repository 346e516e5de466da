import { eq, sql } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { fold } from '../shared/folding'

/** SQL: orders instruments by name as people do, without regard to case and accents. The index `instruments_on_sale_from_a_to_z` has it. */
export const byName = sql`coalesce(${instruments.nameKey}, lower(${instruments.name}))`

/** Stored beside each name that SQLite cannot fold by itself; null for others. */
export function nameKeyOf(name: string): string | null {
  return /^\p{ASCII}*$/u.test(name) ? null : fold(name)
}

/** Names of one run: the rest of a large shop follows. */
const atOnce = 500

/** For the cron trigger: the keys of names that an older Worker has written, of which an index knows. Pages take the new order when they expire. */
export async function storeNameKeys({ db }: Pick<Deps, 'db'>): Promise<void> {
  const rows = await db
    .select({ id: instruments.id, name: instruments.name })
    .from(instruments)
    .where(sql`name_key IS NULL AND octet_length(name) > length(name)`)
    .limit(atOnce)
  const [first, ...others] = rows.map(({ id, name }) =>
    db
      .update(instruments)
      .set({ nameKey: nameKeyOf(name) })
      .where(sql`${eq(instruments.id, id)} AND ${eq(instruments.name, name)}`),
  )
  if (first !== undefined) await db.batch([first, ...others])
}
