import { and, asc, desc, eq, inArray, notInArray, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import type { Deps } from '../deps'
import type { ReviewsOfInstrument } from '../reviews/reviews'
import { selectReviewsOf, toReviewsOf } from '../reviews/reviews.server'
import { anyOf } from '../shared/full-text'
import { slugOf } from '../catalog/catalog'
import { families } from '../catalog/families'
import { type Instrument } from '../catalog/instruments'
import { instrumentColumns, onSale } from '../catalog/instruments.server'

export interface CatalogPage {
  instrument: Instrument
  isRemoved: boolean
  /** For a case the instruments that it fits, else the cases. */
  companions: Instrument[]
  siblings: Instrument[]
  reviewed: ReviewsOfInstrument
}

const maxSiblings = 4

/** The instrument with this slug, or with the slug that this text would become, or with this id (R44). Null if there was never one, or while it is hidden. */
export async function readCatalogPage(deps: Deps, slug: string): Promise<CatalogPage | null> {
  const own = sql`(SELECT id FROM instruments WHERE slug IN (${slug}, ${slugOf(slug)}) OR id = ${slug} LIMIT 1)`
  const [[found], later, earlier, companions, written, ratings] = await deps.db.batch([
    deps.db
      .select({ ...instrumentColumns(deps.now()), removedAt: instruments.removedAt, hidden: instruments.hidden })
      .from(instruments)
      .where(eq(instruments.id, own)),
    selectSiblings(deps, own, '>'),
    selectSiblings(deps, own, '<'),
    selectCompanions(deps, slug, own),
    ...selectReviewsOf(deps, own),
  ])
  if (!found || found.hidden === 1) return null
  const { removedAt, hidden, ...instrument } = found
  const siblings = [...later, ...earlier].slice(0, maxSiblings)
  return { instrument, isRemoved: removedAt !== null, siblings, companions, reviewed: toReviewsOf(written, ratings) }
}

/** The next ones of the family in the list. */
function selectSiblings({ db, now }: Deps, own: SQL, direction: '>' | '<') {
  const { listedAt, id } = instruments
  const order = direction === '>' ? asc : desc
  const place = sql`(${listedAt}, ${id}) ${sql.raw(direction)} (SELECT listed_at, id FROM instruments WHERE id = ${own})`
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(and(onSale, eq(instruments.family, sql`(SELECT family_slug FROM instruments WHERE id = ${own})`), place))
    .orderBy(order(listedAt), order(id))
    .limit(maxSiblings)
}

const maxCompanions = 2

/**
 * By the words of the slug, so that the page needs no second query. The full-text index has the families too, and SQLite reads no more
 * of it than needed.
 */
function selectCompanions({ db, now }: Deps, slug: string, own: SQL) {
  const words = slug.split('-').filter((word) => /^[a-z]{4,}$/.test(word) && word !== 'case')
  const named = `name : (${anyOf(words)})`
  const ofCases = families.filter(({ isCases }) => isCases)
  const isCase = sql`coalesce((SELECT family_slug FROM instruments WHERE id = ${own}) IN ${ofCases.map(({ slug }) => slug)}, 0)`
  const found = (query: string, filter: SQL, when: SQL) => sql`
    SELECT search_id FROM (
      SELECT search_id FROM instrument_search AS found
      CROSS JOIN instruments ON instruments.search_id = found.rowid
      WHERE found.instrument_search MATCH ${query} AND ${onSale} AND ${filter} LIMIT iif(${when}, ${maxCompanions}, 0))`
  const cases = found(
    `(${named}) AND details : (${ofCases.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(' OR ')})`,
    inArray(
      instruments.family,
      ofCases.map(({ slug }) => slug),
    ),
    sql`NOT ${isCase}`,
  )
  const others = found(
    named,
    notInArray(
      instruments.family,
      ofCases.map(({ slug }) => slug),
    ),
    isCase,
  )
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(
      words.length === 0 || ofCases.length === 0
        ? sql`0`
        : sql`instruments.search_id IN (${cases} UNION ALL ${others})`,
    )
    .orderBy(asc(instruments.searchId))
    .limit(maxCompanions)
}
