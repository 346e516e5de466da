import { formatCents } from '../../store/shared/money'
import { isFullyRefunded, type Order } from '../../store/orders/orders'
import { Badge } from '../badge'
import { t } from '../../i18n/language'

/** Beside 'Paid', which a refund does not change (R47). */
export function Refunded({ order }: { order: Pick<Order, 'refundedCents' | 'totalCents'> }) {
  if (order.refundedCents === 0) return null
  return (
    <>
      {isFullyRefunded(order) && <Badge>{t('Refunded')}</Badge>}{' '}
      <small className="held-until">{t('Refund: {sum}', { sum: formatCents(order.refundedCents) })}</small>
    </>
  )
}
