import type { Deps } from '../deps'
import { isPaid } from './orders'
import { readOrder } from './orders.server'
import { receiptLines } from './receipts'
import { Refusal } from '../refusal'
import type { User } from '../accounts/sign-in'

/** Null unless the order is paid, and the user is its customer or an admin (R24). */
export async function readReceipt(
  deps: Deps,
  user: User,
  orderId: string,
): Promise<{ lines: [name: string, value: string][]; from: { origin: string; mail: string } } | null> {
  try {
    const order = await readOrder(deps, user, orderId, { admins: true })
    return isPaid(order) ? { lines: receiptLines(order), from: { origin: deps.origin, mail: deps.shopEmail } } : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
