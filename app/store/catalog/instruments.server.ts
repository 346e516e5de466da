import { and, asc, eq, getTableColumns, isNull, max, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import { containing } from '../shared/full-text'
import { filterKeys, type FilterKey } from './fields'
import { isNamed } from './order-by-name.server'
import { homeCount, type Instrument, type ManagedInstrument, type PriceBreak } from './instruments'
import { priceAt, priceBreaksAt } from './sale-prices.server'
import type { Deps } from '../deps'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal, type Seen } from '../shared/refusal'

/** Stock, and the quantity of unpaid orders whose hold has expired: placing an order releases them. */
export function availableAt(at: number): SQL<number> {
  return sql<number>`instruments.available_quantity + coalesce((
    SELECT sum(o.quantity) FROM orders o
    WHERE o.state = 'unpaid' AND o.hold_until <= ${at} AND o.instrument_id = instruments.id), 0)`
}

const { searchId, listedAt, removedAt, hidden, lowStock, ...columns } = getTableColumns(instruments)

/** For admins. */
export const managedColumns = (at: number) => ({
  ...columns,
  slug: sql<string>`instruments.slug`,
  availableQuantity: availableAt(at),
  hidden,
  lowStock,
})

/** For everybody: with the prices of that time. */
export function instrumentColumns(at: number) {
  const { hidden, lowStock, ...shared } = managedColumns(at)
  return { ...shared, ...pricesAt(at) }
}

export function pricesAt(at: number) {
  return {
    priceCents: priceAt(at),
    regularCents: sql<number>`price_cents`,
    priceBreaks: priceBreaksAt(at).mapWith((json: string) => JSON.parse(json) as PriceBreak[]),
  }
}

export const onSale = isNull(instruments.removedAt)

/** On sale or hidden: all but the deleted ones. As in the index, which SQLite would not use for other words. */
export const managed = sql`(${instruments.removedAt} IS NULL OR ${instruments.hidden} = 1)`

export function selectForHome({ db, now }: Deps) {
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(onSale)
    .orderBy(asc(instruments.listedAt), asc(instruments.id))
    .limit(6)
}

/** Spec section 9, R30. */
export function homeInstruments(firstSix: Instrument[]): Instrument[] {
  return firstSix.slice(0, homeCount(firstSix.length))
}

export interface InstrumentPage {
  instruments: Instrument[]
  next: string | null
}

export interface Filters extends Partial<Record<FilterKey, string | null>> {
  /** Words of the name, family, brand or description. */
  q?: string | undefined
  /** In US cents. */
  minCents?: number | undefined
  maxCents?: number | undefined
  /** Only what can be ordered: the minimum is there. */
  inStock?: boolean | undefined
}

/** All but the words in the full-text index. `signs` have no letters or digits: a name has them as they are. */
export function matchesFilters(
  { signs, minCents, maxCents, inStock, ...chosen }: Omit<Filters, 'q'> & { signs: string[] },
  at: number,
): (SQL | undefined)[] {
  return [
    ...filterKeys.map((key) => (chosen[key] ? sql`${instruments[key]} = ${chosen[key]}` : undefined)),
    minCents === undefined ? undefined : sql`${priceAt(at)} >= ${minCents}`,
    maxCents === undefined ? undefined : sql`${priceAt(at)} <= ${maxCents}`,
    inStock ? sql`${availableAt(at)} >= instruments.min_quantity` : undefined,
    ...signs.map((sign) => sql`${instruments.name} LIKE ${containing(sign)} ESCAPE '\\'`),
  ]
}

export interface ListOptions {
  after?: string | undefined
  limit: number
}

export const listOrder = [asc(instruments.listedAt), asc(instruments.id)]

export function isListedAfter(cursor: string | undefined): SQL | undefined {
  return afterCursor([instruments.listedAt, instruments.id], '>', cursor)
}

/** For admins: the instruments on sale and the hidden ones, in the order in which they were listed. `everListed` counts the deleted ones, too. */
export async function listManagedInstruments(
  { db, now }: Deps,
  { after, limit }: ListOptions,
): Promise<{ instruments: ManagedInstrument[]; next: string | null; everListed: number }> {
  const [rows, [newest]] = await db.batch([
    db
      .select(managedColumns(now()))
      .from(instruments)
      .where(and(managed, isListedAfter(after)))
      .orderBy(...listOrder)
      .limit(rowsFor(limit)),
    // An index has it; to count those on sale would take long.
    db.select({ searchId: max(searchId) }).from(instruments),
  ])
  const { page, next } = pageOf(rows, limit)
  return { instruments: page, next, everListed: newest?.searchId ?? 0 }
}

/** For admins: also a hidden one. */
export async function findManagedInstrument({ db, now }: Deps, id: string): Promise<ManagedInstrument | null> {
  const [instrument] = await db
    .select(managedColumns(now()))
    .from(instruments)
    .where(and(eq(instruments.id, id), managed))
  return instrument ?? null
}

/** The id of the only instrument on sale with this name, and with this `id` if given (R35). */
export async function requireIdByName(
  { db }: Deps,
  { name, id }: { name: string; id?: string | undefined },
): Promise<string> {
  const rows = await db
    .select({ id: instruments.id })
    .from(instruments)
    .where(and(onSale, isNamed(name), id === undefined ? undefined : eq(instruments.id, id)))
    .limit(2)
  if (rows.length === 1) return rows[0]!.id
  throw new Refusal(
    'conflict',
    rows.length === 0
      ? `No instrument on sale is called "${name}".`
      : `Several instruments are called "${name}". Name one with instrumentId.`,
  )
}

export async function findInstrument(deps: Deps, id: string): Promise<Instrument | null> {
  const [instrument] = await selectInstrument(deps, id)
  return instrument ?? null
}

/** All that everybody sees of an instrument at a time, in one text. */
function snapshotAt(at: number): SQL<string> {
  const values = Object.values(instrumentColumns(at)).map((column) => sql`${column}`)
  return sql<string>`json_array(${sql.join(values, sql`, `)})`
}

/** An instrument on sale, with the `seen` of `isAsSeen`. */
export async function findSeen(
  { db, now }: Deps,
  id: string,
): Promise<{ instrument: Instrument; seen: string } | null> {
  const at = now()
  const [row] = await db
    .select({ ...instrumentColumns(at), seen: snapshotAt(at) })
    .from(instruments)
    .where(and(eq(instruments.id, id), onSale))
  if (!row) return null
  const { seen, ...instrument } = row
  return { instrument, seen }
}

/** SQL: whether all of an instrument is as it was seen, for the WHERE of the statement that changes it. */
export function isAsSeen(seen: Seen, at: number): SQL {
  return seen === undefined ? sql`true` : sql`${onSale} AND ${snapshotAt(at)} IS ${seen}`
}

export function selectInstrument({ db, now }: Deps, id: string | SQL) {
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(and(eq(instruments.id, id), onSale))
}
