import { catalogPath, purchasePath } from '../../store/catalog/catalog'
import { describeShortage, type Instrument } from '../../store/catalog/instruments'
import type { Order } from '../../store/orders/orders'
import { ButtonLink } from '../button'
import { t } from '../../i18n/language'

/** `instrument`: null if it is not on sale any more. */
export function OrderAgain({ order, instrument }: { order: Order; instrument: Instrument | null }) {
  if (!instrument) {
    return (
      <>
        {t('{product} is not on sale any more.', { product: order.productName })}{' '}
        <a href="/allInstruments">{t('View All Instruments')}</a>
      </>
    )
  }
  const shortage = describeShortage(instrument, order.quantity)
  // The order itself may hold the last pieces.
  if (shortage && order.state === 'unpaid') return null
  if (shortage) {
    return (
      <>
        {t('{shortage} today, so you cannot order as much again.', { shortage })}{' '}
        <a href={catalogPath(instrument)}>{t('View the instrument')}</a>
      </>
    )
  }
  return (
    <ButtonLink variant="quiet" href={`${purchasePath(instrument.id)}?again=${order.id}`}>
      {t('Order Again')}
    </ButtonLink>
  )
}
