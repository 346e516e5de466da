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
import { withAges, withoutAgeWords } from './age-words.server'
import {
  formsOf,
  instrumentsOnly,
  isCalledSo,
  isKnownWord,
  isOtherKind,
  readAccessory,
  readSigns,
  readTerms,
  type Accessory,
  type Term,
} from './search-terms.server'

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
  /** What was asked for and is nowhere on sale: `q` is what was searched for instead. */
  notSold: Pick<Accessory, 'name' | 'isSoftCase' | 'q'> | null
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
  /** Of these. */
  cases: number
}

const filterNames = [...filterKeys, 'minCents', 'maxCents', 'inStock'] as const
type Filter = (typeof filterNames)[number]

export const mostCounted = 100

/** One page of the instruments on sale that match. */
export async function searchInstruments(deps: Deps, search: Search): Promise<SearchResult> {
  const { page, size } = search
  const [counted, found] = await find(deps, search, (q) => selectMatches(deps, { ...search, q }), selectCounts(deps))
  return {
    ...found,
    instruments: found.rows.slice(0, size),
    hasMore: found.rows.length > size,
    nothing: page === 1 ? found.nothing : null,
    counts: Object.fromEntries(counted.map(({ family, instruments }) => [family, instruments])) as Counts,
  }
}

type Found = Pick<SearchResult, 'correctedTo' | 'fewer' | 'notSold' | 'nothing'> & { rows: Instrument[] }

/** Of a name in which an accessory is looked for. More have its words: then it cannot be told, and counts as sold. */
const mostCalled = 100

/**
 * Finds what is meant with one round trip to the database, or with a second one if that finds nothing. `also` is asked for beside it.
 */
async function find(
  deps: Deps,
  search: Omit<Search, 'size'>,
  select: (q: string) => ReturnType<typeof selectMatches>,
  also: ReturnType<typeof selectCounts>,
): Promise<[CountRow[], Found]> {
  const { q: typed = '', page } = search
  const accessory = readAccessory(typed)
  const terms = [...readTerms(typed), ...readTerms(accessory?.q ?? '')]
  const isFirst = page === 1 && terms.length > 0
  const [counted, rows, called, withoutIt, [sold = {}], nearby] = await deps.db.batch([
    also,
    select(typed),
    selectCalled(deps, accessory),
    accessory?.q ? select(accessory.q) : selectNone(deps),
    deps.db.all<Record<string, number>>(
      isFirst
        ? sql`SELECT ${sql.join(
            terms.map((term, n) => sql`${hasSold(term)} AS ${sql.raw(`term${n}`)}`),
            sql`, `,
          )}`
        : sql`SELECT 1 WHERE 0`,
    ),
    selectNearby(deps, typed, isFirst ? terms : []),
  ])
  const isSold = called.length > mostCalled || called.some(({ name }) => accessory && isCalledSo(name, accessory))
  const notSold = accessory && !isSold ? accessory : null
  // A violin that comes with a bow is found by it.
  const isPart = notSold && rows[0] && called.some(({ name }) => name === rows[0]!.name)
  const asked = notSold && !isPart ? notSold.q : typed
  const found = asked === typed ? rows : withoutIt
  const result = { correctedTo: null, fewer: null, nothing: null, notSold: notSold && { ...notSold, q: asked } }
  if (found.length > 0 || page > 1) return [counted, { ...result, rows: found }]
  if (asked === '' && typed !== '') return [counted, { ...result, rows: [], nothing: nothingAtAll }]
  const unsold = new Set(terms.filter((_, n) => sold[`term${n}`] === 0).map(({ text }) => text))
  const correctedTo = nearby.length > 0 ? findCorrection(asked, nearby) : null
  const q = correctedTo ?? asked
  const { unmatchedWords, ...words } = wordsOf(q, unsold)
  const queries = [...new Set([correctedTo, words.sold.join(' '), words.names.join(' ')])].filter((each) => each)
  const [[limits], ...others] = await deps.db.batch([
    selectWithout(deps, { ...search, q }),
    ...queries.map((each) => select(each!)),
  ])
  const foundFor = (q: string) => others[queries.indexOf(q)] ?? []
  if (correctedTo !== null && foundFor(correctedTo).length > 0)
    return [counted, { ...result, correctedTo, rows: foundFor(correctedTo) }]
  const nothing = { q, sold: words.sold, unmatchedWords, without: withoutOf(search, limits!) }
  const fewer = findFewer(nothing, words.names, (q) => foundFor(q).length > 0)
  if (!fewer) return [counted, { ...result, nothing, rows: [] }]
  const without = fewer.isSold ? [asked] : unmatchedWords
  return [counted, { ...result, fewer: { q: fewer.q, without }, rows: foundFor(fewer.q) }]
}

const nothingAtAll: Nothing = { q: '', sold: [], unmatchedWords: [], without: [] }

function wordsOf(q: string, unsold: Set<string>) {
  const texts = readTerms(q).map(({ text }) => text)
  const sold = texts.filter((text) => !unsold.has(text))
  return { sold, names: sold.filter(isName), unmatchedWords: texts.filter((text) => unsold.has(text)) }
}

function selectNone({ db }: Deps) {
  return db
    .select(instrumentColumns(0))
    .from(instruments)
    .where(sql`0`)
    .orderBy(asc(instruments.id))
    .limit(0)
    .offset(0)
}

/** The names on sale that have an accessory in them. */
function selectCalled({ db }: Deps, accessory: Accessory | null) {
  return db.all<{ name: string }>(
    accessory
      ? sql`
        SELECT name FROM (SELECT rowid FROM instrument_words WHERE ${hasTerms(accessory.called, layers.name)}) AS found
        CROSS JOIN instruments ON instruments.search_id = found.rowid WHERE ${onSale} LIMIT ${mostCalled + 1}`
      : sql`SELECT 1 WHERE 0`,
  )
}

/** What fewer of the words find: those that something on sale has, or else only names of instruments and families among them. */
function findFewer({ q, sold, unmatchedWords, without }: Nothing, names: string[], isFound: (q: string) => boolean) {
  // Who looks for a ukulele for beginners wants a ukulele.
  const isOther = unmatchedWords.some(isOtherKind) || (names.length === 0 && unmatchedWords.some(isName))
  if (isOther || without.length > 0) return null
  const hasUnmatched = unmatchedWords.length > 0 || readSigns(q).length > 0
  if (sold.length > 0 && hasUnmatched && isFound(sold.join(' ')))
    return { q: sold.join(' '), isSold: unmatchedWords.length === 0 }
  const isLess = names.length > 0 && names.length < sold.length && isFound(names.join(' '))
  return isLess ? { q: names.join(' '), isSold: true } : null
}

function isName(text: string): boolean {
  const forms = formsOf(fold(text))
  return (
    readTerms(text).some(({ isInstrument }) => isInstrument) ||
    families.some(({ name }) => searchWords(fold(name)).some((word) => forms.includes(word)))
  )
}

interface CountRow {
  family: keyof Counts
  instruments: number
}

function selectNothing({ db }: Deps) {
  return db.all<CountRow>(sql`SELECT 1 WHERE 0`)
}

function selectCounts({ db }: Deps) {
  return db.all<CountRow>(sql`
    SELECT slug AS family, (SELECT count(*) FROM instruments WHERE ${onSale} AND family_slug = families.slug) AS instruments FROM families
    UNION ALL SELECT 'withoutFamily', count(*) FROM instruments WHERE ${onSale} AND family_slug IS NULL`)
}

/** Finds the same, in the order in which they were listed (R22), and on later pages too. */
export async function searchList(deps: Deps, options: ListOptions & Filters): Promise<InstrumentPage> {
  const [, { rows }] = await find(
    deps,
    { ...options, page: 1 },
    (q) => selectList(deps, { ...options, q }),
    selectNothing(deps),
  )
  return toPage(rows, options)
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
  // A case is called after its instrument.
  const only = instrumentsOnly(terms)
  const hits = (layer: SQL, how: 'whole' | 'beginning', limit: SQL, query = allOf(terms, how)) => sql`
    SELECT ${layer} + ${how === 'whole' ? 0 : 1} AS tier, search_id FROM (
      SELECT instruments.search_id FROM (
        SELECT rowid FROM instrument_words WHERE ${hasTerms(query, layer)}) AS found
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
      ${only === null ? sql`` : sql`UNION ALL SELECT -1, search_id FROM (${hits(layers.name, 'whole', some, only)})`}
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

function activeFilters(search: Filters): Filter[] {
  return filterNames.filter((name) => search[name] || search[name] === 0)
}

/** What a search finds without each of its filters, and without all. */
function selectWithout(deps: Deps, search: Filters) {
  const fewer = [...activeFilters(search).map((name) => ({ ...search, [name]: undefined })), { q: search.q }]
  return deps.db.all<Record<string, string>>(sql`
    SELECT ${sql.join(
      fewer.map((each, n) => sql`${countMatches(deps, each)} AS ${sql.raw(`found${n}`)}`),
      sql`, `,
    )}`)
}

function withoutOf(search: Filters, row: Record<string, string>): Without[] {
  const active = activeFilters(search)
  const counted = (filter: Without['filter'], n: number): Without => {
    const [found, cases] = JSON.parse(row[`found${n}`]!) as [number, number]
    return { filter, found, cases }
  }
  const fewer = active.map(counted).filter(({ found }) => found)
  const all = counted('all', active.length)
  return fewer.length > 0 || all.found === 0 || active.length < 2 ? fewer : [all]
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
  const ofCases = families.filter(({ isCases }) => isCases).map(({ slug }) => slug)
  const isCase = ofCases.length > 0 ? sql`coalesce(family_slug IN ${ofCases}, 0)` : sql`0`
  return sql`(
    SELECT json_array(count(*), coalesce(sum(is_case), 0))
    FROM (SELECT ${isCase} AS is_case FROM ${from} WHERE ${where} LIMIT ${mostCounted + 1}))`
}

const candidates = 300

/** Texts that may have the words that were meant, where nothing on sale has one of the terms. */
function selectNearby({ db }: Deps, q: string, terms: Term[]) {
  const query = nearly(searchWords(withAges(q)))
  const areSold = sql.join([sql`1`, ...terms.map(hasSold)], sql` AND `)
  const most = query === '' || terms.length === 0 ? sql`0` : sql`iif(${areSold}, 0, ${candidates})`
  return db
    .select(pick(instruments, ['name', 'description', ...searchedKeys]))
    .from(
      sql`(SELECT rowid FROM instrument_search WHERE instrument_search MATCH ${query || 'none'} LIMIT ${most}) AS found`,
    )
    .innerJoin(instruments, sql`instruments.search_id = found.rowid`)
}

function findCorrection(q: string, rows: Awaited<ReturnType<typeof selectNearby>>): string | null {
  const words = searchWords(withAges(q))
  const texts = [
    ...rows.map(({ name }) => name),
    ...families.map((family) => family.name),
    ...rows.flatMap(({ name, ...others }) => Object.values(others).filter((text) => text !== null)),
  ]
  const correction = correct(words, texts, isKnownWord) ?? correct(words, [...texts, ...synonyms], isKnownWord)
  const corrected = correction?.join(' ')
  return corrected === undefined || corrected === words.join(' ') ? null : withoutAgeWords(corrected)
}
