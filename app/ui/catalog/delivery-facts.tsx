import type { DeliveryTerms } from '../../store/orders/delivery-terms'
import { t } from '../../i18n/language'

/** Shipping is included in the price (R46). */
export function DeliveryFacts({ time, returns }: DeliveryTerms) {
  return (
    <dl className="facts">
      <div>
        <dt>{t('Delivery')}</dt>
        <dd>{time ? t('{time}, included in the price', { time }) : t('Included in the price')}</dd>
      </div>
      {returns && (
        <div>
          <dt>{t('Returns')}</dt>
          <dd>{returns}</dd>
        </div>
      )}
    </dl>
  )
}
