import { EmptyState } from '../empty-state'

export function NoOrders() {
  return (
    <EmptyState title="No orders yet" link={{ href: '/allInstruments', text: 'View All Instruments' }}>
      Your orders will appear here.
    </EmptyState>
  )
}
