import { and, asc, desc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { orders } from '../../db/schema'
import { batchPart, type BatchPart } from '../shared/batch.server'
import type { Deps } from '../deps'
import { requireMay, type Reader } from '../accounts/rights.server'
import { normal } from '../shared/folding'
import { containing } from '../shared/full-text'
import { hasWords } from '../shared/full-text.server'
import { rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { readOrderNumber, searchWindow, type Order, type OrderCounts, type OrderFilter } from './orders'
import { refundedOrderIds, selectOrderCounts } from './order-counts.server'
import { isToShip, isToShipAmong, orderColumns } from './orders.server'

export interface OrderFilters {
  /** `paid`: those to ship. `refunded`: among the latest 1,000 refunds. */
  state?: OrderFilter | undefined
  /** When it was placed: from this moment, and before that one, in milliseconds since 1970. */
  from?: number | undefined
  until?: number | undefined
}

export interface OrderSearch extends OrderFilters {
  /** An order number, a transaction id, an email, a phone number, or words of the customer, the address, the product or the parcel. */
  q?: string | undefined
  /** Cursors: the page of older orders, or of newer ones. */
  before?: string | undefined
  after?: string | undefined
  limit: number
}

/** `withCancelled`: also where no state says so. */
type Search = Omit<OrderSearch, 'q'> & { withCancelled: boolean }

export interface OrderPage {
  orders: Order[]
  /** Cursors of the pages beside it. */
  newer: string | null
  older: string | null
  /** The search stopped after `searchWindow` orders, so the next page may have more. */
  isPartial: boolean
}

/**
 * For those who may read orders (R24, R53): one page of the orders that match, newest first, and how many orders each tab of the list has. Without `q` or a
 * state, not the cancelled ones. The counts are of all orders, and null beside a search. One round trip; for a number that no order has, two.
 */
export async function searchOrders(
  deps: Deps,
  reader: Reader,
  search: OrderSearch,
): Promise<OrderPage & { counts: OrderCounts | null }> {
  requireMay(reader, 'orders')
  const { q = '', ...filters } = search
  if (readOrderNumber(q) !== null) {
    const exact = { ...filters, withCancelled: true }
    const found = await selectPage(deps, exact, exactMatch(q))
    if (found.length > 0) return { ...pageOf(exact, found), counts: null }
  }
  if (q) return { ...(await pagePart(deps, search).run(deps)), counts: null }
  const [page, [counts]] = await pagePart(deps, search).runWith(deps, selectOrderCounts(deps))
  return { ...page, counts: counts! }
}

function pagePart(deps: Deps, { q = '', ...filters }: OrderSearch): BatchPart<OrderPage> {
  const search = { ...filters, withCancelled: q !== '' }
  if (q === '') return batchPart([selectPage(deps, search, undefined)], (rows) => pageOf(search, rows))
  return batchPart(
    [selectPage(deps, search, exactMatch(q) ?? sql`false`), selectText(deps, search, q), selectWindowEnd(deps, search)],
    // A page of exact matches has no texts behind it.
    (found, texts, end) =>
      found.length > 0 ? pageOf(search, found) : pageOf(search, texts, end.length > 1 ? end[0]!.id : undefined),
  )
}

/**
 * The id of the order to ship, among those that match, that was placed after this one; if there is none, of the one placed before it:
 * who ships one after the other comes to all of them.
 */
export async function findNextToShip(
  deps: Deps,
  orderId: string,
  filters: Pick<OrderSearch, 'q' | 'from' | 'until'> = {},
): Promise<string | null> {
  const search = { ...filters, state: 'paid', limit: 1 } as const
  for (const cursor of [{ after: orderId }, { before: orderId }]) {
    const { orders } = await pagePart(deps, { ...search, ...cursor }).run(deps)
    if (orders.length > 0) return orders[0]!.id
  }
  return null
}

function exactMatch(typed: string): SQL | undefined {
  const q = normal(typed)
  const number = readOrderNumber(q)
  if (number !== null) return eq(orders.number, number)
  if (/^\w+_\w+$/.test(q)) return eq(orders.transactionId, q)
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(q)) return undefined
  return sql`${orders.customerId} = (SELECT id FROM users WHERE email = ${q.toLowerCase()})`
}

function matchesFilters({ state, from, until, withCancelled, before, after }: Search, match?: SQL): SQL | undefined {
  // The plus: on its side a cursor bounds the index better than the day does. Refunded orders are found by their ids.
  const isById = state === 'refunded' && !match
  const at = (cursor: string | undefined) => (cursor || isById ? sql`+${orders.createdAt}` : sql`${orders.createdAt}`)
  const cursor = after ? afterCursor(cursorColumns, '>', after) : afterCursor(cursorColumns, '<', before)
  return and(
    hasState(state, withCancelled, match !== undefined),
    from === undefined ? undefined : sql`${at(after)} >= ${from}`,
    until === undefined ? undefined : sql`${at(before)} < ${until}`,
    isById && cursor ? sql`+(${cursor})` : cursor,
  )
}

function hasState(state: OrderFilter | undefined, withCancelled: boolean, isExact: boolean): SQL | undefined {
  if (state === 'paid') return isExact ? isToShipAmong : isToShip
  if (state === 'refunded') {
    return isExact ? sql`${orders.refundedCents} > 0` : sql`${orders.id} IN (${refundedOrderIds})`
  }
  if (state) return eq(orders.state, state)
  return withCancelled ? undefined : ne(orders.state, 'cancelled')
}

const cursorColumns: [typeof orders.createdAt, typeof orders.id] = [orders.createdAt, orders.id]

function order({ state, after }: Search): [SQL, SQL] {
  const at = state === 'refunded' ? sql`+${orders.createdAt}` : orders.createdAt
  return after ? [asc(at), asc(orders.id)] : [desc(at), desc(orders.id)]
}

function selectPage({ db }: Deps, search: Search, match: SQL | undefined) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(match, matchesFilters(search, match)))
    .orderBy(...order(match ? { ...search, state: undefined } : search))
    .limit(rowsFor(search.limit))
}

/** The inner limit bounds what is read, whatever matches. */
function selectText({ db }: Deps, search: Search, q: string) {
  const window = db
    .select({
      ...orderColumns,
      ...{ texts: texts.as('texts'), phoneDigits: phoneDigits.as('phone_digits') },
    })
    .from(orders)
    .where(matchesFilters(search))
    .orderBy(...order(search))
    .limit(searchWindow)
    .as('search_window')
  const names = Object.keys(orderColumns) as (keyof typeof orderColumns)[]
  const columns = Object.fromEntries(names.map((name) => [name, window[name]])) as Pick<
    typeof window,
    keyof typeof orderColumns
  >
  return db
    .select(columns)
    .from(window)
    .where(hasText({ texts: sql`${window.texts}`, phoneDigits: sql`${window.phoneDigits}` }, q))
    .limit(rowsFor(search.limit))
}

/** What people ask for an order by. */
const texts = sql<string>`concat_ws(' ', ${orders.customerName}, ${orders.customerEmail}, ${orders.productName}, ${orders.customerAddress},
  ${orders.company}, ${orders.purchaseOrder}, ${orders.trackingNumber})`

/** Without the zero that is dialled only inside a country, as in +49 (0) 30. */
const phoneDigits = sql<string>`replace(replace(replace(replace(replace(replace(
  ${orders.customerPhone}, '(0)', ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', '')`

/** Part of a search: five digits or more, however they are grouped. */
const phone = /[+(]{0,2}\d(?:[ ()./-]*\d){4,}/

function hasText(order: { texts: SQL; phoneDigits: SQL }, typed: string): SQL | undefined {
  const q = normal(typed)
  const [number] = phone.exec(q) ?? []
  if (number === undefined) return hasWords(order.texts, q)
  const others = q.replace(number, ' ').trim()
  return and(
    or(hasWords(order.texts, number), hasPhone(order.phoneDigits, number)),
    others === '' ? undefined : hasWords(order.texts, others),
  )
}

/** With the prefix of its country or without, on either side: those have one to three digits. */
function hasPhone(stored: SQL, typed: string): SQL | undefined {
  const digits = typed.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 4) return undefined
  const inCountry = digits.length < 9 ? [] : [1, 2, 3].map((prefix) => digits.slice(prefix))
  return or(sql`${stored} LIKE ${containing(digits)}`, inArray(sql`ltrim(${stored}, '0')`, inCountry))
}

/** The last order of the window, and whether there is one behind it. */
function selectWindowEnd({ db }: Deps, search: Search) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(matchesFilters(search))
    .orderBy(...order(search))
    .limit(2)
    .offset(searchWindow - 1)
}

function pageOf({ before, after, limit }: Search, rows: Order[], windowEnd?: string): OrderPage {
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

interface Export extends OrderFilters {
  q?: string | undefined
  /** These orders alone. */
  ids?: string[] | undefined
}

/**
 * For those who keep the books (R53): the orders that match, oldest first, in batches: a large shop does not fit into memory. Without a state, the cancelled ones too.
 */
export async function* readOrdersInBatches(
  deps: Deps,
  reader: Reader,
  { q = '', ids, ...filters }: Export,
): AsyncGenerator<Order[], void> {
  requireMay(reader, 'books')
  const search = { ...filters, withCancelled: true, limit: exportBatch }
  const match = ids || q === '' ? undefined : await matchOf(deps, search, q)
  for (let after: string | undefined; ;) {
    const rows = await deps.db
      .select(orderColumns)
      .from(orders)
      .where(
        ids
          ? and(inArray(orders.id, ids), afterCursor(cursorColumns, '>', after))
          : and(match, matchesFilters({ ...search, after }, match)),
      )
      .orderBy(asc(orders.createdAt), asc(orders.id))
      .limit(exportBatch)
    yield rows
    if (rows.length < exportBatch) return
    after = rows.at(-1)!.id
  }
}

/** The orders that `q` means, or those that have it as a text if there are none, as in the list. */
async function matchOf(deps: Deps, search: Search, q: string): Promise<SQL | undefined> {
  const exact = exactMatch(q)
  if (exact && (await selectPage(deps, { ...search, limit: 0 }, exact)).length > 0) return exact
  return hasText({ texts, phoneDigits }, q)
}
