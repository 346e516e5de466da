import { sql } from 'drizzle-orm'
import { indexUsers } from '../../app/store/accounts/user-search.server'
import { indexInstruments } from '../../app/store/catalog/search/index-instruments.server'
import type { Deps } from '../../app/store/deps'

/** Puts what SQL has inserted or changed by hand into the search. */
export async function indexAll({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.batch([indexUsers(db, sql`true`), ...indexInstruments(db, sql`true`)])
}
