import { openDatabase, type Db } from '../app/db/open.server'
import { defaultWords } from '../app/shop-name'
import type { Deps } from '../app/store/deps'
import { CurrentSettings } from '../app/store/settings/current-settings.server'
import type { Settings } from '../app/store/settings/settings'

export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  // Metrics and cache are the Worker's: its copies are 15 seconds old at most.
  return {
    db,
    now,
    count: () => undefined,
    invalidate: () => undefined,
    readLogSoon: () => undefined,
  } as Partial<Deps> as Deps
}

/** For a script that writes emails: it knows the name of the shop. */
export async function openShop(address: Parameters<typeof openDatabase>[0]): Promise<Db> {
  const db = openDatabase(address)
  await new CurrentSettings(defaultWords as Settings).refresh(
    () => db,
    () => undefined,
    () => undefined,
  )
  return db
}
