import type { Db } from '../app/db/open.server'
import type { Deps } from '../app/store/deps'

export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  // The metrics are the Worker's.
  return { db, now, count: () => undefined } as Partial<Deps> as Deps
}
