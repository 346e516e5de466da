import { formatCode, verifyPath } from '../../chain/codes'
import type { VerifiedReceipt } from '../../chain/verify-receipt.server'
import { formatTime } from '../../shared/dates'
import { formatCents } from '../../shared/money'
import { isFullyRefunded } from '../orders'
import { checkLink, instrumentLine, type Lines } from './receipts'
import { t } from '../../../i18n/language'

/** What names the link of a receipt, for people and for browsers. */
export function proofLines(code: string, origin: string): Lines {
  return [
    [t('Receipt code'), formatCode(code)],
    [t(checkLink), origin + verifyPath(code)],
  ]
}

/** Of a receipt that somebody checks: nothing of a person. */
export function verifiedLines({ number, order, position, newest }: VerifiedReceipt): Lines {
  if (!order) return []
  const { totalCents, refundedCents, shippedAt } = order
  const isRefunded = isFullyRefunded(order)
  const shipped = shippedAt === null ? (isRefunded ? '' : ', not shipped yet') : `, shipped ${formatTime(shippedAt)}`
  const refund = isRefunded ? 'in full' : `${formatCents(refundedCents)} of ${formatCents(totalCents)}`
  return [
    ['Order', `C-${number}`],
    [instrumentLine, order.productName],
    ['Price each', formatCents(order.unitPriceCents)],
    ['Quantity', String(order.quantity)],
    ['Total', formatCents(totalCents)],
    ['Paid', formatTime(order.paidAt)],
    ['Transaction id ends in', order.payment],
    ['State today', `Paid${shipped}${refundedCents === 0 ? '' : `; refunded ${refund}`}`],
    ['Link of the chain', `${position.toLocaleString('en-US')} of ${newest.toLocaleString('en-US')}`],
  ]
}
