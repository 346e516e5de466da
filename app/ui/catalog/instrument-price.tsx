import { currentSale } from '../../store/catalog/instruments'
import { formatCents } from '../../store/shared/money'
import { Price } from '../price'
import { t } from '../../i18n/language'

/** Of now, and the lowest of the 30 days before the sale, which the law wants beside it (decision 54). */
export function InstrumentPrice({ instrument }: { instrument: Parameters<typeof currentSale>[0] }) {
  const prior = currentSale(instrument)?.priorCents
  return (
    <>
      <Price cents={instrument.priceCents} />
      {prior && (
        <>
          {' '}
          <s>
            <span className="sr-only">{t('30-day low before the sale:')} </span>
            {formatCents(prior)}
          </s>
        </>
      )}
    </>
  )
}
