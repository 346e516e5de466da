import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { orders } from '../../db/schema'
import type { Deps } from '../deps'
import { dollarsInCents } from '../dollars.server'
import { formatCents } from '../money'
import { isPaid } from '../orders/orders'
import { isUnpaid, readOrder } from '../orders/orders.server'
import { startIntent } from './payments.server'
import { Refusal } from '../refusal'
import { confirmOrderPayment } from './confirm-payment.server'
import type { User } from '../accounts/sign-in'

/** What a program asks to pay for (R16): the price in dollars that it was shown, and which order, which may be left out. */
export const PaymentRequest = z.strictObject({
  orderPrice: dollarsInCents('The price in dollars').pipe(z.number().min(0, { error: 'Price cannot be negative' })),
  orderId: z.string().max(100).optional(),
})
export type PaymentRequest = z.output<typeof PaymentRequest>

/**
 * Opens the intent of the caller's own unpaid order, or answers the one that is open (R16). The amount is the order's;
 * a price that is not that is refused (R10), and so is a price alone that no unpaid order of the caller's has, or several.
 */
export async function requestPayment(
  deps: Deps,
  caller: User,
  { orderPrice, orderId }: PaymentRequest,
): Promise<{ clientSecret: string }> {
  const id = orderId ?? (await findByPrice(deps, caller, orderPrice))
  const order = await readOrder(deps, caller, id)
  if (order.totalCents !== orderPrice) {
    throw new Refusal('conflict', `This order costs ${formatCents(order.totalCents)}. Nothing was charged.`)
  }
  return startIntent(deps, caller, id)
}

async function findByPrice({ db }: Deps, caller: { id: string }, cents: number): Promise<string> {
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.customerId, caller.id), isUnpaid, eq(orders.totalCents, cents)))
    .limit(2)
  if (found.length === 1) return found[0]!.id
  const how = found.length === 0 ? 'None' : 'More than one'
  throw new Refusal('conflict', `${how} of your unpaid orders costs ${formatCents(cents)}. Name one with orderId.`)
}

/** What a program says of a payment: the order's id may be repeated, and is checked then. */
export const PaymentNews = z.strictObject({
  order: z.string().max(100).optional(),
  transactionId: z.string().min(1).max(255),
})
export type PaymentNews = z.output<typeof PaymentNews>

/**
 * Asks the provider whether the caller's own order is paid, because the caller says so: nothing else that is said counts
 * (R15). `modified` is whether it became paid by this. Refuses while it is not paid or the provider is away, a transaction id
 * that is not the one that paid for it, and a body that names another order.
 */
export async function confirmPayment(
  deps: Deps,
  caller: User,
  id: string,
  { order: repeated, transactionId }: PaymentNews,
): Promise<{ modified: boolean }> {
  if (repeated !== undefined && repeated !== id) throw new Refusal('conflict', 'The body names another order.')
  const before = await readOrder(deps, caller, id)
  if (!isPaid(before)) {
    const settlement = await confirmOrderPayment(deps, id)
    if (settlement === 'provider-away') {
      throw new Refusal('unavailable', 'The card payment service does not answer. Try again in a minute.')
    }
    if (settlement === 'not-paid') throw new Refusal('conflict', 'This order is not paid.')
  }
  const after = await readOrder(deps, caller, id)
  if (after.transactionId !== transactionId) throw new Refusal('conflict', 'Another payment has paid for this order.')
  return { modified: !isPaid(before) }
}
