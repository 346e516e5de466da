import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import {
  catalogPath,
  familyNames,
  familyPath,
  firstWords,
  maxWithoutFamily,
  sorts,
  type Counts,
  type Sort,
} from '../store/catalog/catalog'
import { describeShortage, families, type Family, type Instrument } from '../store/catalog/instruments'
import {
  mostCounted,
  searchInstruments,
  type Nothing,
  type Search,
  type Without,
} from '../store/catalog/search-instruments.server'
import { countInWords } from '../store/catalog/search-terms.server'
import { centsFromText, formatCents, readWholeNumber } from '../store/money'
import { Button } from '../ui/button'
import { Picture } from '../ui/catalog/picture'
import { Checkbox } from '../ui/checkbox'
import { EmptyState } from '../ui/empty-state'
import { Field } from '../ui/field'
import { PageHeader } from '../ui/layout/page-header'
import { Pager } from '../ui/pager'
import { Price } from '../ui/price'
import { ResponsiveTable } from '../ui/responsive-table'
import { Select } from '../ui/select'

const pageSize = 50

interface Query {
  q: string
  family: Family | ''
  max: string
  inStock: '1' | ''
  sort: Sort | ''
  page: number
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.query.family ? familyNames[data.query.family] : 'All instruments'} · Cadenza` },
  { name: 'description', content: 'Every instrument and case on sale, with price, stock and minimum order.' },
  ...(data?.query.q ? [{ name: 'robots', content: 'noindex' }] : []),
  { tagName: 'link', rel: 'canonical', href: data?.canonical },
]

export const handle = { offline: true }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = readQuery(new URL(request.url).searchParams)
  const result = await searchInstruments(context, toSearch(query))
  const { family, page } = query
  return {
    ...result,
    query,
    suggestions: result.nothing ? suggest(query, result.nothing) : [],
    canonical: context.origin + listPath({ ...emptyQuery, family, page }),
  }
}

const emptyQuery: Query = { q: '', family: '', max: '', inStock: '', sort: '', page: 1 }

function readQuery(params: URLSearchParams): Query {
  const oneOf = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === params.get(name)) ?? ''
  const page = readWholeNumber(params.get('page') ?? '') ?? 1
  return {
    q: params.get('q')?.trim().slice(0, 200) ?? '',
    family: oneOf('family', families),
    max: params.get('max')?.trim().slice(0, 20) ?? '',
    inStock: oneOf('inStock', ['1']),
    sort: oneOf('sort', sorts),
    page: page > 0 && page <= 100_000 ? page : 1,
  }
}

function toSearch({ q, family, max, inStock, sort, page }: Query): Search {
  return {
    q,
    family: family || undefined,
    maxCents: centsFromText(max) ?? undefined,
    inStock: inStock === '1',
    sort: sort || undefined,
    page,
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

interface Suggestion {
  text: string
  href: string
}

/** What there is instead of nothing. */
function suggest(query: Query, { q, sold, unsold, without }: Nothing): Suggestion[] {
  const filters = without.map((each) => ({
    text: `${countInWords(each.found, mostCounted, q)}, ${beyond(query, each.filter)}`,
    href: listPath({ ...withoutFilter(query, each.filter), q, page: 1 }),
  }))
  if (filters.length > 0) return filters
  const fewer = unsold.length === 0 ? sold : [sold.join(' ')]
  const words = fewer
    .filter((words) => words !== '' && words !== q)
    .map((words) => ({ text: `Only “${words}”`, href: listPath({ ...emptyQuery, q: words }) }))
  const links = families.map((family) => ({ text: familyNames[family], href: familyPath(family) }))
  return unsold.length > 0 ? [...words, ...links] : words
}

function beyond({ max, family }: Query, filter: Without['filter']): string {
  if (filter === 'maxCents') return `above ${formatCents(centsFromText(max)!).replace('.00', '')}`
  if (filter === 'family') return `not in ${family && familyNames[family]}`
  return filter === 'inStock' ? 'not in stock' : 'without these limits'
}

function withoutFilter(query: Query, filter: Without['filter']): Query {
  if (filter === 'all') return { ...emptyQuery, sort: query.sort }
  return { ...query, [filter === 'maxCents' ? 'max' : filter]: '' }
}

export default function AllInstruments() {
  const { instruments, hasMore, counts, correctedTo, query, nothing, suggestions } = useLoaderData<typeof loader>()
  const shown = correctedTo === null ? query : { ...query, q: correctedTo }
  return (
    <>
      <PageHeader
        title={query.family ? familyNames[query.family] : 'All instruments'}
        lead="Everything on sale, with the price per piece."
      />
      <Families query={query} counts={counts} />
      <SearchForm query={query} />
      {correctedTo !== null && (
        <p className="notice" role="status">
          No results for “{query.q}”. Showing results for “{correctedTo}”.
        </p>
      )}
      {instruments.length > 0 ? (
        <InstrumentTable instruments={instruments} firstNumber={(query.page - 1) * pageSize + 1} />
      ) : (
        <NothingFound query={query} unsold={nothing?.unsold ?? []} suggestions={suggestions} />
      )}
      <Pager
        previous={query.page > 1 ? listPath({ ...shown, page: query.page - 1 }) : null}
        next={hasMore ? listPath({ ...shown, page: query.page + 1 }) : null}
      />
      <p className="hint">
        <a href="/catalog.html">The catalog in one file</a>, to read without a line and to print
      </p>
    </>
  )
}

/** The counts are those of the whole shop: not of a search, whose matches nobody has counted. */
function Families({ query, counts }: { query: Query; counts: Counts }) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isWhole = query.q === '' && query.max === '' && query.inStock === ''
  const links = [
    { family: '' as const, text: 'All', count: `${all}${counts.withoutFamily < maxWithoutFamily ? '' : '+'}` },
    ...families.map((family) => ({ family, text: familyNames[family], count: counts[family] })),
  ]
  return (
    <nav className="filters" aria-label="Families">
      {links.map(({ family, text, count }) => (
        <a
          key={family}
          className="menu-link"
          href={listPath({ ...query, family, page: 1 })}
          aria-current={family === query.family ? 'page' : undefined}
        >
          {isWhole ? `${text} (${count})` : text}
        </a>
      ))}
    </nav>
  )
}

const familyOptions = [
  { value: '', text: 'All' },
  ...families.map((family) => ({ value: family, text: familyNames[family] })),
]

const sortOptions = (q: string) => [
  { value: '', text: q ? 'Best match' : 'Featured' },
  { value: 'name', text: 'Name' },
  { value: 'price', text: 'Price' },
  { value: 'newest', text: 'Newest' },
]

function SearchForm({ query: { q, family, max, inStock, sort } }: { query: Query }) {
  const isPrice = max === '' || centsFromText(max) !== null
  return (
    <search>
      <form className="search" action="/allInstruments">
        <Field label="Search" name="q" type="search" initialValue={q} />
        <Select label="Family" name="family" initialValue={family} options={familyOptions} />
        <Field
          label="Price up to"
          name="max"
          inputMode="decimal"
          initialValue={max}
          errors={isPrice ? null : ['In dollars, like 1,450.00']}
        />
        <Select label="Sort by" name="sort" initialValue={sort} options={sortOptions(q)} />
        <Checkbox label="In stock" name="inStock" value="1" initialValue={inStock} />
        <Button variant="quiet">Search</Button>
      </form>
    </search>
  )
}

function InstrumentTable({ instruments, firstNumber }: { instruments: Instrument[]; firstNumber: number }) {
  return (
    <ResponsiveTable
      caption="All instruments"
      rows={instruments}
      rowKey={({ id }) => id}
      columns={[
        { header: 'SL. No', numeric: true, cell: (_, index) => firstNumber + index },
        { header: 'Name', rowHeader: true, cell: (instrument) => <Name instrument={instrument} /> },
        { header: 'Price', numeric: true, cell: ({ priceCents }) => <Price cents={priceCents} /> },
        { header: 'Available Quantity', numeric: true, cell: ({ availableQuantity }) => availableQuantity },
        { header: 'Minimum Order', numeric: true, cell: ({ minQuantity }) => minQuantity },
        {
          header: 'Purchase',
          cell: ({ id }) => (
            <a href={`/instruments/${id}`} aria-describedby={id}>
              PURCHASE
            </a>
          ),
        },
      ]}
    />
  )
}

function Name({ instrument }: { instrument: Instrument }) {
  const { id, name, img, family, description } = instrument
  const shortage = describeShortage(instrument)
  return (
    <div className="with-thumbnail">
      <Picture img={img} alt="" width={64} sizes="64px" lazy />
      <div>
        <a id={id} href={catalogPath(instrument)}>
          {name}
        </a>{' '}
        <span className="hint">
          {family && `${familyNames[family]}. `}
          {firstWords(description, 80)}
        </span>
        {shortage && <span className="hint error"> {shortage}</span>}
      </div>
    </div>
  )
}

interface NothingFoundProps {
  query: Query
  unsold: string[]
  suggestions: Suggestion[]
}

function NothingFound({ query, unsold, suggestions }: NothingFoundProps) {
  const isFiltered = listPath({ ...query, page: 1 }) !== '/allInstruments'
  if (query.page > 1) {
    return (
      <EmptyState title="Nothing on this page" link={{ href: listPath({ ...query, page: 1 }), text: 'First page' }}>
        The list has become shorter.
      </EmptyState>
    )
  }
  if (!isFiltered) {
    return (
      <EmptyState title="Nothing on sale right now" link={{ href: '/home', text: 'Home' }}>
        Please come back soon, or write to us.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No instruments found"
      link={{ href: '/allInstruments', text: 'View All Instruments' }}
      choices={
        suggestions.length > 0 && (
          <nav className="filters" aria-label="Instead">
            {suggestions.map(({ text, href }) => (
              <a key={href} className="menu-link" href={href}>
                {text}
              </a>
            ))}
          </nav>
        )
      }
    >
      {query.q ? `Nothing matches “${query.q}”. ` : 'Nothing fits these limits. '}
      {unsold.length > 0 && `We do not sell ${unsold.map((word) => `“${word}”`).join(' or ')}. `}
      {suggestions.length > 0 ? 'There is:' : 'Try another word or another family.'}
    </EmptyState>
  )
}
