import type { Deps } from '../../deps'
import { isFullyRefunded, isPaid } from '../orders'
import { linksOf, selectInvoice, type InvoiceLink } from './invoices.server'
import { requireReadable, selectOrder } from '../orders.server'
import { receiptLines, type Lines } from './receipts'
import { Refusal } from '../../shared/refusal'
import type { User } from '../../accounts/sign-in'

/**
 * Null unless the order is paid, and the user is its customer or keeps the books (R24, R53). `isRefunded`: in full. One
 * round trip.
 */
export async function readReceipt(
  deps: Deps,
  user: User,
  orderId: string,
): Promise<{
  lines: Lines
  isRefunded: boolean
  isOwn: boolean
  from: { origin: string; mail: string }
  invoice: InvoiceLink[] | null
} | null> {
  const { db, origin, shopEmail: mail } = deps
  const [[found], invoice] = await db.batch([selectOrder(deps, orderId), selectInvoice(db, orderId)])
  try {
    const order = requireReadable(found, user, { books: true })
    if (!isPaid(order)) return null
    return {
      lines: receiptLines(order),
      isRefunded: isFullyRefunded(order),
      isOwn: order.customerId === user.id,
      from: { origin, mail },
      invoice: linksOf(orderId, invoice),
    }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
