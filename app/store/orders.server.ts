import { and, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { instruments, orders } from '../db/schema'
import type { Deps } from './deps'
import { newId } from './ids.server'
import { formatCents, totalCents } from './money'
import type { Order } from './orders'
import { pageOf } from './paging'
import { Refusal } from './refusal'
import { paragraph, phoneNumber } from './text.server'

/** The card processor's bounds of one payment, in cents; the database holds them too. */
const leastTotalCents = 50
const mostTotalCents = 99_999_999

const tooMany = 'Cannot be more than available'
const tooFew = 'cannot be less than minimum order'
const notWhole = 'Order quantity must be a whole number'

/**
 * What a customer fills in to order an instrument (spec section 5, R21). Minimum and stock are the command's to judge: a
 * form that is sent twice must find its order, not the stock that it has itself taken. `unitPrice` (cents) is the price
 * that the customer was shown: when it is not the price any more, the order is refused, never charged otherwise (R10).
 */
export const NewOrder = z.object({
  submissionId: z.string().regex(/^[\w-]{8,100}$/, { error: 'This form has lost its number: load the page again' }),
  unitPrice: z.coerce.number().int().optional(),
  orderQuantity: z
    .number({ error: notWhole })
    .refine(Number.isInteger, { error: notWhole })
    .min(1, { error: tooFew })
    .max(1_000_000, { error: tooMany }),
  customerAddress: paragraph({ called: 'Address', required: 'Address is Required', most: 500 }),
  customerPhone: phoneNumber,
})
export type NewOrder = z.output<typeof NewOrder>

const shown = {
  id: orders.id,
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
  paidAt: orders.paidAt,
  shippedAt: orders.shippedAt,
  transactionId: orders.transactionId,
}

/**
 * Places an order and holds its pieces, in one statement (R11): it inserts nothing unless the instrument is on sale at
 * that price with that many available, and the database's triggers take the stock or abort. The same
 * submission again is the same order (R13). Refuses a quantity outside of minimum and available, a price that has
 * changed (R10), a submission that was used for something else, and a total that no card payment can carry.
 */
export async function placeOrder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  customer: { id: string },
  wanted: NewOrder & { instrumentId: string },
): Promise<{ id: string }> {
  const { instrumentId, submissionId, unitPrice, orderQuantity: quantity, customerAddress, customerPhone } = wanted
  const [placed] = await db.all<{ id: string }>(sql`
    INSERT INTO orders (id, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity,
      total_cents, customer_name, customer_email, customer_address, customer_phone, created_at, moved_by)
    SELECT ${newId()}, u.id, i.id, ${submissionId}, i.name, i.price_cents, ${quantity},
      i.price_cents * ${quantity}, u.name, u.email, ${customerAddress}, ${customerPhone}, ${now()}, u.id
    FROM instruments i, users u
    WHERE i.id = ${instrumentId} AND u.id = ${customer.id} AND i.removed_at IS NULL
      AND ${quantity} BETWEEN i.min_quantity AND i.available_quantity
      AND i.price_cents = coalesce(${unitPrice ?? null}, i.price_cents)
      AND i.price_cents * ${quantity} BETWEEN ${leastTotalCents} AND ${mostTotalCents}
      AND NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = u.id AND submission_id = ${submissionId})
    RETURNING id`)
  return placed ? { id: placed.id } : placedBefore(db, customer, wanted)
}

/** The order that this submission has made already; refuses if it made another one, or why it made none. */
async function placedBefore(
  db: Deps['db'],
  customer: { id: string },
  wanted: NewOrder & { instrumentId: string },
): Promise<{ id: string }> {
  const [orderRows, instrumentRows] = await db.batch([
    db
      .select(shown)
      .from(orders)
      .where(and(eq(orders.customerId, customer.id), eq(orders.submissionId, wanted.submissionId))),
    db
      .select({
        priceCents: instruments.priceCents,
        minQuantity: instruments.minQuantity,
        availableQuantity: instruments.availableQuantity,
        removedAt: instruments.removedAt,
      })
      .from(instruments)
      .where(eq(instruments.id, wanted.instrumentId)),
  ])
  const order = orderRows[0]
  if (!order) throw whyNotPlaced(instrumentRows[0], wanted)
  if (order.state === 'cancelled') {
    throw new Refusal('conflict', 'The order that this form made was cancelled. Order again to buy after all.')
  }
  const same =
    order.instrumentId === wanted.instrumentId &&
    order.quantity === wanted.orderQuantity &&
    order.customerAddress === wanted.customerAddress &&
    order.customerPhone === wanted.customerPhone
  if (same) return { id: order.id }
  throw new Refusal('conflict', 'You have already sent this form, and it made an order. Order again to buy more.')
}

function whyNotPlaced(
  instrument:
    { priceCents: number; minQuantity: number; availableQuantity: number; removedAt: number | null } | undefined,
  { orderQuantity: quantity, unitPrice }: Pick<NewOrder, 'orderQuantity' | 'unitPrice'>,
): Refusal {
  if (instrument?.removedAt !== null) return new Refusal('not-found', 'This instrument is not on sale.')
  if (quantity > instrument.availableQuantity) return quantityRefusal(tooMany)
  if (quantity < instrument.minQuantity) return quantityRefusal(tooFew)
  if (unitPrice !== undefined && unitPrice !== instrument.priceCents) {
    return new Refusal('conflict', `The price is now ${formatCents(instrument.priceCents)} each. Nothing was ordered.`)
  }
  const total = totalCents(instrument.priceCents, quantity)
  if (total > mostTotalCents || total < leastTotalCents) {
    return quantityRefusal(
      `A card can pay from ${formatCents(leastTotalCents)} to ${formatCents(mostTotalCents)} in one order`,
    )
  }
  // Everything holds at the moment of reading: somebody's cancellation came between. Trying again will do.
  return new Refusal('conflict', 'Somebody was a moment faster. Please try again.')
}

function quantityRefusal(message: string): Refusal {
  return new Refusal('invalid', '', { fields: { orderQuantity: [message] } })
}

/** The customer's orders, newest first, without cancelled ones; at most `limit`, older than the one named `before`. */
export async function listOrders(
  { db }: Pick<Deps, 'db'>,
  customer: { id: string },
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ orders: Order[]; next: string | null }> {
  const rows = await db
    .select(shown)
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), ne(orders.state, 'cancelled'), olderThan(db, before)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit + 1)
  const { page, next } = pageOf(rows, limit)
  return { orders: page, next }
}

/** The customer's own order with this id, or null: another's and a cancelled one are not there (R24). */
export async function findOrder({ db }: Pick<Deps, 'db'>, customer: { id: string }, id: string): Promise<Order | null> {
  const rows = await db
    .select(shown)
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.customerId, customer.id), ne(orders.state, 'cancelled')))
  return rows[0] ?? null
}

/** Every order that is not cancelled, newest first, at most `limit`, older than the one named `before`: for admins (R24). */
export async function listAllOrders(
  { db }: Pick<Deps, 'db'>,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ orders: Order[]; next: string | null }> {
  const rows = await db
    .select(shown)
    .from(orders)
    .where(and(ne(orders.state, 'cancelled'), olderThan(db, before)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit + 1)
  const { page, next } = pageOf(rows, limit)
  return { orders: page, next }
}

/** Records that a paid order has been sent, once (R19). Refuses one that is not paid, or is shipped already. */
export async function shipOrder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  admin: { id: string },
  orderId: string,
): Promise<void> {
  const shipped = await db
    .update(orders)
    .set({ state: 'shipped', shippedAt: now(), movedBy: admin.id })
    .where(and(eq(orders.id, orderId), eq(orders.state, 'paid')))
  if (shipped.rowsAffected === 0) throw new Refusal('conflict', 'Only a paid order can be shipped, and only once.')
}

function olderThan(db: Deps['db'], before: string | undefined) {
  if (!before) return undefined
  const place = db.select({ at: orders.createdAt }).from(orders).where(eq(orders.id, before))
  return or(lt(orders.createdAt, sql`(${place})`), and(eq(orders.createdAt, sql`(${place})`), lt(orders.id, before)))
}
