import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import { familyCounts, instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { rowsFor } from '../pagination'
import { allOf, correct, hasTrigram, nearly, searchWords } from '../full-text'
import { type Sort } from './catalog'
import { families, type Family, type Instrument } from './instruments'
import {
  instrumentColumns,
  listInstruments,
  matches,
  matchesFilters,
  onSale,
  type Filters,
  type InstrumentPage,
  type ListOptions,
} from './instruments.server'

export interface Search extends Filters {
  /** Without one: the best matches first, else in the order in which they were listed. */
  sort?: Sort | undefined
  /** From 1. */
  page: number
  size: number
}

export interface SearchResult {
  instruments: Instrument[]
  hasMore: boolean
  /** The words that were searched for instead, when nothing matched those that were typed. */
  correctedTo: string | null
  /** On sale in the whole shop. */
  counts: Record<Family, number>
}

/** One page of the instruments on sale that match. */
export async function searchInstruments(deps: Deps, search: Search): Promise<SearchResult> {
  const [rows, counted] = await deps.db.batch([selectMatches(deps, search), deps.db.select().from(familyCounts)])
  const counts = Object.fromEntries(families.map((family) => [family, 0])) as Record<Family, number>
  for (const { family, instruments } of counted) counts[family] = instruments
  const correctedTo = rows.length === 0 && search.page === 1 ? await findCorrection(deps, search.q ?? '') : null
  const found = correctedTo === null ? rows : await selectMatches(deps, { ...search, q: correctedTo })
  return {
    instruments: found.slice(0, search.size),
    hasMore: found.length > search.size,
    correctedTo: found.length > 0 ? correctedTo : null,
    counts,
  }
}

/** Finds the same, in the order in which they were listed (R22). */
export async function searchList(deps: Deps, options: ListOptions): Promise<InstrumentPage> {
  const found = await listInstruments(deps, options)
  if (found.instruments.length > 0 || options.after) return found
  const correctedTo = await findCorrection(deps, options.q ?? '')
  return correctedTo === null ? found : listInstruments(deps, { ...options, q: correctedTo })
}

const orders: Record<Sort, SQL[]> = {
  name: [sql`${instruments.name} COLLATE NOCASE`, asc(instruments.id)],
  price: [asc(instruments.priceCents), asc(instruments.id)],
  newest: [desc(instruments.listedAt), desc(instruments.id)],
}

function selectMatches(deps: Deps, search: Search) {
  const { sort, page, size } = search
  const long = searchWords(search.q ?? '').filter(hasTrigram)
  if (long.length > 0 && !sort) return selectBestMatches(deps, search, long)
  const order = sort ? orders[sort] : [asc(instruments.listedAt), asc(instruments.id)]
  return deps.db
    .select(instrumentColumns(deps.now()))
    .from(instruments)
    .where(and(onSale, ...matches(search, deps.now())))
    .orderBy(...order)
    .limit(rowsFor(size))
    .offset((page - 1) * size)
}

/**
 * Names with all words first, each group in the order in which it was listed. SQLite reads no more of the index than the page needs;
 * by `bm25` it would read every match (decision 22).
 */
function selectBestMatches({ db, now }: Deps, search: Search, long: string[]) {
  const at = now()
  const { page, size } = search
  const words = searchWords(search.q ?? '')
  const filters = and(onSale, ...matchesFilters({ ...search, words }, at))
  const last = page * size + 1
  const [all, inName] = [allOf(long), `name : (${allOf(long)})`]
  const hits = (query: string, limit: SQL) => sql`
    SELECT search_id FROM instrument_search AS found
    CROSS JOIN instruments ON instruments.search_id = found.rowid
    WHERE found.instrument_search MATCH ${query} AND ${filters} LIMIT ${limit}`
  const missing = sql`${last} - (SELECT count(*) FROM named)`
  const best = sql`(
    WITH named AS MATERIALIZED (${hits(inName, sql`${last}`)})
    SELECT 0 AS tier, search_id FROM named
    UNION ALL SELECT 1, search_id FROM (${hits(`(${all}) NOT ${inName}`, missing)})) AS best`
  return db
    .select(instrumentColumns(at))
    .from(best)
    .innerJoin(instruments, sql`instruments.search_id = best.search_id`)
    .orderBy(sql`best.tier`, sql`best.search_id`)
    .limit(rowsFor(size))
    .offset((page - 1) * size)
}

const candidates = 300

async function findCorrection({ db }: Deps, q: string): Promise<string | null> {
  const words = searchWords(q)
  const query = nearly(words)
  if (query === '') return null
  const rows = await db
    .select({ name: instruments.name, brand: instruments.brand, description: instruments.description })
    .from(
      sql`(SELECT rowid FROM instrument_search WHERE instrument_search MATCH ${query} LIMIT ${candidates}) AS found`,
    )
    .innerJoin(instruments, sql`instruments.search_id = found.rowid`)
  const texts = [
    ...rows.map(({ name }) => name),
    ...families,
    ...rows.map(({ brand, description }) => `${brand ?? ''} ${description}`),
  ]
  return correct(words, texts)?.join(' ') ?? null
}
