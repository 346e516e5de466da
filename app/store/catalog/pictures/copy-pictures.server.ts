import { and, asc, gt, sql } from 'drizzle-orm'
import { instruments } from '../../../db/schema'
import type { Deps } from '../../deps'
import { maxCopiedPictures } from '../../shared/limits'
import { Refusal } from '../../shared/refusal'
import { managed } from '../instruments.server'
import { storePicture } from './pictures.server'

/** As many as a Worker has memory for. */
const atOnce = 3
/** Milliseconds: a picture that was not reached by then waits for the next request. */
const patience = 15_000

interface Elsewhere {
  id: string
  name: string
  img: string
}

export interface Copied {
  copied: number
  /** They keep their address. */
  failed: { id: string; name: string; why: string }[]
  /** The last product that was looked at; null: there are no more. */
  after: string | null
}

const isElsewhere = and(sql`img LIKE 'https:%'`, managed)

/** How many products on sale or hidden have their first picture at an address elsewhere. */
export async function countPicturesElsewhere({ db }: Pick<Deps, 'db'>): Promise<number> {
  return db.$count(instruments, isElsewhere)
}

/**
 * Fetches the first pictures of the next products whose picture is elsewhere, in the order of their ids, and stores them as uploads are. At
 * most 20 in one call, since each costs some 20 of the 1,000 subrequests of a Worker. A picture that cannot be had, or is none, is returned with its
 * reason, and stays where it is; one that somebody has changed meanwhile too. Records each product in the audit log. Idempotent.
 */
export async function copyPictures(deps: Deps, admin: { id: string }, after: string): Promise<Copied> {
  const { db, now } = deps
  const until = now() + patience
  const next: Elsewhere[] = await db
    .select({ id: instruments.id, name: instruments.name, img: instruments.img })
    .from(instruments)
    .where(and(isElsewhere, gt(instruments.id, after)))
    .orderBy(asc(instruments.id))
    .limit(maxCopiedPictures + 1)
  const taken = next.slice(0, maxCopiedPictures)
  const waiting = [...taken]
  const copies = new Map<string, Promise<Copy>>()
  const done: (Elsewhere & { copy: Copy })[] = []
  const copyNext = async () => {
    for (let each = waiting.shift(); each !== undefined; each = now() < until ? waiting.shift() : undefined) {
      const copy = copies.get(each.img) ?? copyOf(deps, each.img)
      copies.set(each.img, copy)
      done.push({ ...each, copy: await copy })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, copyNext))
  const rows = done.flatMap(({ id, img, copy }) => ('address' in copy ? [[id, img, copy.address]] : []))
  const copied = rows.length > 0 ? await replace(deps, admin, rows) : 0
  const last = waiting[0] ? taken[taken.indexOf(waiting[0]) - 1] : taken.at(-1)
  return {
    copied,
    failed: done.flatMap(({ id, name, copy }) => ('why' in copy ? [{ id, name, why: copy.why }] : [])),
    after: last && (waiting.length > 0 || next.length > taken.length) ? last.id : null,
  }
}

type Copy = { address: string } | { why: string }

async function copyOf(deps: Deps, address: string): Promise<Copy> {
  const fetched = await deps.fetchPicture(address)
  if ('problem' in fetched) return { why: fetched.problem }
  try {
    return { address: await storePicture(deps, fetched.file) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { why: error.fields.picture?.[0] ?? error.message }
  }
}

/** How many products were changed: those that still have the address. */
async function replace({ db, now, invalidate }: Deps, admin: { id: string }, rows: string[][]): Promise<number> {
  const copies = sql`(SELECT value ->> 0 AS id, value ->> 1 AS old, value ->> 2 AS new FROM json_each(${JSON.stringify(rows)})) AS copy`
  const isSame = sql`instruments.id = copy.id AND instruments.img = copy.old AND ${managed}`
  const [, changed] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, instrument_id, note)
      SELECT ${now()}, 'instrument changed', ${admin.id}, instruments.id, 'picture copied' FROM ${copies} CROSS JOIN instruments
      WHERE ${isSame}`),
    db.run(sql`UPDATE instruments SET img = copy.new, version = version + 1 FROM ${copies} WHERE ${isSame}`),
  ])
  invalidate('catalogue')
  return changed.rowsAffected
}
