import { catalogPath } from '../../store/catalog/catalog'
import { describeShortage, type Instrument } from '../../store/catalog/instruments'
import type { Order } from '../../store/orders/orders'
import { ButtonLink } from '../button'

/** `instrument`: null if it is not on sale any more. */
export function OrderAgain({ order, instrument }: { order: Order; instrument: Instrument | null }) {
  if (!instrument) {
    return (
      <>
        {order.productName} is not on sale any more. <a href="/allInstruments">View All Instruments</a>
      </>
    )
  }
  const shortage = describeShortage(instrument, order.quantity)
  // The order itself may hold the last pieces.
  if (shortage && order.state === 'unpaid') return null
  if (shortage) {
    return (
      <>
        {shortage} today, so you cannot order as much again. <a href={catalogPath(instrument)}>View the instrument</a>
      </>
    )
  }
  return (
    <ButtonLink variant="quiet" href={`/instruments/${encodeURIComponent(instrument.id)}?again=${order.id}`}>
      Order Again
    </ButtonLink>
  )
}
