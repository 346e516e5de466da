import type { Db } from '../app/db/open.server'
import type { Deps } from '../app/store/deps'

export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  return { db, now } as Deps
}
