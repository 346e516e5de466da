import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { instruments } from '../../db/schema'
import { homeCount, type Family, type Instrument } from './instruments'
import type { Deps } from '../deps'
import { pageOf, rowsFor } from '../pagination'
import { afterCursor } from '../pagination.server'
import { Refusal } from '../refusal'

/** How many pieces can be ordered: those on the shelf, and those that an unpaid order has kept for long enough (`holds.server`). */
function availableAt(at: number): SQL<number> {
  return sql<number>`instruments.available_quantity + coalesce((
    SELECT sum(o.quantity) FROM orders o
    WHERE o.state = 'unpaid' AND o.hold_until <= ${at} AND o.instrument_id = instruments.id), 0)`
}

/** The columns of an `Instrument`, at this moment. */
const instrumentColumns = (at: number) => ({
  id: instruments.id,
  name: instruments.name,
  family: instruments.family,
  img: instruments.img,
  description: instruments.description,
  priceCents: instruments.priceCents,
  minQuantity: instruments.minQuantity,
  availableQuantity: availableAt(at),
})

/** True of an instrument that has not been taken off sale. */
export const onSale = isNull(instruments.removedAt)

/** The query behind the home page's instruments, for a batch; see `homeInstruments`. */
export function selectForHome({ db, now }: Deps) {
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(onSale)
    .orderBy(asc(instruments.listedAt), asc(instruments.id))
    .limit(6)
}

/** As many of the first six as the home page shows (spec section 9, R30). */
export function homeInstruments(firstSix: Instrument[]): Instrument[] {
  return firstSix.slice(0, homeCount(firstSix.length))
}

export interface InstrumentPage {
  instruments: Instrument[]
  /** The id to continue after, when there are more. */
  next: string | null
}

export interface InstrumentSearch {
  /** From behind the one with this id. */
  after?: string | undefined
  /** At most so many. */
  limit: number
  family?: Family | undefined
  /** Words of the name, in any order, upper or lower case. */
  q?: string | undefined
}

function matchesName(q: string): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(
    ...words.map((word) => sql`${instruments.name} LIKE ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`),
  )
}

/** Instruments on sale, in the order in which they were listed. */
export async function listInstruments(
  { db, now }: Deps,
  { after, limit, family, q }: InstrumentSearch,
): Promise<InstrumentPage> {
  const rows = await db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(
      and(
        onSale,
        afterCursor([instruments.listedAt, instruments.id], '>', after),
        family && eq(instruments.family, family),
        q ? matchesName(q) : undefined,
      ),
    )
    .orderBy(asc(instruments.listedAt), asc(instruments.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { instruments: page, next }
}

/**
 * The id of the one instrument on sale with this name (R35). Refuses a name that none has, or several; and another name than
 * that of the one with the given id.
 */
export async function requireIdByName(
  { db }: Deps,
  { name, id }: { name: string; id?: string | undefined },
): Promise<string> {
  const rows = await db
    .select({ id: instruments.id })
    .from(instruments)
    .where(and(onSale, eq(instruments.name, name), id === undefined ? undefined : eq(instruments.id, id)))
    .limit(2)
  if (rows.length === 1) return rows[0]!.id
  throw new Refusal(
    'conflict',
    rows.length === 0
      ? `Nothing on sale is called "${name}".`
      : `Several instruments are called "${name}": name one with instrumentId.`,
  )
}

/** The instrument on sale with this id, or null. */
export async function findInstrument(deps: Deps, id: string): Promise<Instrument | null> {
  const [instrument] = await selectInstrument(deps, id)
  return instrument ?? null
}

/** The query behind `findInstrument`, for a batch. */
export function selectInstrument({ db, now }: Deps, id: string) {
  return db
    .select(instrumentColumns(now()))
    .from(instruments)
    .where(and(eq(instruments.id, id), onSale))
}
