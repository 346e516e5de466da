import { sql, type SQL } from 'drizzle-orm'
import { defaultWords } from '../../shop-name'
import { settingsVersions } from '../../db/schema'
import { isBrokenRule } from '../../db/open.server'
import type { Deps } from '../deps'
import { families } from '../catalog/families'
import { firstFamilies } from '../catalog/families.server'
import { firstSteps, type FirstStepsDone, type FirstStepWord } from './first-steps'
import type { Settings } from '../settings/settings'

interface Facts {
  isAside: number
  keepsFamilies: number
  hasShipped: number
  instrument: number
  picture: number
  terms: number
  order: number
}

const newest = (column: SQL) =>
  sql`(SELECT ${column} FROM settings_versions WHERE version = (SELECT max(version) FROM settings_versions))`

/** For the batch of the overview. Of pictures, it looks at two hundred. */
export function selectFirstSteps({ db }: Deps) {
  return db.all<Facts>(sql`SELECT
    coalesce(${newest(sql`json_extract(document, '$.firstSteps') = 'aside'`)}, 0) AS isAside,
    coalesce(${newest(sql`json_extract(document, '$.firstFamilies') = 'kept'`)}, 0) AS keepsFamilies,
    EXISTS (SELECT 1 FROM orders WHERE state = 'shipped') AS hasShipped,
    EXISTS (SELECT 1 FROM instruments WHERE removed_at IS NULL) AS instrument,
    EXISTS (SELECT 1 FROM (SELECT img FROM instruments LIMIT 200) WHERE img LIKE '/pictures/%' OR img LIKE 'https:%') AS picture,
    EXISTS (SELECT 1 FROM pages WHERE published_at IS NOT NULL AND footer = 'Terms of use') AS terms,
    EXISTS (SELECT 1 FROM daily_sales) AS "order"`)
}

interface Deployment {
  settings: Settings
  shopEmail: string
  config: { MAIL_FROM: string; STRIPE_PUBLISHABLE_KEY: string }
}

/** What is done, seen by looking at the shop itself. Null when the list was put aside, when orders are shipped already, and when all is done. */
export function doneOf(facts: Facts, hasSecondFactor: boolean, deployment: Deployment): FirstStepsDone {
  if (facts.isAside || facts.hasShipped) return null
  const { settings, shopEmail, config } = deployment
  const { supportEmail, supportPhone, salesEmail, salesPhone, ordersEmail, ordersPhone } = settings
  const done = {
    name: settings.name !== defaultWords.name,
    contact:
      [supportPhone, salesPhone, ordersPhone].some(Boolean) ||
      [supportEmail, salesEmail, ordersEmail].some((email) => email !== '' && email !== shopEmail),
    delivery: settings.deliveryTime !== '' && settings.returns !== '',
    seller: settings.sellerName !== '' && settings.sellerAddress !== '',
    terms: facts.terms === 1,
    families: facts.keepsFamilies === 1 || !areThoseOfANewShop(),
    instrument: facts.instrument === 1,
    picture: facts.picture === 1,
    order: facts.order === 1,
    factor: hasSecondFactor,
    // Domains that belong to nobody (RFC 2606), and the provider's own for tries.
    mail: !/(\.example|\.test|\.invalid|resend\.dev)>?$/.test(config.MAIL_FROM.trim()),
    keys: config.STRIPE_PUBLISHABLE_KEY.startsWith('pk_live_'),
  }
  return firstSteps.every(({ key }) => done[key]) ? null : done
}

function areThoseOfANewShop(): boolean {
  const textOf = (list: typeof families) =>
    JSON.stringify(list.map(({ slug, name, isHidden, isCases }) => [slug, name, isHidden, isCases]))
  return textOf(families) === textOf(firstFamilies)
}

/** In the document of the settings. */
const wordOf = {
  aside: { path: '$.firstSteps', value: 'aside' },
  families: { path: '$.firstFamilies', value: 'kept' },
} as const satisfies Record<FirstStepWord, { path: string; value: string }>

/** Puts the list aside, or keeps the families of a new shop, for all admins. Idempotent. */
export async function sayFirstStep({ db, now }: Deps, admin: { id: string }, word: FirstStepWord): Promise<void> {
  const { path, value } = wordOf[word]
  const insert = db.run(sql`
    INSERT INTO ${settingsVersions} (version, document, saved_at, saved_by)
    SELECT coalesce(max(version), 0) + 1, json_set(coalesce(${newest(sql`document`)}, '{}'), ${path}, ${value}), ${now()}, ${admin.id}
    FROM ${settingsVersions}`)
  await insert.catch((error: unknown) => {
    // Another version came between: the list is there until the next press.
    if (!isBrokenRule(error)) throw error
  })
}
