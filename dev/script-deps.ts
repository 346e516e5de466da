import type { Db } from '../app/db/open.server'
import type { Deps } from '../app/store/deps'

export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  // Metrics and cache are the Worker's: its copies are 15 seconds old at most.
  return { db, now, count: () => undefined, invalidate: () => undefined } as Partial<Deps> as Deps
}
