import { and, asc, desc, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import { orders } from '../../db/schema'
import type { Deps } from '../deps'
import { rowsFor } from '../pagination'
import { afterCursor } from '../pagination.server'
import { searchWindow, type Order, type OrderState } from './orders'
import { isToShip, isToShipAmong, orderColumns } from './orders.server'

export interface OrderFilters {
  /** `paid`: those to ship. */
  state?: OrderState | undefined
  /** When it was placed: from this moment, and before that one, in milliseconds since 1970. */
  from?: number | undefined
  until?: number | undefined
}

export interface OrderSearch extends OrderFilters {
  /** An order number, a transaction id, an email, or a part of a name, email or product. */
  q?: string | undefined
  /** Cursors: the page of older orders, or of newer ones. */
  before?: string | undefined
  after?: string | undefined
  limit: number
}

export interface OrderPage {
  orders: Order[]
  /** Cursors of the pages beside it. */
  newer: string | null
  older: string | null
  /** The search stopped after `searchWindow` orders, so the next page may have more. */
  isPartial: boolean
}

/** For admins (R24): one page of the orders that match, newest first. Without `q` or a state, not the cancelled ones. */
export async function searchOrders(deps: Deps, search: OrderSearch): Promise<OrderPage> {
  const q = search.q ?? ''
  if (q === '') return pageOf(search, await selectPage(deps, search, undefined))
  const exact = exactMatch(q)
  const [found, texts, end] = await deps.db.batch([
    selectPage(deps, search, exact ?? sql`false`),
    selectText(deps, search, q),
    selectWindowEnd(deps, search),
  ])
  // A page of exact matches has no texts behind it.
  if (found.length > 0) return pageOf(search, found)
  return pageOf(search, texts, end.length > 1 ? end[0]!.id : undefined)
}

function exactMatch(q: string): SQL | undefined {
  const number = /^(?:c-?)?(\d{1,12})$/i.exec(q)?.[1]
  if (number) return eq(orders.number, Number(number))
  if (/^\w+_\w+$/.test(q)) return eq(orders.transactionId, q)
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(q)) return undefined
  return sql`${orders.customerId} = (SELECT id FROM users WHERE email = ${q.toLowerCase()})`
}

function matchesFilters({ q, state, from, until, before, after }: OrderSearch, match?: SQL): SQL | undefined {
  // The plus: on its side a cursor bounds the index better than the day does.
  const at = (cursor: string | undefined) => (cursor ? sql`+${orders.createdAt}` : sql`${orders.createdAt}`)
  return and(
    hasState(state, q, match !== undefined),
    from === undefined ? undefined : sql`${at(after)} >= ${from}`,
    until === undefined ? undefined : sql`${at(before)} < ${until}`,
    after ? afterCursor(cursorColumns, '>', after) : afterCursor(cursorColumns, '<', before),
  )
}

function hasState(state: OrderState | undefined, q: string | undefined, isExact: boolean): SQL | undefined {
  if (state === 'paid') return isExact ? isToShipAmong : isToShip
  if (state) return eq(orders.state, state)
  return q ? undefined : ne(orders.state, 'cancelled')
}

const cursorColumns: [typeof orders.createdAt, typeof orders.id] = [orders.createdAt, orders.id]

function order({ after }: OrderSearch): [SQL, SQL] {
  return after ? [asc(orders.createdAt), asc(orders.id)] : [desc(orders.createdAt), desc(orders.id)]
}

function selectPage({ db }: Deps, search: OrderSearch, match: SQL | undefined) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(match, matchesFilters(search, match)))
    .orderBy(...order(search))
    .limit(rowsFor(search.limit))
}

/** The inner limit bounds what is read, whatever matches. */
function selectText({ db }: Deps, search: OrderSearch, q: string) {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const window = db
    .select({ ...orderColumns, number: orderColumns.number.as('number') })
    .from(orders)
    .where(matchesFilters(search))
    .orderBy(...order(search))
    .limit(searchWindow)
    .as('search_window')
  const texts = [window.customerName, window.customerEmail, window.productName]
  return db
    .select()
    .from(window)
    .where(or(...texts.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`)))
    .limit(rowsFor(search.limit))
}

/** The last order of the window, and whether there is one behind it. */
function selectWindowEnd({ db }: Deps, search: OrderSearch) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(matchesFilters(search))
    .orderBy(...order(search))
    .limit(2)
    .offset(searchWindow - 1)
}

function pageOf({ before, after, limit }: OrderSearch, rows: Order[], windowEnd?: string): OrderPage {
  const page = rows.slice(0, limit)
  const isPartial = rows.length <= limit && windowEnd !== undefined
  const beyond = rows.length > limit ? page.at(-1)!.id : (windowEnd ?? null)
  if (after) {
    page.reverse()
    return { orders: page, newer: beyond, older: page.at(-1)?.id ?? null, isPartial }
  }
  return { orders: page, newer: before ? (page[0]?.id ?? null) : null, older: beyond, isPartial }
}

const exportBatch = 1000

/** All orders of a period, oldest first, in batches: a large shop does not fit into memory. */
export async function* readOrdersInBatches({ db }: Deps, filters: OrderFilters): AsyncGenerator<Order[], void> {
  for (let after: string | undefined; ;) {
    const rows = await db
      .select(orderColumns)
      .from(orders)
      .where(matchesFilters({ ...filters, q: 'cancelled ones too', after, limit: exportBatch }))
      .orderBy(asc(orders.createdAt), asc(orders.id))
      .limit(exportBatch)
    yield rows
    if (rows.length < exportBatch) return
    after = rows.at(-1)!.id
  }
}
