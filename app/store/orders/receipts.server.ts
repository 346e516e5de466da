import type { Deps } from '../deps'
import { isPaid } from './orders'
import { linksOf, selectInvoice, type InvoiceLink } from './invoices.server'
import { requireReadable, selectOrder } from './orders.server'
import { receiptLines } from './receipts'
import { Refusal } from '../refusal'
import type { User } from '../accounts/sign-in'

/** Null unless the order is paid, and the user is its customer or an admin (R24). */
export async function readReceipt(
  deps: Deps,
  user: User,
  orderId: string,
): Promise<{
  lines: [name: string, value: string][]
  from: { origin: string; mail: string }
  invoice: InvoiceLink[] | null
} | null> {
  const { db, origin, shopEmail: mail } = deps
  const [[found], invoice] = await db.batch([selectOrder(deps, orderId), selectInvoice(db, orderId)])
  try {
    const order = requireReadable(found, user, { admins: true })
    return isPaid(order)
      ? { lines: receiptLines(order), from: { origin, mail }, invoice: linksOf(orderId, invoice) }
      : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
