import { and, eq, inArray, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { orders } from '../../db/schema'
import type { Deps } from '../deps'
import { changedSinceSeen, Refusal, type Seen } from '../shared/refusal'
import { maxSelected } from '../shared/limits'
import { multiLine, optional, singleLine } from '../shared/validation.server'
import { orderNumber, piecesToShip, type OrderState, type Shipment as ShipmentDetails } from './orders'
import { formerStaff, refuseFormerStaff } from './former-staff.server'
import { isOrderAsSeen, isUndisputed } from './orders.server'
import type { Role } from '../accounts/sign-in'
import { plainSigns } from '../shared/text'

const text = (label: string, max: number) => singleLine({ label, required: `${label} must be text`, max })
const trackingNumber = optional(text('Tracking number', 60).overwrite(plainSigns))

export const Shipment = z.object({
  carrier: optional(text('Carrier', 60)),
  trackingNumber,
  trackingUrl: optional(
    text('Tracking link', 500).refine((url) => /^https:\/\/[^\s\\]+$/.test(url) && URL.canParse(url), {
      error: 'Tracking link must be an https address',
    }),
  ),
})

export type Shipment = z.output<typeof Shipment>

/** Several orders with one carrier: `tracking1` is the tracking number of the first of `order`. */
export const Shipments = z
  .object({ carrier: optional(text('Carrier', 60)), order: z.array(z.string().max(100)).min(1).max(maxSelected) })
  .catchall(trackingNumber)
  .transform(({ carrier, order, ...rest }) => ({
    ...{ ids: order, carrier },
    trackingNumbers: order.map((_, index) => rest[`tracking${index + 1}`] ?? null),
  }))

export type Shipments = z.output<typeof Shipments>

export const StaffNote = z.object({
  note: optional(multiLine({ label: 'Note', required: 'Note must be text', max: 2000 })),
})

export type StaffNote = z.output<typeof StaffNote>

const notShippable = 'Only a paid order can be shipped, and only once.'
const shippedAlready = 'It is shipped already.'
const disputed =
  'Its payment is disputed: the bank may take it back, or has. Ship it from its own page if you are sure.'
const nothingToShip = 'All pieces of this order are back in stock: there is nothing to ship.'

/** Who ships: an admin or a packer. `role` is for the words of a refusal. */
interface Shipper {
  id: string
  role?: Role
}

/**
 * Refuses an order that is not paid, is shipped already (R19), or whose pieces are all back in stock; and one whose payment is disputed,
 * unless whoever ships it knows: proof of delivery may win a dispute, so the shopkeeper decides.
 */
export async function shipOrder(
  deps: Deps,
  staff: Shipper,
  orderId: string,
  shipment?: ShipmentDetails,
  { isDisputeKnown = false } = {},
): Promise<void> {
  const [result] = await shipOrders(deps, staff, [orderId], shipment, { isDisputeKnown })
  if (result?.isShipped) return
  throw new Refusal('conflict', result && result.why !== shippedAlready ? result.why! : notShippable)
}

export interface ShipmentResult {
  id: string
  /** Such as `C-1042`. */
  number: string
  isShipped: boolean
  /** Why it was not shipped. */
  why: string | null
}

/**
 * Ships each order that can be shipped, as `shipOrder` does; one result for each order that exists, in the order of `ids`. Refuses
 * who lost the role of an admin or packer. `trackingNumbers` are those of `ids`, where each has its own. `seen`: refuses an order that is
 * another now (`isOrderAsSeen`).
 */
export async function shipOrders(
  { db, now, readLogSoon }: Deps,
  staff: Shipper,
  ids: string[],
  shipment: ShipmentDetails = { carrier: null, trackingNumber: null, trackingUrl: null },
  {
    trackingNumbers,
    seen,
    isDisputeKnown = false,
  }: { trackingNumbers?: (string | null)[]; seen?: Seen; isDisputeKnown?: boolean } = {},
): Promise<ShipmentResult[]> {
  const each = trackingNumbers && {
    trackingNumber: sql<string>`(SELECT value ->> 1 FROM json_each(${JSON.stringify(ids.map((id, nth) => [id, trackingNumbers[nth]]))})
      WHERE value ->> 0 = ${orders.id})`,
  }
  const isShippable = and(
    eq(orders.state, 'paid'),
    lt(orders.returnedQuantity, orders.quantity),
    isDisputeKnown ? undefined : isUndisputed,
  )
  const [shipped, found] = await db
    .batch([
      db
        .update(orders)
        .set({ state: 'shipped', shippedAt: now(), movedBy: staff.id, ...shipment, ...each })
        .where(and(inArray(orders.id, ids), isShippable, isOrderAsSeen(seen)))
        .returning({ id: orders.id }),
      db
        .select({
          ...{ id: orders.id, number: orders.number, state: orders.state },
          ...{ returnedQuantity: orders.returnedQuantity, quantity: orders.quantity },
          isAsSeen: isOrderAsSeen(seen),
        })
        .from(orders)
        .where(inArray(orders.id, ids)),
    ])
    .catch((error: unknown) => refuseFormerStaff(error, staff.role))
  readLogSoon()
  const inOrder = found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  return inOrder.map((order) => {
    const isShipped = shipped.some(({ id }) => id === order.id)
    if (!isShipped && !order.isAsSeen) throw changedSinceSeen()
    const why = isShipped ? null : whyNot(order)
    return { id: order.id, number: orderNumber(order), isShipped, why }
  })
}

function whyNot(order: { state: OrderState; quantity: number; returnedQuantity: number }): string {
  if (order.state === 'shipped') return shippedAlready
  if (order.state !== 'paid') return notShippable
  return piecesToShip(order) === 0 ? nothingToShip : disputed
}

/** Corrects carrier and tracking of a shipped order, and records what they were. Idempotent. Refuses who lost the role. */
export async function correctShipment(
  { db, now }: Deps,
  staff: Shipper,
  orderId: string,
  shipment: ShipmentDetails,
): Promise<void> {
  const { carrier, trackingNumber, trackingUrl } = shipment
  const after = [carrier, trackingNumber, trackingUrl].filter(Boolean).join(', ')
  const [, updated, [allowed]] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, order_id, note)
      SELECT ${now()}, 'shipment corrected', ${staff.id}, id,
        coalesce(nullif(concat_ws(', ', carrier, tracking_number, tracking_url), ''), 'nothing') || ' → ' || ${after || 'nothing'}
      FROM orders WHERE id = ${orderId} AND state = 'shipped' AND ${mayShip(staff)}
        AND (carrier IS NOT ${carrier} OR tracking_number IS NOT ${trackingNumber} OR tracking_url IS NOT ${trackingUrl})`),
    db
      .update(orders)
      .set(shipment)
      .where(and(eq(orders.id, orderId), eq(orders.state, 'shipped'), mayShip(staff))),
    db.all<{ isAllowed: number }>(sql`SELECT ${mayShip(staff)} AS isAllowed`),
  ])
  if (allowed?.isAllowed !== 1) throw formerStaff(staff.role)
  if (updated.rowsAffected === 0) throw new Refusal('conflict', 'This order is not shipped yet.')
}

/** Replaces the note for colleagues; null removes it. The audit log keeps each. Idempotent. Refuses who lost the role. */
export async function writeStaffNote(
  { db, now }: Deps,
  staff: Shipper,
  orderId: string,
  note: string | null,
): Promise<void> {
  const [, , [allowed]] = await db.batch([
    db.run(sql`
      INSERT INTO audit_log (at, event, actor, order_id, note)
      SELECT ${now()}, 'note changed', ${staff.id}, id, ${note ?? ''} FROM orders
      WHERE id = ${orderId} AND staff_note IS NOT ${note} AND ${mayShip(staff)}`),
    db
      .update(orders)
      .set({ staffNote: note })
      .where(and(eq(orders.id, orderId), mayShip(staff))),
    db.all<{ isAllowed: number }>(sql`SELECT ${mayShip(staff)} AS isAllowed`),
  ])
  if (allowed?.isAllowed !== 1) throw formerStaff(staff.role)
}

/** As in the trigger `orders_move_forward`: a script is no user. */
function mayShip({ id }: Shipper): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND role <> 'admin' AND staff_role IS NOT 'packer')`
}
