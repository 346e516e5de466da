import { openDatabase, type Db } from '../app/db/open.server'
import { defaultWords } from '../app/shop-name'
import type { Deps } from '../app/store/deps'
import { CurrentSettings } from '../app/store/settings/current-settings.server'
import type { Settings } from '../app/store/settings/settings'

export function scriptDeps(db: Db, now: () => number = Date.now): Deps {
  // Metrics and cache are the Worker's: its copies are 15 seconds old at most.
  return { db, now, count: () => undefined, invalidate: () => undefined } as Partial<Deps> as Deps
}

/** For a script that writes emails: with its first answer it knows the name of the shop. */
export function openShop(address: Parameters<typeof openDatabase>[0]): Db {
  const settings = new CurrentSettings(defaultWords as Settings)
  return openDatabase({ ...address, companion: settings.companion(() => undefined) })
}
