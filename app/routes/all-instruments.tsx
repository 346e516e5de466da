import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { noteEmptySearch } from '../http/empty-searches.server'
import { catalogPath, sorts, type Counts, type Sort, purchasePath } from '../store/catalog/catalog'
import { familyName, familyPath, shownFamilies } from '../store/catalog/families'
import { findFamily } from '../store/catalog/family-words'
import { choicesOf, labelOf, wordsOf } from '../store/catalog/field-words'
import { filterKeys, type FieldKey, type FilterKey } from '../store/catalog/fields'
import { describeShortage, type Instrument } from '../store/catalog/instruments'
import { readPriceWords } from '../store/catalog/search/price-words'
import {
  mostCounted,
  searchInstruments,
  type Nothing,
  type Search,
  type Without,
} from '../store/catalog/search/search-instruments.server'
import { countInWords } from '../store/catalog/search/search-terms.server'
import { centsFromText, formatCents, readWholeNumber } from '../store/shared/money'
import { Button } from '../ui/button'
import { InstrumentPrice } from '../ui/catalog/instrument-price'
import { Picture } from '../ui/catalog/picture'
import { Checkbox } from '../ui/checkbox'
import { EmptyState } from '../ui/empty-state'
import { Field } from '../ui/field'
import { PageHeader } from '../ui/layout/page-header'
import { Pager } from '../ui/pager'
import { ResponsiveTable } from '../ui/responsive-table'
import { Select } from '../ui/select'
import { shopName } from '../shop-name'
import { t } from '../i18n/language'
import { localPath } from '../i18n/paths'
import { rich } from '../ui/rich'
import { cutText } from '../store/shared/text'

const pageSize = 50

interface Query extends Record<FilterKey, string> {
  q: string
  min: string
  max: string
  inStock: '1' | ''
  sort: Sort | ''
  page: number
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${familyName(data?.query.family ?? '') || t('All instruments')} · ${shopName}` },
  { name: 'description', content: t('Every instrument and case on sale, with price, stock and minimum order.') },
  ...(data?.query.q ? [{ name: 'robots', content: 'noindex' }] : []),
  { tagName: 'link', rel: 'canonical', href: data?.canonical },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const query = readQuery(searchParams)
  // As filters, which the visitor sees and can take away.
  const priced = readPriceWords(query.q)
  if (priced) throw redirect(listPath({ ...query, ...priced, page: 1 }), 302)
  const result = await searchInstruments(context, toSearch(query))
  // Since that request, this isolate knows the families of today.
  redirectFormer(searchParams)
  if (result.fewer || result.notSold || result.nothing?.without.length === 0) noteEmptySearch(context, query.q)
  const { family, page } = query
  return {
    ...result,
    query,
    suggestions: result.nothing ? suggest(query, result.nothing) : [],
    canonical: context.origin + localPath(listPath({ ...emptyQuery, family, page })),
  }
}

/** A former address of a family leads to its own. */
function redirectFormer(params: URLSearchParams): void {
  const typed = params.get('family') ?? ''
  const slug = findFamily(typed)?.slug
  if (slug === undefined || slug === typed || familyName(slug) === '') return
  const query = new URLSearchParams(params)
  query.set('family', slug)
  // Not for good: the shopkeeper may give the address back.
  throw redirect(`/allInstruments?${query}`, 302)
}

const noChoices = byFilter(() => '')
const emptyQuery: Query = { ...{ q: '', min: '', max: '', inStock: '', sort: '', page: 1 }, ...noChoices }

function byFilter(valueOf: (key: FilterKey) => string) {
  return Object.fromEntries(filterKeys.map((key) => [key, valueOf(key)])) as Record<FilterKey, string>
}

function readQuery(params: URLSearchParams): Query {
  const oneOf = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === params.get(name)) ?? ''
  const page = readWholeNumber(params.get('page') ?? '') ?? 1
  return {
    q: cutText(params.get('q')?.trim() ?? '', 200),
    ...byFilter((key) =>
      oneOf(
        key,
        choicesOf(key).map(({ value }) => value),
      ),
    ),
    min: cutText(params.get('min')?.trim() ?? '', 20),
    max: cutText(params.get('max')?.trim() ?? '', 20),
    inStock: oneOf('inStock', ['1']),
    sort: oneOf('sort', sorts),
    page: page > 0 && page <= 100_000 ? page : 1,
  }
}

function toSearch({ min, max, inStock, sort, ...query }: Query): Search {
  return {
    ...query,
    minCents: centsFromText(min) ?? undefined,
    maxCents: centsFromText(max) ?? undefined,
    inStock: inStock === '1',
    sort: sort || undefined,
    size: pageSize,
  }
}

function listPath(query: Query): string {
  const params = new URLSearchParams(
    Object.entries(query)
      .filter(([name, value]) => value !== emptyQuery[name as keyof Query])
      .map(([name, value]) => [name, String(value)]),
  )
  return params.size > 0 ? `/allInstruments?${params}` : '/allInstruments'
}

const isFamily = (key: FieldKey) => key === 'family'

interface Suggestion {
  text: string
  href: string
}

/** What there is instead of nothing. */
function suggest(query: Query, { q, sold, unmatchedWords, without }: Nothing): Suggestion[] {
  const filters = without.map((each) => ({
    text: `${kindsInWords(each, q)}, ${beyond(query, each.filter)}`,
    href: listPath({ ...withoutFilter(query, each.filter), q, page: 1 }),
  }))
  if (filters.length > 0) return filters
  const fewer = unmatchedWords.length === 0 ? sold : [sold.join(' ')]
  const words = fewer
    .filter((words) => words !== '' && words !== q)
    .map((words) => ({ text: t('Only “{words}”', { words }), href: listPath({ ...emptyQuery, q: words }) }))
  return [...words, ...shownFamilies().map(({ slug, name }) => ({ text: name, href: familyPath(slug) }))]
}

/** Such as '1 saxophone and 1 case'. */
function kindsInWords({ found, cases }: Without, q: string): string {
  if (cases === 0 || cases === found || found > mostCounted) return countInWords(found, mostCounted, q)
  const instruments = countInWords(found - cases, mostCounted, q)
  return t(cases === 1 ? '{instruments} and {count} case' : '{instruments} and {count} cases', {
    instruments,
    count: cases,
  })
}

function beyond(query: Query, filter: Without['filter']): string {
  if (filter === 'all') return t('without these limits')
  if (filter === 'minCents') return t('below {price}', { price: dollars(query.min) })
  if (filter === 'maxCents') return t('above {price}', { price: dollars(query.max) })
  if (filter === 'inStock') return t('not in stock')
  const value = wordsOf(filter, query[filter])
  return isFamily(filter) ? t('not in {family}', { family: value }) : t('not only {value}', { value })
}

function withoutFilter(query: Query, filter: Without['filter']): Query {
  if (filter === 'all') return { ...emptyQuery, sort: query.sort }
  if (filter === 'minCents') return { ...query, min: '' }
  return { ...query, [filter === 'maxCents' ? 'max' : filter]: '' }
}

export default function AllInstruments() {
  const { instruments, hasMore, counts, correctedTo, fewer, notSold, query, nothing, suggestions } =
    useLoaderData<typeof loader>()
  const shown = { ...query, q: fewer?.q ?? correctedTo ?? query.q }
  const limits = limitsOf(query)
  return (
    <div className="list">
      <div className="list-head">
        <PageHeader
          title={familyName(query.family) || t('All instruments')}
          lead={
            shown.q === '' && limits.length === 0
              ? t('{count} on sale, priced per piece', { count: countOf(counts, query.family) })
              : instruments.length > 0 && [summary(shown, instruments.length, hasMore), ...limits].join(', ')
          }
        >
          {(query.min || query.max) && (
            <p>
              <a href={listPath({ ...query, min: '', max: '', page: 1 })}>{t('At any price')}</a>
            </p>
          )}
        </PageHeader>
        <Filters query={query} counts={counts} />
      </div>
      {notSold && instruments.length > 0 && (
        <p className="notice" role="status">
          {t('We do not sell {things}.', { things: notSold.name })}{' '}
          {notSold.isSoftCase
            ? t('These are hard cases.')
            : correctedTo === null && !fewer && t('What we have for “{q}”:', { q: notSold.q })}
        </p>
      )}
      {correctedTo !== null && (
        <p className="notice" role="status">
          {t('No results for “{q}”. Showing results for “{corrected}”.', { q: query.q, corrected: correctedTo })}
        </p>
      )}
      {fewer && (
        <p className="notice" role="status">
          {t('Nothing for {words}. These are our matches for “{q}”.', { words: anyOf(fewer.without), q: fewer.q })}
        </p>
      )}
      {instruments.length > 0 ? (
        <>
          <InstrumentTable instruments={instruments} query={query} />
          {instruments.length > 1 && (
            <form id="compare" action="/compare">
              <Button variant="quiet">{t('Compare ticked instruments')}</Button>
            </form>
          )}
        </>
      ) : (
        <NothingFound
          query={query}
          notSold={notSold?.name}
          unmatchedWords={nothing?.sold.length ? nothing.unmatchedWords : []}
          suggestions={suggestions}
        />
      )}
      <Pager
        previous={query.page > 1 ? listPath({ ...shown, page: query.page - 1 }) : null}
        next={hasMore ? listPath({ ...shown, page: query.page + 1 }) : null}
      />
    </div>
  )
}

/** Such as `“left” or “handed”`. */
function anyOf(words: string[]): string {
  return words.map((word) => t('“{word}”', { word })).join(` ${t('or')} `)
}

/** The family is in the title. */
function limitsOf({ min, max, inStock, ...query }: Query): string[] {
  return [
    ...filterKeys.filter((key) => !isFamily(key) && query[key] !== '').map((key) => wordsOf(key, query[key])),
    readsAsPrice(min) && t('from {price}', { price: dollars(min) }),
    readsAsPrice(max) && t('up to {price}', { price: dollars(max) }),
    inStock === '1' && t('in stock'),
  ].filter((limit) => limit !== false)
}

/** Nobody has counted the matches of later pages: `50+`. */
function summary({ q, page }: Query, rows: number, hasMore: boolean): string {
  const found = (page - 1) * pageSize + rows
  const count = hasMore ? `${found}+` : found
  if (q === '') return t('{count} on sale', { count })
  return t(found === 1 ? '{count} match for “{q}”' : '{count} matches for “{q}”', { count, q })
}

function countOf(counts: Counts, family: string): string {
  if (family) return String(counts[family] ?? 0)
  return String(Object.values(counts).reduce((sum, count) => sum + count, 0))
}

function readsAsPrice(text: string): boolean {
  return centsFromText(text) !== null
}

function dollars(text: string): string {
  return formatCents(centsFromText(text)!).replace(/[.,]00(?!\d)/, '')
}

const sortOptions = (q: string) => [
  { value: '', text: q ? t('Best match') : t('Featured') },
  { value: 'name', text: t('Name') },
  { value: 'price', text: t('Price') },
  { value: 'newest', text: t('Newest') },
]

/** Folded on a phone, where the list comes first. */
function Filters({ query, counts }: { query: Query; counts: Counts }) {
  const { q, min, max, inStock, sort } = query
  const prices = [
    { label: t('Price from'), name: 'min', initialValue: min },
    { label: t('Price up to'), name: 'max', initialValue: max },
  ]
  const isWrong = (price: string) => price !== '' && !readsAsPrice(price)
  const optionsOf = (key: FilterKey) =>
    [{ value: '', text: t('All') }, ...choicesOf(key)].map(({ value, text }) => ({
      value,
      text: isFamily(key) ? `${text} (${countOf(counts, value)})` : text,
    }))
  return (
    <search>
      <details className="filter" open={isWrong(min) || isWrong(max)}>
        <summary>{t('Filter and sort')}</summary>
        <form className="search" action="/allInstruments">
          <input type="hidden" name="q" value={q} />
          {filterKeys.map((key) => (
            <Select key={key} label={labelOf(key)} name={key} initialValue={query[key]} options={optionsOf(key)} />
          ))}
          {prices.map((price) => (
            <Field
              key={price.name}
              {...price}
              inputMode="decimal"
              errors={isWrong(price.initialValue) ? [t('In dollars, like 1,450.00')] : null}
            />
          ))}
          <Select label={t('Sort by')} name="sort" initialValue={sort} options={sortOptions(q)} />
          <Checkbox label={t('In stock')} name="inStock" value="1" initialValue={inStock} />
          <Button variant="quiet">{t('Search')}</Button>
        </form>
      </details>
    </search>
  )
}

function InstrumentTable({ instruments, query: { family, page } }: { instruments: Instrument[]; query: Query }) {
  const firstNumber = (page - 1) * pageSize + 1
  return (
    <ResponsiveTable
      caption={t('All instruments')}
      className="instruments"
      rows={instruments}
      rowKey={({ id }) => id}
      columns={[
        { header: t('SL. No'), numeric: true, cell: (_, index) => firstNumber + index },
        {
          header: t('Name'),
          rowHeader: true,
          nameId: ({ id }) => id,
          cell: (instrument) => <Name instrument={instrument} isOfFamily={family !== ''} />,
        },
        { header: t('Price'), numeric: true, cell: (instrument) => <InstrumentPrice instrument={instrument} /> },
        {
          header: t('Available Quantity'),
          label: t('Available'),
          numeric: true,
          cell: ({ availableQuantity }) => availableQuantity,
        },
        { header: t('Minimum Order'), label: t('Minimum'), numeric: true, cell: ({ minQuantity }) => minQuantity },
        {
          header: t('Purchase'),
          cell: ({ id }) => (
            <>
              <a href={purchasePath(id)} aria-describedby={id}>
                {t('PURCHASE')}
              </a>{' '}
              <label className="tick">
                <input type="checkbox" name="ids" value={id} form="compare" aria-describedby={id} /> {t('Compare')}
              </label>
            </>
          ),
        },
      ]}
    />
  )
}

/** The list of a family names it once, above. */
function Name({ instrument, isOfFamily }: { instrument: Instrument; isOfFamily: boolean }) {
  const { id, name, img, brand, family, ages, attributes } = instrument
  const shortage = describeShortage(instrument)
  return (
    <div className="with-thumbnail">
      <Picture img={img} alt="" width={80} sizes="80px" lazy />
      <div>
        <a id={id} href={catalogPath(instrument)}>
          {name}
        </a>{' '}
        <span className="hint">
          {[
            !isOfFamily && familyName(family),
            brand && t('By {brand}', { brand }),
            wordsOf('ages', ages),
            ...attributes.slice(0, 2).map((line) => line.join(' ')),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {shortage && <span className="hint error"> {shortage}</span>}
      </div>
    </div>
  )
}

interface NothingFoundProps {
  query: Query
  /** An accessory, in the plural. */
  notSold: string | undefined
  /** Where there is something for the other words. */
  unmatchedWords: string[]
  suggestions: Suggestion[]
}

function NothingFound({ query, notSold, unmatchedWords, suggestions }: NothingFoundProps) {
  const isFiltered = listPath({ ...query, page: 1 }) !== '/allInstruments'
  if (query.page > 1) {
    return (
      <EmptyState
        title={t('Nothing on this page')}
        link={{ href: listPath({ ...query, page: 1 }), text: t('First page') }}
      >
        {t('The list has become shorter.')}
      </EmptyState>
    )
  }
  if (!isFiltered) {
    return (
      <EmptyState title={t('Nothing on sale right now')} link={{ href: '/home', text: t('Home') }}>
        {t('Please come back soon, or write to us.')}
      </EmptyState>
    )
  }
  const title = notSold
    ? t('We do not sell {things}.', { things: notSold })
    : query.q
      ? t('Nothing matches “{q}”', { q: query.q })
      : t('Nothing fits these limits')
  return (
    <EmptyState
      title={query.q && !notSold ? [title, ...limitsOf(query)].join(', ') : title}
      link={{ href: '/allInstruments', text: t('View All Instruments') }}
      choices={
        suggestions.length > 0 && (
          <nav className="actions" aria-label={t('Instead')}>
            {suggestions.map(({ text, href }) => (
              <span key={href}>
                <a href={href}>{text}</a>{' '}
              </span>
            ))}
          </nav>
        )
      }
    >
      {unmatchedWords.length > 0 && `${t('We have nothing called {words}.', { words: anyOf(unmatchedWords) })} `}
      {rich(suggestions.length > 0 ? 'Perhaps one of these, or {link}:' : 'Try another word, or {link}.', {
        link: <a href="/home#contact">{t('ask us')}</a>,
      })}
    </EmptyState>
  )
}
