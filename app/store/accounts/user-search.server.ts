import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.server'
import { inKnownLetters } from '../shared/full-text.server'

/** SQL: the search finds the users that meet `which` by name and email. */
export function userSearchInsert(which: SQL): SQL {
  return sql`
    INSERT OR REPLACE INTO user_search (rowid, name, email)
    SELECT search_id, ${inKnownLetters(sql`name`)}, email FROM users WHERE ${which}`
}

/** For the batch that adds users, or changes a name or an email. */
export function indexUsers(db: Db, which: SQL) {
  return db.run(userSearchInsert(which))
}
