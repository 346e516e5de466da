import type { Deps } from '../../deps'
import { sealEvents, selectCode } from '../../chain/seal.server'
import { isFullyRefunded, isPaid } from '../orders'
import { linksOf, selectInvoice, type InvoiceLink } from './invoices.server'
import { requireReadable, selectOrder } from '../orders.server'
import { proofLines } from './proof.server'
import { receiptLines, type Lines } from './receipts'
import { Refusal } from '../../shared/refusal'
import type { User } from '../../accounts/sign-in'

/**
 * Null unless the order is paid, and the user is its customer or keeps the books (R24, R53). `isSealed`: it has the code of its link
 * in the chain (decision 35), unless there are too many events without a link. `isRefunded`: in full. One round trip, four if the payment has no link yet.
 */
export async function readReceipt(
  deps: Deps,
  user: User,
  orderId: string,
): Promise<{
  lines: Lines
  isSealed: boolean
  isRefunded: boolean
  isOwn: boolean
  from: { origin: string; mail: string }
  invoice: InvoiceLink[] | null
} | null> {
  const { db, origin, shopEmail: mail } = deps
  const [[found], invoice, [link]] = await db.batch([
    selectOrder(deps, orderId),
    selectInvoice(db, orderId),
    selectCode(db, orderId),
  ])
  try {
    const order = requireReadable(found, user, { books: true })
    if (!isPaid(order)) return null
    const code = (link ?? (await seal(deps, orderId)))?.code
    const lines = [...receiptLines(order), ...(code ? proofLines(code, origin) : [])]
    return {
      lines,
      isSealed: code !== undefined,
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

async function seal(deps: Deps, orderId: string) {
  await sealEvents(deps)
  const [link] = await selectCode(deps.db, orderId)
  return link
}
