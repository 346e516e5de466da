import type { Deps } from '../deps'
import { isPaid } from './orders'
import { readOrder } from './orders.server'
import { receiptLines } from './receipts'
import { Refusal } from '../refusal'
import type { User } from '../accounts/sign-in'

/** The receipt of a paid order, for its customer and for admins; null for everybody else, and while it is not paid (R24). */
export async function readReceipt(
  deps: Deps,
  visitor: User,
  orderId: string,
): Promise<{ lines: [name: string, value: string][]; from: { origin: string; mail: string } } | null> {
  try {
    const order = await readOrder(deps, visitor, orderId, { admins: true })
    return isPaid(order) ? { lines: receiptLines(order), from: { origin: deps.origin, mail: deps.shopEmail } } : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
