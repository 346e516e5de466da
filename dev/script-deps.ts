import type { Db } from '../app/db/open.server'
import type { Deps } from '../app/store/deps'

/** What a script passes to a command of the store that needs the database and the time, and no provider. */
export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  return { db, now } as Deps
}
