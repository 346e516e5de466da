import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { isBrokenRule } from '../../db/open.server'
import { instruments, orders } from '../../db/schema'
import { cancelExpired } from './cancel-order.server'
import type { Deps } from '../deps'
import { releaseHolds, selectReleasable, type HoldRelease } from './holds.server'
import { newId } from '../ids.server'
import { formatCents, totalCents } from '../money'
import type { Order } from '../orders/orders'
import { orderColumns, unpaidAmong } from '../orders/orders.server'
import { Refusal } from '../refusal'
import { multiLine, phoneNumber, submissionIdField } from '../validation.server'

/** The card processor's bounds of one payment, in cents; the database holds them too. */
const minTotalCents = 50
const maxTotalCents = 99_999_999

const aboveStock = 'Cannot be more than available'
const belowMinimum = 'cannot be less than minimum order'
const notWhole = 'Order quantity must be a whole number'

/**
 * What a customer fills in to order an instrument (spec section 5, R21). Minimum and stock are the command's to judge: a
 * form that is sent twice must find its order, not the stock that it has itself taken. `unitPrice` (cents) is the price
 * that the customer was shown: when it is not the price any more, the order is refused, never charged otherwise (R10).
 * `replaceUnpaid` cancels the customer's own unpaid orders of the instrument, so that their pieces can be ordered.
 */
export const NewOrder = z.object({
  submissionId: submissionIdField,
  unitPrice: z.coerce.number().int().optional(),
  orderQuantity: z
    .number({ error: ({ input }) => (input === undefined ? 'Order quantity is Required' : notWhole) })
    .refine(Number.isInteger)
    .min(1, { error: belowMinimum })
    .max(1_000_000, { error: aboveStock }),
  customerAddress: multiLine({ label: 'Address', required: 'Address is Required', max: 500 }),
  customerPhone: phoneNumber,
  replaceUnpaid: z.boolean().optional(),
})
export type NewOrder = z.output<typeof NewOrder>

type OrderTerms = NewOrder & { instrumentId: string }

/**
 * Places an order and holds its pieces, in the statement that inserts it (R11): the database's triggers take the stock, or
 * abort when it is not on sale at that price, from that minimum, in that quantity. When pieces are short, orders whose hold
 * has expired give way: what could pay them is made unpayable first, then one batch cancels them and inserts this one. The
 * same submission again is the same order (R13), and is said to be a repeat. Refuses an instrument that is not on sale, a quantity outside of minimum
 * and available, a price that has changed (R10), a submission that was used for something else or whose order is cancelled, a
 * total that no card payment can carry, and pieces that wait for a provider which is away.
 */
export async function placeOrder(deps: Deps, customer: { id: string }, wanted: OrderTerms): Promise<PlacedOrder> {
  const atOnce = wanted.replaceUnpaid ? null : await insertOrder(deps, customer, wanted, [])
  if (atOnce) return atOnce
  let seen = await readOrderState(deps, customer, wanted)
  if (!seen.placed) {
    // Nobody's way to pay is closed for an order that cannot be placed in any case.
    const never = permanentError(seen, wanted)
    if (never) throw never
    const room = await releaseHolds(deps, { ...wanted, ...seen, instrument: seen.instrument!, customerId: customer.id })
    const inRoom = room && (await insertOrder(deps, customer, wanted, room))
    // Stryker disable next-line ConditionalExpression: the look below finds the same order, one round trip later
    if (inRoom) return inRoom
    // The same form may have been a moment faster in another window.
    if (room) seen = await readOrderState(deps, customer, wanted)
  }
  if (!seen.placed) throw orderError(seen, wanted)
  return repeatOf(seen.placed, wanted)
}

interface PlacedOrder {
  id: string
  /** True when this submission had made the order before. */
  isRepeat: boolean
}

/** What a caller may say of an order beside its terms; all of it must be so. `totalCents` in US cents. */
type ClaimedTerms = Pick<Order, 'instrumentId' | 'productName' | 'customerName' | 'customerEmail' | 'totalCents'>

/**
 * The order that this submission of the customer's has made, or null: however the shop has changed since, a submission that is
 * sent again is answered as at first (R13). Refuses it when its order is cancelled, or when it says something else now.
 */
export async function findPlaced(
  { db }: Deps,
  customer: { id: string },
  wanted: Omit<OrderTerms, 'instrumentId'> & { [Claim in keyof ClaimedTerms]?: ClaimedTerms[Claim] | undefined },
): Promise<PlacedOrder | null> {
  const [placed] = await selectPlaced(db, customer, wanted)
  if (!placed) return null
  const claims = ['productName', 'customerName', 'customerEmail', 'totalCents'] as const
  if (claims.some((claim) => wanted[claim] !== undefined && wanted[claim] !== placed[claim])) throw anotherOrder()
  return repeatOf(placed, { ...wanted, instrumentId: wanted.instrumentId ?? placed.instrumentId })
}

/** Inserts the order, in one batch with the orders that give way to it; null when a rule of the database forbids it: then nothing has happened. */
async function insertOrder(
  deps: Deps,
  customer: { id: string },
  wanted: OrderTerms,
  room: HoldRelease[],
): Promise<PlacedOrder | null> {
  const { db, now, holdMs } = deps
  const { instrumentId, submissionId, orderQuantity: quantity, customerAddress, customerPhone } = wanted
  const price = sql`coalesce(${wanted.unitPrice ?? null}, i.price_cents)`
  const [id, at] = [newId(), now()]
  const insertion = db.run(sql`
    INSERT INTO orders (id, customer_id, instrument_id, submission_id, product_name, unit_price_cents, quantity, total_cents,
      customer_name, customer_email, customer_address, customer_phone, created_at, hold_until, moved_by)
    SELECT ${id}, u.id, i.id, ${submissionId}, i.name, ${unlessStillUnpaid(room, customer, price)}, ${quantity}, ${price} * ${quantity},
      u.name, u.email, ${customerAddress}, ${customerPhone}, ${at}, ${holdMs > 0 ? at + holdMs : null}, u.id
    FROM instruments i, users u
    WHERE i.id = ${instrumentId} AND u.id = ${customer.id}`)
  const [first, ...others] = room.map(({ ids, actor, only }) => cancelExpired(deps, ids, actor, only))
  try {
    const done = first ? (await db.batch([first, ...others, insertion])).at(-1)! : await insertion
    if (done.rowsAffected === 0) return null
    deps.invalidate('stock')
    return { id, isRepeat: false }
  } catch (error) {
    if (isBrokenRule(error)) return null
    throw error
  }
}

/**
 * The price; or NULL, which aborts the batch, when an order that is to be replaced is still there, because its customer has
 * just set out to pay it in another window.
 */
function unlessStillUnpaid(room: HoldRelease[], customer: { id: string }, price: SQL): SQL {
  const replaced = room.filter(({ actor }) => actor === customer.id).flatMap(({ ids }) => ids)
  // Stryker disable next-line ConditionalExpression: among none there is none, which this need not ask
  if (replaced.length === 0) return price
  return sql`CASE WHEN EXISTS (SELECT 1 FROM orders WHERE ${unpaidAmong(replaced)}) THEN NULL ELSE ${price} END`
}

function selectPlaced(db: Deps['db'], customer: { id: string }, { submissionId }: Pick<OrderTerms, 'submissionId'>) {
  return db
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.customerId, customer.id), eq(orders.submissionId, submissionId)))
}

/** What there is to know when an order could not be inserted, in one round trip. */
async function readOrderState(deps: Deps, customer: { id: string }, wanted: OrderTerms) {
  const [placed, instrument, releasable] = await deps.db.batch([
    selectPlaced(deps.db, customer, wanted),
    deps.db
      .select({
        priceCents: instruments.priceCents,
        minQuantity: instruments.minQuantity,
        availableQuantity: instruments.availableQuantity,
        removedAt: instruments.removedAt,
      })
      .from(instruments)
      .where(eq(instruments.id, wanted.instrumentId)),
    selectReleasable(deps, { instrumentId: wanted.instrumentId, customerId: customer.id }),
  ])
  return { placed: placed[0], instrument: instrument[0], releasable }
}

function repeatOf(order: Order, wanted: OrderTerms): PlacedOrder {
  if (order.state === 'cancelled') {
    const message = 'The order that this form made was cancelled. Order again to buy after all.'
    throw new Refusal('conflict', message, { isUsed: true })
  }
  const same =
    order.instrumentId === wanted.instrumentId &&
    order.quantity === wanted.orderQuantity &&
    order.customerAddress === wanted.customerAddress &&
    order.customerPhone === wanted.customerPhone
  if (same) return { id: order.id, isRepeat: true }
  throw anotherOrder()
}

function anotherOrder(): Refusal {
  const message = 'You have already sent this form, and it made an order. Order again to buy more.'
  return new Refusal('conflict', message, { isUsed: true })
}

type OrderState = Awaited<ReturnType<typeof readOrderState>>

/** What forbids the order even if everything that could give way to it did. */
function permanentError({ instrument, releasable }: OrderState, wanted: OrderTerms): Refusal | null {
  const { orderQuantity: quantity, unitPrice, replaceUnpaid } = wanted
  if (instrument?.removedAt !== null) return new Refusal('not-found', 'This instrument is not on sale.')
  const most = releasable
    .filter(({ expired, own }) => expired || (own && replaceUnpaid))
    .reduce((sum, order) => sum + order.quantity, instrument.availableQuantity)
  if (quantity > most) return quantityError(aboveStock)
  if (quantity < instrument.minQuantity) return quantityError(belowMinimum)
  if (unitPrice !== undefined && unitPrice !== instrument.priceCents) {
    return new Refusal('conflict', `The price is now ${formatCents(instrument.priceCents)} each. Nothing was ordered.`)
  }
  const total = totalCents(instrument.priceCents, quantity)
  if (total > maxTotalCents || total < minTotalCents) {
    return quantityError(
      `A card can pay from ${formatCents(minTotalCents)} to ${formatCents(maxTotalCents)} in one order`,
    )
  }
  return null
}

function orderError(seen: OrderState, wanted: OrderTerms): Refusal {
  const never = permanentError(seen, wanted)
  if (never) return never
  if (wanted.orderQuantity > seen.instrument!.availableQuantity) return quantityError(aboveStock)
  // Everything holds at the moment of reading: somebody's cancellation came between. Trying again will do.
  return new Refusal('conflict', 'Somebody was a moment faster. Please try again.')
}

function quantityError(message: string): Refusal {
  return new Refusal('invalid', '', { fields: { orderQuantity: [message] } })
}
