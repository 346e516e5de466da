import { and, eq, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { orders } from '../../db/schema'
import { batchPart, type BatchPart } from '../shared/batch.server'
import type { Deps } from '../deps'
import { dollarsInCents } from '../shared/dollars.server'
import { formatCents } from '../shared/money'
import { isPaid, type Order } from '../orders/orders'
import { isUnpaid, readOrder, requireReadable, selectOrder } from '../orders/orders.server'
import { beginPayment, startIntent, type Begun } from './payments.server'
import { Refusal } from '../shared/refusal'
import { selectAttempt, type Attempt } from './attempts.server'
import { settleAttempt } from './confirm-payment.server'
import type { User } from '../accounts/sign-in'

/** The body of a payment request (R16): `orderPrice` arrives in dollars and becomes cents. */
export const PaymentRequest = z.strictObject({
  orderPrice: dollarsInCents('The price in dollars').pipe(z.number().min(0, { error: 'Price cannot be negative' })),
  orderId: z.string().max(100).optional(),
})
export type PaymentRequest = z.output<typeof PaymentRequest>

/**
 * Opens the intent of the caller's unpaid order, or returns the open one (R16). Refuses a price that is not the order's
 * total (R10), and a price without an order id that matches no unpaid order of the caller, or several. `begun`: see `beginRequest`.
 */
export async function requestPayment(
  deps: Deps,
  caller: User,
  { orderPrice, orderId }: PaymentRequest,
  begun?: Begun | null,
): Promise<{ clientSecret: string }> {
  const id = orderId ?? (await findByPrice(deps, caller, orderPrice))
  try {
    return await startIntent(deps, caller, id, orderPrice, begun)
  } catch (error) {
    // Another's order is forbidden, not unknown (R24).
    if (error instanceof Refusal && error.code === 'not-found') await readOrder(deps, caller, id)
    throw error
  }
}

/** For the batch that looks up the caller; its result is `begun` of `requestPayment`. Null without an order id. */
export function beginRequest(deps: Deps, callerId: SQL, { orderPrice, orderId }: PaymentRequest) {
  return orderId === undefined ? null : beginPayment(deps, { id: callerId }, orderId, 'intent', orderPrice)
}

async function findByPrice({ db }: Deps, caller: { id: string }, cents: number): Promise<string> {
  const matches = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.customerId, caller.id), isUnpaid, eq(orders.totalCents, cents)))
    .limit(2)
  if (matches.length === 1) return matches[0]!.id
  const howMany = matches.length === 0 ? 'None' : 'More than one'
  throw new Refusal('conflict', `${howMany} of your unpaid orders costs ${formatCents(cents)}. Name one with orderId.`)
}

export const PaymentReport = z.strictObject({
  order: z.string().max(100).optional(),
  transactionId: z.string().min(1).max(255),
})
export type PaymentReport = z.output<typeof PaymentReport>

/** Its result is `found` of `confirmPayment`. */
export function selectPaid(deps: Deps, id: string): BatchPart<PaidOrder> {
  return batchPart([selectOrder(deps, id), selectAttempt(deps, id)], ([order], [attempt]) => ({ order, attempt }))
}

interface PaidOrder {
  order: Order | undefined
  attempt: Attempt | undefined
}

/**
 * Confirms the payment of the caller's order with the provider: the body alone proves nothing (R15). `modified`: it
 * became paid by this call. Refuses an unpaid order, another transaction id or order id, and when the provider is down.
 */
export async function confirmPayment(
  deps: Deps,
  caller: User,
  id: string,
  { order: bodyOrderId, transactionId }: PaymentReport,
  found?: PaidOrder | null,
): Promise<{ modified: boolean }> {
  if (bodyOrderId !== undefined && bodyOrderId !== id)
    throw new Refusal('conflict', 'The body names a different order.')
  const { order, attempt } = found ?? (await selectPaid(deps, id).run(deps))
  const before = requireReadable(order, caller)
  let paidWith = before.transactionId
  if (!isPaid(before)) {
    const result = await settleAttempt(deps, attempt)
    if (result === 'provider-away') {
      throw new Refusal('unavailable', 'Stripe is not responding. Try again in a minute.')
    }
    if (result === 'not-paid') throw new Refusal('conflict', 'This order is not paid.')
    paidWith = result.transactionId
  }
  if (paidWith !== transactionId) throw new Refusal('conflict', 'This order was paid with another payment.')
  return { modified: !isPaid(before) }
}
