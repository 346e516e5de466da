import { and, asc, desc, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../../db/schema'
import type { Deps } from '../../deps'
import { pageOf, rowsFor } from '../../shared/pagination'
import { fold } from '../../shared/folding'
import {
  combiningAccents,
  containing,
  containingFolded,
  correct,
  nearly,
  replacedInSql,
  searchWords,
} from '../../shared/full-text'
import type { Counts, Sort } from '../catalog'
import { families } from '../families'
import { familyWords } from '../families.server'
import { filterKeys, pick, searchedKeys } from '../fields'
import type { Instrument } from '../instruments'
import {
  instrumentColumns,
  isListedAfter,
  listOrder,
  matchesFilters,
  onSale,
  type Filters,
  type InstrumentPage,
  type ListOptions,
} from '../instruments.server'
import { byName } from '../order-by-name.server'
import { isReducedAt, priceAt } from '../sale-prices.server'
import { layers, layerSize, searched } from './index-instruments.server'
import { synonyms } from './instrument-words'
import { formsOf, isKnownWord, isOtherKind, readSigns, readTerms, type Term } from './search-terms.server'

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
  /** Set when nothing has all words, but some of them. */
  fewer: FewerWords | null
  counts: Counts
  /** Null unless the first page is empty. */
  nothing: Nothing | null
}

/** The words of a search that were left out, and the others, which were searched for instead. */
export interface FewerWords {
  /** Those that nothing on sale has. All that was typed, if there is something for each, but nothing for all. */
  without: string[]
  q: string
}

/** Why nothing was found, and what would be. */
export interface Nothing {
  /** The words that were searched for in the end. */
  q: string
  /** Those that nothing on sale has. */
  unmatchedWords: string[]
  /** The others. */
  sold: string[]
  without: Without[]
}

/** What a search without one of its filters, or without all, finds. */
export interface Without {
  filter: Filter | 'all'
  /** At most `mostCounted` + 1. */
  found: number
}

const filterNames = [...filterKeys, 'minCents', 'maxCents', 'inStock'] as const
type Filter = (typeof filterNames)[number]

export const mostCounted = 100

/** One page of the instruments on sale that match. */
export async function searchInstruments(deps: Deps, search: Search): Promise<SearchResult> {
  const [rows, counted] = await deps.db.batch([selectMatches(deps, search), selectCounts(deps)])
  const correctedTo = rows.length === 0 && search.page === 1 ? await findCorrection(deps, search.q ?? '') : null
  const corrected = correctedTo === null ? rows : await selectMatches(deps, { ...search, q: correctedTo })
  const isNothing = corrected.length === 0 && search.page === 1
  const nothing = isNothing ? await explain(deps, { ...search, q: correctedTo ?? search.q }) : null
  const instead = nothing && (await findFewer(nothing, (q) => selectMatches(deps, { ...search, q })))
  const found = instead?.found ?? corrected
  return {
    instruments: found.slice(0, search.size),
    hasMore: found.length > search.size,
    correctedTo: corrected.length > 0 ? correctedTo : null,
    fewer: instead && { q: instead.q, without: instead.isSold ? [search.q ?? ''] : nothing.unmatchedWords },
    counts: Object.fromEntries(counted.map(({ family, instruments }) => [family, instruments])) as Counts,
    nothing: instead ? null : nothing,
  }
}

/** What fewer of the words find: those that something on sale has, or else only names of instruments and families among them. */
async function findFewer(nothing: Nothing, select: (q: string) => Promise<Instrument[]>) {
  const { q, sold, unmatchedWords, without } = nothing
  const names = sold.filter(isName)
  // Who looks for a ukulele for beginners wants a ukulele.
  const isOther = unmatchedWords.some(isOtherKind) || (names.length === 0 && unmatchedWords.some(isName))
  if (isOther || without.length > 0) return null
  const hasUnmatched = unmatchedWords.length > 0 || readSigns(q).length > 0
  if (sold.length > 0 && hasUnmatched) {
    const found = await select(sold.join(' '))
    if (found.length > 0) return { q: sold.join(' '), found, isSold: unmatchedWords.length === 0 }
  }
  if (names.length === 0 || names.length === sold.length) return null
  const found = await select(names.join(' '))
  return found.length === 0 ? null : { q: names.join(' '), found, isSold: true }
}

function isName(text: string): boolean {
  const forms = formsOf(fold(text))
  return (
    readTerms(text).some(({ isInstrument }) => isInstrument) ||
    families.some(({ name }) => searchWords(fold(name)).some((word) => forms.includes(word)))
  )
}

function selectCounts({ db }: Deps) {
  return db.all<{ family: keyof Counts; instruments: number }>(sql`
    SELECT slug AS family, (SELECT count(*) FROM instruments WHERE ${onSale} AND family_slug = families.slug) AS instruments FROM families
    UNION ALL SELECT 'withoutFamily', count(*) FROM instruments WHERE ${onSale} AND family_slug IS NULL`)
}

/** Finds the same, in the order in which they were listed (R22), and on later pages too. */
export async function searchList(deps: Deps, options: ListOptions & Filters): Promise<InstrumentPage> {
  const found = await selectList(deps, options)
  if (found.length > 0 || !options.q) return toPage(found, options)
  const { fewer, correctedTo } = await searchInstruments(deps, { ...options, page: 1, size: 1 })
  const q = fewer?.q ?? correctedTo
  return toPage(q === null ? found : await selectList(deps, { ...options, q }), options)
}

function toPage(rows: Instrument[], { limit }: ListOptions): InstrumentPage {
  const { page, next } = pageOf(rows, limit)
  return { instruments: page, next }
}

function selectList(deps: Deps, { after, limit, ...filters }: ListOptions & Filters) {
  return selectSorted(deps, filters, {
    order: inOneIndex(...listOrder),
    from: isListedAfter(after),
    limit: rowsFor(limit),
  })
}

/** SQL over `instruments`. Two parts where those of a sale are in an index of their own: together they have what there is, and each its order. */
interface Order {
  by: SQL[]
  parts: { where?: SQL; by: SQL[] }[]
}

const inOneIndex = (...by: SQL[]): Order => ({ by, parts: [{ by }] })

const orders: Record<Sort, (at: number) => Order> = {
  name: () => inOneIndex(byName, asc(instruments.id)),
  newest: () => inOneIndex(desc(instruments.listedAt), desc(instruments.id)),
  price: (at) => ({
    by: [asc(priceAt(at)), asc(instruments.id)],
    parts: [
      { where: sql`${isReducedAt(at)} IS NOT TRUE`, by: [asc(instruments.priceCents), asc(instruments.id)] },
      { where: sql`sale_cents IS NOT NULL AND ${isReducedAt(at)}`, by: [sql`sale_cents`, asc(instruments.id)] },
    ],
  }),
}

function selectMatches(deps: Deps, search: Search) {
  const { sort, page, size } = search
  const terms = readTerms(search.q ?? '')
  if (terms.length > 0 && !sort) return selectBestMatches(deps, search, terms)
  const order = sort ? orders[sort](deps.now()) : inOneIndex(...listOrder)
  return selectSorted(deps, search, { order, limit: rowsFor(size), offset: (page - 1) * size })
}

function allOf(terms: Term[], how: 'whole' | 'beginning'): string {
  return terms.map((term) => term[how]).join(' AND ')
}

/** SQL: a condition for rows of `instrument_words` whose layer begins at this rowid. */
function hasTerms(query: string, start: SQL): SQL {
  return sql`instrument_words MATCH ${query} AND rowid BETWEEN ${start} AND ${start} + ${layerSize} - 1`
}

/** SQL: whether something is called by one of the terms that are names of instruments: then descriptions do not matter. */
function isCalled(terms: Term[]): SQL {
  if (!terms.some(({ isInstrument }) => isInstrument)) return sql`0`
  return sql`EXISTS (
    SELECT 1 FROM instrument_words WHERE ${hasTerms(allOf(terms, 'beginning'), layers.brand)})`
}

/** SQL: where the layer begins in which these terms are looked for. */
function startFor(terms: Term[]): SQL {
  return sql`iif(${isCalled(terms)}, ${layers.brand}, ${layers.description})`
}

interface Window {
  /** Indexes of `instruments` have it. */
  order: Order
  from?: SQL | undefined
  limit: number
  offset?: number
}

function filtersOf({ q = '', ...filters }: Filters, at: number): (SQL | undefined)[] {
  return [onSale, ...matchesFilters({ ...filters, signs: readSigns(q) }, at)]
}

function selectSorted({ db, now }: Deps, filters: Filters, window: Window) {
  const at = now()
  const terms = readTerms(filters.q ?? '')
  const { order, from, limit, offset = 0 } = window
  const where = and(...filtersOf(filters, at), from)!
  const select = db.select(instrumentColumns(at))
  const rows =
    terms.length === 0 && order.parts.length === 1
      ? select.from(instruments).where(where)
      : select
          .from(
            terms.length === 0
              ? sql`(${walk(where, order, sql`${offset + limit}`)}) AS first`
              : firstInOrder(terms, where, order, offset + limit),
          )
          .crossJoin(instruments)
          .where(sql`instruments.search_id = first.search_id`)
  return rows
    .orderBy(...order.by)
    .limit(limit)
    .offset(offset)
}

/** SQL: at least the first `rows` instruments in this order, by its indexes. */
function walk(where: SQL, { parts }: Order, rows: SQL): SQL {
  const walks = parts.map(
    (part) => sql`SELECT search_id FROM (
      SELECT search_id FROM instruments WHERE ${and(where, part.where)} ORDER BY ${sql.join(part.by, sql`, `)} LIMIT ${rows})`,
  )
  return sql.join(walks, sql` UNION ALL `)
}

/** More matches than that are not sorted: at 100,000 instruments both ways then cost about the same (decision 22). */
export const maxSorted = 1_500

/**
 * SQL for FROM: at least the first `rows` instruments in this order that have the terms. The full-text index finds at most `maxSorted`
 * of them, to be sorted. When there are more, SQLite reads the instruments in their order instead, and asks the index about those whose
 * text may have the terms: what many have fills a page soon.
 */
function firstInOrder(terms: Term[], where: SQL, order: Order, rows: number): SQL {
  const canWalk = terms.every(({ parts }) => parts !== null)
  const areMany = sql`(SELECT count(*) FROM matched) > ${canWalk ? maxSorted : Number.MAX_SAFE_INTEGER}`
  const query = allOf(terms, 'beginning')
  const start = sql`(SELECT start FROM layer)`
  const hasThem =
    () => sql`${where} AND CASE WHEN ${haveSurely(terms, start)} THEN 1 WHEN ${mayHave(terms)} THEN EXISTS (
    SELECT 1 FROM instrument_words WHERE instrument_words MATCH ${query} AND rowid = ${start} + instruments.search_id) END`
  return sql`(
    WITH layer AS MATERIALIZED (SELECT ${startFor(terms)} AS start),
    matched AS MATERIALIZED (
      SELECT rowid % ${layerSize} AS search_id FROM instrument_words WHERE ${hasTerms(query, start)}
      LIMIT ${canWalk ? maxSorted + 1 : -1})
    SELECT search_id FROM (
      SELECT instruments.search_id FROM matched CROSS JOIN instruments ON instruments.search_id = matched.search_id
      WHERE ${where} ORDER BY ${sql.join(order.by, sql`, `)} LIMIT iif(${areMany}, 0, ${rows}))
    ${canWalk ? sql`UNION ALL ${walk(hasThem(), order, sql`iif(${areMany}, ${rows}, 0)`)}` : sql``}) AS first`
}

/** SQL: true only for an ASCII text with the terms. To ask the index about every instrument on a page would take longer. */
function haveSurely(terms: Term[], start: SQL): SQL {
  const patterns = terms.flatMap((term) => term.patterns ?? [null])
  if (patterns.includes(null)) return sql`0`
  const text = sql`' ' || lower(concat_ws(' ', name, ${familyWords()}, ${searched}, iif(${start} = ${layers.description}, attributes || ' ' || description, NULL))) || ' '`
  const hasOne = (any: string[]) =>
    sql`(${sql.join(
      any.map((one) => sql`${text} GLOB ${one}`),
      sql` OR `,
    )})`
  return sql`octet_length(${text}) = length(${text}) AND ${sql.join((patterns as string[][]).map(hasOne), sql` AND `)}`
}

/** SQL: false only for a text without the terms. */
function mayHave(terms: Term[]): SQL {
  const text = sql`concat_ws(' ', name, ${familyWords()}, ${searched}, attributes, description)`
  const allTerms = (pattern: (part: string) => SQL) =>
    sql.join(
      terms.map(({ parts }) => {
        const alternatives = parts!.map((all) => sql`(${sql.join(all.map(pattern), sql` AND `)})`)
        return sql`(${sql.join(alternatives, sql` OR `)})`
      }),
      sql` AND `,
    )
  return sql`CASE octet_length(${text}) WHEN length(${text}) THEN ${allTerms((part) => sql`${text} LIKE ${containing(part)}`)}
    ELSE ${allTerms((part) => sql`${text} GLOB ${containingFolded(part)}`)} OR ${text} GLOB ${`*[${combiningAccents}${manyLetters}]*`} END`
}
/** Letters and sizes that no pattern takes for what they are folded to. */
const manyLetters = replacedInSql
  .filter(([, folded]) => /[a-z0-9]/.test(folded))
  .map(([from]) => from)
  .join('')

/**
 * By layer, whole words before beginnings, and then in the order in which they were listed. Each tier has what the tiers before it have,
 * so its first rows are enough, and none are read where the last tier has none. By `bm25` SQLite would read every match (decision 22).
 */
function selectBestMatches({ db, now }: Deps, search: Search, terms: Term[]) {
  const at = now()
  const { page, size } = search
  const filters = and(...filtersOf(search, at))!
  const last = page * size + 1
  const hits = (layer: SQL, how: 'whole' | 'beginning', limit: SQL) => sql`
    SELECT ${layer} + ${how === 'whole' ? 0 : 1} AS tier, search_id FROM (
      SELECT instruments.search_id FROM (
        SELECT rowid FROM instrument_words WHERE ${hasTerms(allOf(terms, how), layer)}) AS found
      CROSS JOIN instruments ON instruments.search_id = found.rowid % ${layerSize}
      WHERE ${filters} LIMIT ${limit})`
  const some = sql`iif((SELECT count(*) FROM found) = 0, 0, ${last})`
  const more = sql`iif((SELECT count(*) FROM named) >= ${last}, 0, ${some})`
  const described = sql`iif(${isCalled(terms)}, 0, ${more})`
  const best = sql`(
    WITH found AS MATERIALIZED (${hits(startFor(terms), 'beginning', sql`${last}`)}),
    named AS MATERIALIZED (${hits(layers.name, 'beginning', some)})
    SELECT min(tier) AS tier, search_id FROM (
      SELECT tier, search_id FROM found
      UNION ALL SELECT tier, search_id FROM named
      UNION ALL ${hits(layers.name, 'whole', some)}
      UNION ALL ${hits(layers.family, 'whole', more)}
      UNION ALL ${hits(layers.family, 'beginning', more)}
      UNION ALL ${hits(layers.brand, 'whole', more)}
      UNION ALL ${hits(layers.brand, 'beginning', more)}
      UNION ALL ${hits(layers.specification, 'whole', described)}
      UNION ALL ${hits(layers.specification, 'beginning', described)}
      UNION ALL ${hits(layers.description, 'whole', described)}
    ) GROUP BY search_id) AS best`
  return db
    .select(instrumentColumns(at))
    .from(best)
    .innerJoin(instruments, sql`instruments.search_id = best.search_id`)
    .orderBy(sql`best.tier`, sql`best.search_id`)
    .limit(rowsFor(size))
    .offset((page - 1) * size)
}

/** What a search finds without each of its filters, or else without all, and which of its words nothing on sale has. */
async function explain(deps: Deps, search: Search): Promise<Nothing> {
  const { q = '' } = search
  const terms = readTerms(q)
  const active = filterNames.filter((name) => search[name] || search[name] === 0)
  const fewer = active.map((name) => ({ ...search, [name]: undefined }))
  const none = { q, sort: search.sort, page: 1, size: 1 }
  const [row] = await deps.db.all<Record<string, number>>(sql`
    SELECT ${sql.join(
      [
        ...terms.map((term, n) => sql`${hasSold(term)} AS ${sql.raw(`term${n}`)}`),
        ...[...fewer, none].map((each, n) => sql`${countMatches(deps, each)} AS ${sql.raw(`found${n}`)}`),
      ],
      sql`, `,
    )}`)
  const without = active
    .map((filter, n): Without => ({ filter, found: row![`found${n}`]! }))
    .filter(({ found }) => found)
  const all: Without = { filter: 'all', found: active.length > 1 ? row![`found${active.length}`]! : 0 }
  const isSold = (_: Term, n: number) => row![`term${n}`] === 1
  return {
    q,
    sold: terms.filter(isSold).map(({ text }) => text),
    unmatchedWords: terms.filter((term, n) => !isSold(term, n)).map(({ text }) => text),
    without: without.length > 0 || all.found === 0 ? without : [all],
  }
}

function hasSold(term: Term): SQL {
  return sql`EXISTS (
    SELECT 1 FROM instrument_words WHERE ${hasTerms(term.beginning, layers.description)})`
}

function countMatches({ now }: Deps, filters: Filters): SQL {
  const terms = readTerms(filters.q ?? '')
  const where = and(...filtersOf(filters, now()))!
  const from =
    terms.length === 0
      ? sql`instruments`
      : sql`(SELECT rowid FROM instrument_words WHERE ${hasTerms(allOf(terms, 'beginning'), startFor(terms))}) AS found
        CROSS JOIN instruments ON instruments.search_id = found.rowid % ${layerSize}`
  return sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${mostCounted + 1}))`
}

const candidates = 300

async function findCorrection({ db }: Deps, q: string): Promise<string | null> {
  const words = searchWords(q)
  const query = nearly(words)
  if (query === '') return null
  const rows = await db
    .select(pick(instruments, ['name', 'description', ...searchedKeys]))
    .from(
      sql`(SELECT rowid FROM instrument_search WHERE instrument_search MATCH ${query} LIMIT ${candidates}) AS found`,
    )
    .innerJoin(instruments, sql`instruments.search_id = found.rowid`)
  const texts = [
    ...rows.map(({ name }) => name),
    ...families.map((family) => family.name),
    ...rows.flatMap(({ name, ...others }) => Object.values(others).filter((text) => text !== null)),
  ]
  const correction = correct(words, texts, isKnownWord) ?? correct(words, [...texts, ...synonyms], isKnownWord)
  const corrected = correction?.join(' ')
  return corrected === undefined || corrected === words.join(' ') ? null : corrected
}
