import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import { familyCounts, instruments } from '../../db/schema'
import type { Deps } from '../deps'
import { pageOf, rowsFor } from '../pagination'
import {
  allOf,
  combiningAccents,
  containing,
  containingAccents,
  correct,
  hasTrigram,
  nearly,
  searchWords,
  withoutAccents,
} from '../full-text'
import { maxWithoutFamily, type Counts, type Sort } from './catalog'
import { families, type Instrument } from './instruments'
import {
  instrumentColumns,
  isListedAfter,
  listOrder,
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
  counts: Counts
}

/** One page of the instruments on sale that match. */
export async function searchInstruments(deps: Deps, search: Search): Promise<SearchResult> {
  const [rows, counted] = await deps.db.batch([selectMatches(deps, search), selectCounts(deps)])
  const correctedTo = rows.length === 0 && search.page === 1 ? await findCorrection(deps, search.q ?? '') : null
  const found = correctedTo === null ? rows : await selectMatches(deps, { ...search, q: correctedTo })
  return {
    instruments: found.slice(0, search.size),
    hasMore: found.length > search.size,
    correctedTo: found.length > 0 ? correctedTo : null,
    counts: Object.fromEntries(counted.map(({ family, instruments }) => [family, instruments])) as Counts,
  }
}

function selectCounts({ db }: Deps) {
  return db.all<{ family: keyof Counts; instruments: number }>(sql`
    SELECT family, instruments FROM ${familyCounts}
    UNION ALL SELECT 'withoutFamily', count(*)
      FROM (SELECT 1 FROM instruments WHERE ${onSale} AND family IS NULL LIMIT ${maxWithoutFamily})`)
}

/** Finds the same, in the order in which they were listed (R22). */
export async function searchList(deps: Deps, options: ListOptions & Filters): Promise<InstrumentPage> {
  const found = await selectList(deps, options)
  if (found.length > 0 || options.after) return toPage(found, options)
  const correctedTo = await findCorrection(deps, options.q ?? '')
  return toPage(correctedTo === null ? found : await selectList(deps, { ...options, q: correctedTo }), options)
}

function toPage(rows: Instrument[], { limit }: ListOptions): InstrumentPage {
  const { page, next } = pageOf(rows, limit)
  return { instruments: page, next }
}

function selectList(deps: Deps, { after, limit, ...filters }: ListOptions & Filters) {
  return selectSorted(deps, filters, { order: listOrder, from: isListedAfter(after), limit: rowsFor(limit) })
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
  const order = sort ? orders[sort] : listOrder
  return selectSorted(deps, search, { order, limit: rowsFor(size), offset: (page - 1) * size })
}

interface Window {
  /** An index of `instruments` has it. */
  order: SQL[]
  from?: SQL | undefined
  limit: number
  offset?: number
}

function selectSorted({ db, now }: Deps, { q = '', ...filters }: Filters, window: Window) {
  const at = now()
  const words = searchWords(q)
  const long = words.filter(hasTrigram)
  const { order, from, limit, offset = 0 } = window
  const where = and(onSale, from, ...matchesFilters({ ...filters, words }, at))!
  const select = db.select(instrumentColumns(at))
  const rows =
    long.length === 0
      ? select.from(instruments).where(where)
      : select
          .from(firstInOrder(long, where, sql.join(order, sql`, `), offset + limit))
          .crossJoin(instruments)
          .where(sql`instruments.search_id = first.search_id`)
  return rows
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
}

/** More matches than that are not sorted: at 100,000 instruments both ways then cost about the same (decision 22). */
export const maxSorted = 1_500

/**
 * SQL for FROM: at least the first `rows` instruments in this order that have the words. The full-text index finds at most `maxSorted`
 * of them, to be sorted. When there are more, SQLite reads the instruments in their order instead, and compares texts: a word that
 * many have fills a page soon.
 */
function firstInOrder(words: string[], where: SQL, order: SQL, rows: number): SQL {
  const inText = words.map((word) => hasWord(word))
  const canWalk = inText.every((condition) => condition !== null)
  const areMany = sql`(SELECT count(*) FROM matched) > ${canWalk ? maxSorted : Number.MAX_SAFE_INTEGER}`
  return sql`(
    WITH matched AS MATERIALIZED (
      SELECT rowid FROM instrument_search WHERE instrument_search MATCH ${allOf(words)} LIMIT ${canWalk ? maxSorted + 1 : -1})
    SELECT search_id FROM (
      SELECT search_id FROM matched CROSS JOIN instruments ON search_id = matched.rowid
      WHERE ${where} ORDER BY ${order} LIMIT iif(${areMany}, 0, ${rows}))
    UNION ALL SELECT search_id FROM (
      SELECT search_id FROM instruments
      WHERE ${sql.join([where, ...inText.filter((condition) => condition !== null)], sql` AND `)}
      ORDER BY ${order} LIMIT iif(${areMany}, ${rows}, 0))
    ) AS first`
}

/** SQL: the text has the word, just as the full-text index would say. Null for a word with more than ASCII and accents. */
function hasWord(word: string): SQL | null {
  const plain = withoutAccents(word)
  if (plain === null) return null
  const text = sql`concat_ws(' ', name, family, brand, description)`
  const isFound = sql`EXISTS (
    SELECT 1 FROM instrument_search WHERE instrument_search MATCH ${allOf([word])} AND rowid = instruments.search_id)`
  return sql`CASE octet_length(${text}) WHEN length(${text}) THEN ${text} LIKE ${containing(plain)} ESCAPE '\\'
    ELSE ${text} GLOB ${containingAccents(plain)} OR ${text} GLOB ${`*[${combiningAccents}]*`} AND ${isFound} END`
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
