import { EmptyState } from '../empty-state'

export function NoOrders() {
  return (
    <EmptyState title="No orders yet" link={{ href: '/allInstruments', text: 'See all instruments' }}>
      What you order stands here, until it is paid and shipped.
    </EmptyState>
  )
}
