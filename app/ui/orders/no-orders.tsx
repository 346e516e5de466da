import { EmptyState } from '../empty-state'
import { t } from '../../i18n/language'

export function NoOrders() {
  return (
    <EmptyState title={t('No orders yet')} link={{ href: '/allInstruments', text: t('View All Instruments') }}>
      {t('Your orders will appear here.')}
    </EmptyState>
  )
}
