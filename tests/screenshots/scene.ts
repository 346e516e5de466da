import type { Page } from 'playwright'
import type { TemporaryShop } from '../../dev/temporary-shop'
import type { Person } from './people'

/** What a scene is given to reach its state with. */
export interface Stage {
  page: Page
  shop: TemporaryShop
}

interface Setting {
  /** Who looks; nobody is signed in unless it says so. */
  as?: Person
  /** The shop with the demo stock unless it says so. */
  shop?: 'demo' | 'bare'
  scripts?: boolean
  /** As it is printed. */
  print?: boolean
  /** Stops the toast while it is there: every other picture is of the page without one. */
  withToast?: boolean
  /** The state has to be reached again for each scheme: something in it took its colours when it was loaded. */
  eachScheme?: boolean
}

export interface Scene extends Required<Omit<Setting, 'as'>> {
  page: string
  state: string
  as: Person | undefined
  reach: (stage: Stage) => Promise<void>
}

/** Declares one state of one page, and how a person comes to see it. */
export function scene(page: string, state: string, setting: Setting, reach: Scene['reach']): Scene {
  const { as, shop = 'demo', scripts = true, print = false, withToast = false, eachScheme = false } = setting
  return { page, state, as, shop, scripts, print, withToast, eachScheme, reach }
}

/** A scene that is reached by its address alone. */
export function at(path: string): Scene['reach'] {
  return async ({ page }) => {
    await page.goto(path)
  }
}
