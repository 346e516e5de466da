import { EmptyState } from '../empty-state'

export function NoOrders() {
  return (
    <EmptyState title="No orders yet" link={{ href: '/allInstruments', text: 'See all instruments' }}>
      Your orders will appear here.
    </EmptyState>
  )
}
