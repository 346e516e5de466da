import { Button } from '../button'
import { RowForm } from '../row-form'
import { t } from '../../i18n/language'

/** The same for everybody, so a cached page may have it: after a login the address shows the form again. */
export function WishForm({
  instrumentId,
  label = t('Email me when it is back'),
  variant = 'quiet',
}: {
  instrumentId: string
  label?: string
  variant?: 'main' | 'quiet'
}) {
  return (
    <RowForm action={`/dashboard/wishes?instrument=${encodeURIComponent(instrumentId)}`} fields={{ instrumentId }}>
      <Button variant={variant}>{label}</Button>
    </RowForm>
  )
}
