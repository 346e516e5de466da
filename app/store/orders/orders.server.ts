import { and, asc, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { orders, users } from '../../db/schema'
import type { Deps } from '../deps'
import { requireMay, type Reader } from '../accounts/rights.server'
import type { Order, OrderState } from './orders'
import { pageOf, rowsFor } from '../shared/pagination'
import { afterCursor } from '../shared/pagination.server'
import { Refusal, type Seen } from '../shared/refusal'
import { may } from '../accounts/rights'
import type { User } from '../accounts/sign-in'

export const orderColumns = {
  id: orders.id,
  number: orders.number,
  customerId: orders.customerId,
  instrumentId: orders.instrumentId,
  productName: orders.productName,
  unitPriceCents: orders.unitPriceCents,
  quantity: orders.quantity,
  totalCents: orders.totalCents,
  customerName: orders.customerName,
  customerEmail: orders.customerEmail,
  customerAddress: orders.customerAddress,
  customerPhone: orders.customerPhone,
  state: orders.state,
  createdAt: orders.createdAt,
  holdUntil: orders.holdUntil,
  paidAt: orders.paidAt,
  shippedAt: orders.shippedAt,
  transactionId: orders.transactionId,
  refundedCents: orders.refundedCents,
  returnedQuantity: orders.returnedQuantity,
  dispute: orders.dispute,
  carrier: orders.carrier,
  trackingNumber: orders.trackingNumber,
  trackingUrl: orders.trackingUrl,
  company: orders.company,
  vatNumber: orders.vatNumber,
  purchaseOrder: orders.purchaseOrder,
  language: orders.language,
  discountCode: orders.discountCode,
  discountCents: orders.discountCents,
}

/** SQL, for the INSERT: orders are numbered without a gap. Of several in one statement the later ones add their place. */
export const nextOrderNumber = sql<number>`(SELECT number FROM next_order_number)`

/** A literal, not a bound parameter: otherwise SQLite cannot use the partial indexes of unpaid orders. */
export const isUnpaid = sql`${orders.state} = 'unpaid'`

/** As `isDisputed`, the other way round. */
export const isUndisputed = sql`coalesce(${orders.dispute}, 'won') = 'won'`

const hasPiecesToShip = sql`${orders.returnedQuantity} < ${orders.quantity} AND ${orders.refundedCents} < ${orders.totalCents} AND ${isUndisputed}`

/** Paid, with pieces that are not back in stock, not refunded in full, and not disputed. As in the index orders_to_ship. */
export const isToShip = sql`${orders.state} = 'paid' AND ${hasPiecesToShip}`

/** The same for orders that another index finds. */
export const isToShipAmong = sql`+${orders.state} = 'paid' AND ${hasPiecesToShip}`

/** The plus makes SQLite look the orders up by id, and not through the index of all unpaid orders. */
export function unpaidAmong(ids: string[]): SQL {
  return sql`${inArray(orders.id, ids)} and +${orders.state} = 'unpaid'`
}

/** With the picture of its instrument, also of one that is not on sale any more. */
export type PicturedOrder = Order & { img: string }

const pictureOf = sql<string>`(SELECT img FROM instruments WHERE id = ${orders.instrumentId})`

/** The customer's orders, newest first, without cancelled ones; `before` is the cursor. */
export async function listOrders(
  { db }: Deps,
  customer: { id: string },
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ orders: PicturedOrder[]; next: string | null }> {
  const rows = await db
    .select({ ...orderColumns, img: pictureOf })
    .from(orders)
    .where(
      and(
        eq(orders.customerId, customer.id),
        ne(orders.state, 'cancelled'),
        afterCursor([orders.createdAt, orders.id], '<', before),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { orders: page, next }
}

/** The customer's own order, or null; cancelled orders are not visible (R24). */
export async function findOrder(deps: Deps, customer: { id: string }, id: string): Promise<Order | null> {
  const rows = await selectOwnOrder(deps, customer, id)
  return rows[0] ?? null
}

export function selectOwnOrder({ db }: Deps, customer: { id: string | SQL }, id: string) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.customerId, customer.id), ne(orders.state, 'cancelled')))
}

/** The same, also if it is cancelled. */
export function selectOwnOrderInAnyState({ db }: Deps, customer: { id: string }, id: string) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.customerId, customer.id)))
}

/** For who may read all orders (R53): any order, also a cancelled one. */
export async function findAnyOrder({ db }: Deps, reader: Reader, id: string): Promise<Order | null> {
  requireMay(reader, 'orders')
  const [order] = await db.select(orderColumns).from(orders).where(eq(orders.id, id))
  return order ?? null
}

/** For who may ship (R53): those of these orders that there are, in any state, newest first. */
export async function findOrders({ db }: Deps, reader: Reader, ids: string[]): Promise<Order[]> {
  requireMay(reader, 'ship')
  const found = await db.select(orderColumns).from(orders).where(inArray(orders.id, ids))
  return found.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
}

/** For who may ship (R53): as `selectToShip`. */
export async function readToShip(deps: Deps, reader: Reader, limit: number) {
  requireMay(reader, 'ship')
  return selectToShip(deps, limit)
}

/** The orders to ship that were placed first, at most `limit`: the caller has asked for the right to see them. */
export function selectToShip({ db }: Deps, limit: number) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(isToShip)
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit)
}

/** Refuses a missing or cancelled order, and another customer's; `admins` lets admins read it (R24). */
export async function readOrder(deps: Deps, caller: User, id: string, options?: { admins?: boolean }): Promise<Order> {
  const [order] = await selectOrder(deps, id)
  return requireReadable(order, caller, options)
}

/** Anybody's, unless it is cancelled: for `requireReadable`. */
export function selectOrder({ db }: Deps, id: string) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.id, id), ne(orders.state, 'cancelled')))
}

const snapshot = sql<string>`json_array(${sql.join(
  Object.values(orderColumns).map((column) => sql`${column}`),
  sql`, `,
)})`

/** An order that is not cancelled, with the `seen` of `isOrderAsSeen`. */
export async function findSeenOrder({ db }: Deps, id: string): Promise<{ order: Order; seen: string } | null> {
  const [row] = await db
    .select({ ...orderColumns, seen: snapshot })
    .from(orders)
    .where(and(eq(orders.id, id), ne(orders.state, 'cancelled')))
  if (!row) return null
  const { seen, ...order } = row
  return { order, seen }
}

/** SQL: whether all of an order is as it was seen, as `isAsSeen` says it of an instrument. */
export function isOrderAsSeen(seen: Seen): SQL<number> {
  return seen === undefined ? sql<number>`true` : sql<number>`${snapshot} IS ${seen}`
}

/** `admins`: an admin's too; `books`: that of whoever keeps the books too (R53). */
export function requireReadable(order: Order | undefined, caller: User, { admins = false, books = false } = {}): Order {
  if (!order) throw new Refusal('not-found', 'Order not found.')
  const isReader = (admins && caller.role === 'admin') || (books && may(caller, 'books'))
  const allowed = order.customerId === caller.id || isReader
  if (!allowed) throw new Refusal('forbidden', 'This order belongs to another customer.')
  return order
}

/** The orders of the customer with this email; only admins may read another customer's (R24). */
export async function listOrdersOf(
  deps: Deps,
  caller: User,
  email: string,
  page: { before?: string | undefined; limit: number },
): Promise<{ orders: Order[]; next: string | null }> {
  if (email === caller.email) return listOrders(deps, caller, page)
  if (caller.role !== 'admin') throw new Refusal('forbidden', 'These orders belong to another customer.')
  const [customer] = await deps.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!customer) throw new Refusal('not-found', 'No user has this email.')
  return listOrders(deps, customer, page)
}

/** For admins (R24): orders in this state, or all but the cancelled ones, newest first; `before` is the cursor. */
export async function listAllOrders(
  { db }: Deps,
  { before, limit, state }: { before?: string | undefined; limit: number; state?: OrderState | undefined },
): Promise<{ orders: Order[]; next: string | null }> {
  const rows = await db
    .select(orderColumns)
    .from(orders)
    .where(
      and(
        state ? eq(orders.state, state) : ne(orders.state, 'cancelled'),
        afterCursor([orders.createdAt, orders.id], '<', before),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(rowsFor(limit))
  const { page, next } = pageOf(rows, limit)
  return { orders: page, next }
}
