import { requireIdByName } from '../catalog/instruments.server'
import type { User } from '../accounts/sign-in'
import type { BatchPart } from '../shared/batch.server'
import type { Deps } from '../deps'
import { spellingsOf } from '../shared/clean-text.server'
import { newId } from '../shared/ids.server'
import { Refusal } from '../shared/refusal'
import type { CallerId } from '../accounts/sign-in.server'
import { beginOrder, findPlaced, placeOrder, type NewOrder, type PlacedOrder } from './place-order.server'

/** What an API client says of an order. `orderPrice` is the total in cents; name or id of the instrument may be missing. */
interface ClaimedOrder extends Omit<NewOrder, 'submissionId'> {
  submissionId?: string | undefined
  instrumentId?: string | undefined
  productName?: string | undefined
  customerName?: string | undefined
  customerEmail?: string | undefined
  orderPrice?: number | undefined
}

/** For the batch that looks up the caller: `placeClaimedOrder` where nothing is against it; its result is `begun` there. */
export function beginClaimedOrder(
  deps: Deps,
  callerId: CallerId,
  order: ClaimedOrder,
): Promise<BatchPart<PlacedOrder | null>> | null {
  // The orders that it replaces may have to expire at Stripe first; a code that there is not is counted before the order.
  return order.replaceUnpaid || order.code ? null : beginOrder(deps, callerId, toPlace(order), order)
}

/**
 * `placeOrder` for a client that may name the instrument, and itself: both must be true (R36). A repeat by `submissionId` finds its
 * order although a name has changed since.
 */
export async function placeClaimedOrder(
  deps: Deps,
  caller: User,
  order: ClaimedOrder,
  begun: PlacedOrder | null | undefined,
): Promise<PlacedOrder> {
  if (begun) return begun
  const { submissionId, orderPrice: totalCents, productName, instrumentId: id } = order
  const existing = submissionId && (await findPlaced(deps, caller, { ...order, totalCents, submissionId }))
  if (existing) return existing
  requireOwn(caller, order)
  const instrumentId = productName === undefined ? id! : await requireIdByName(deps, { name: productName, id })
  return await placeOrder(deps, caller, { ...toPlace(order), instrumentId }, { isTried: begun !== undefined })
}

function toPlace(order: ClaimedOrder) {
  return { ...order, submissionId: order.submissionId ?? newId(), expectedTotal: order.orderPrice }
}

/** Name and email must be the caller's own (R36). */
function requireOwn(caller: User, { customerName, customerEmail }: ClaimedOrder) {
  const fields: Record<string, string[]> = {}
  if (customerName !== undefined && !spellingsOf(customerName).includes(caller.name))
    fields.customerName = ['This is not your name']
  if (customerEmail !== undefined && customerEmail !== caller.email) fields.customerEmail = ['This is not your email']
  if (Object.keys(fields).length > 0) throw new Refusal('invalid', 'You can only order for yourself.', { fields })
}
