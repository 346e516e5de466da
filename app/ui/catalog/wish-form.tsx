import { Button } from '../button'
import { RowForm } from '../row-form'

/** The same for everybody, so a cached page may have it: after a login the address shows the form again. */
export function WishForm({
  instrumentId,
  label = 'Email me when it is back',
}: {
  instrumentId: string
  label?: string
}) {
  return (
    <RowForm action={`/dashboard/wishes?instrument=${encodeURIComponent(instrumentId)}`} fields={{ instrumentId }}>
      <Button variant="quiet">{label}</Button>
    </RowForm>
  )
}
