import { desc, eq, sql } from 'drizzle-orm'
import { isBrokenRule } from '../../db/open.server'
import { settingsVersions, users } from '../../db/schema'
import { formatTime } from '../shared/dates'
import type { Deps } from '../deps'
import { Refusal } from '../shared/refusal'

interface StoredVersion {
  version: number
  document: string
  savedAt: number
  by: string
}

const none: StoredVersion = { version: 0, document: '{}', savedAt: 0, by: '' }

export function selectVersions({ db }: Deps) {
  const { version, document, savedAt, savedBy } = settingsVersions
  return db
    .select({ version, document, savedAt, by: sql<string>`coalesce(${users.name}, ${savedBy})` })
    .from(settingsVersions)
    .leftJoin(users, eq(users.id, savedBy))
    .orderBy(desc(version))
}

/** The version that a form was filled in with, and the newest one that its reader has seen: after a conflict a later one. */
export interface FormVersion {
  version: number
  seen?: number | undefined
}

/** The texts of a form, what they are if nobody has said otherwise, and their labels. `keyOf`: where they stand in the document. */
interface Texts<Name extends string> {
  values: Record<Name, string>
  defaults: Record<Name, string>
  labelOf: (name: Name) => string
  keyOf?: (name: Name) => string
  /** Statements for the same batch, by the names of what is stored. */
  follow?: (names: Name[]) => ReturnType<Deps['db']['run']>[]
}

/** See `saveSettings`. The names of what was stored. */
export async function saveTexts<Name extends string>(
  deps: Deps,
  admin: { id: string },
  { version, seen }: FormVersion,
  { values, defaults, labelOf, keyOf = (name) => name, follow = () => [] }: Texts<Name>,
): Promise<Name[]> {
  const names = Object.keys(defaults) as Name[]
  const read = (document: Record<string, unknown>) => (name: Name) => {
    const text = document[keyOf(name)]
    return typeof text === 'string' ? text : defaults[name]
  }
  for (let tries = 1; ; tries++) {
    const { newest, base, known } = await findVersions(deps, version, seen ?? version)
    const documents = [base, newest, known].map((row) => JSON.parse(row.document) as Record<string, unknown>)
    const [before, now, shown] = documents.map(read)
    const changed = names.filter((name) => values[name] !== before!(name))
    const conflicts = changed.filter((name) => now!(name) !== shown!(name) && now!(name) !== values[name])
    if (conflicts.length > 0) {
      const others = conflicts.map((name) => ({ name, label: labelOf(name), text: now!(name) }))
      throw conflictOf(others, newest)
    }
    const news = changed.filter((name) => values[name] !== now!(name))
    if (news.length === 0) return []
    const document = documents[1]!
    // `stringify` leaves out what is undefined.
    for (const name of news) document[keyOf(name)] = values[name] === defaults[name] ? undefined : values[name]
    const row = { document: JSON.stringify(document), savedAt: deps.now(), savedBy: admin.id }
    try {
      const version = newest.version + 1
      await deps.db.batch([deps.db.insert(settingsVersions).values({ ...row, version }), ...follow(news)])
      deps.invalidate('settings')
      return news
    } catch (error) {
      // Another admin was faster, by less than this took.
      if (tries === 5 || !isBrokenRule(error)) throw error
    }
  }
}

async function findVersions(deps: Deps, version: number, seen: number) {
  const newestVersion = sql`(SELECT max(${settingsVersions.version}) FROM ${settingsVersions})`
  const { version: column } = settingsVersions
  const rows = await selectVersions(deps).where(sql`${column} IN (${newestVersion}, ${version}, ${seen})`)
  const find = (wanted: number) => {
    const row = wanted === 0 ? none : rows.find((row) => row.version === wanted)
    if (!row) throw new Refusal('conflict', 'This form has expired. Reload the page.')
    return row
  }
  return { newest: rows[0] ?? none, base: find(version), known: find(seen) }
}

function conflictOf(others: { name: string; label: string; text: string }[], { by, savedAt }: StoredVersion): Refusal {
  const fields = Object.fromEntries(
    others.map(({ name, label, text }) => {
      const is = text ? `now “${text}”` : 'now empty'
      return [name, [`${label}: ${is}. Save again to replace it.`]]
    }),
  )
  const message = `${by} saved the settings at ${formatTime(savedAt)}, while you were editing them.`
  return new Refusal('conflict', message, { fields })
}
