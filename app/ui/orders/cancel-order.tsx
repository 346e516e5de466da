import { Button } from '../button'
import { RowForm } from '../row-form'
import { t } from '../../i18n/language'

interface CancelOrderProps {
  fields: Record<string, string | undefined>
  describedBy?: string
}

/** Asks first: what was cancelled has to be ordered again. */
export function CancelOrder({ fields, describedBy }: CancelOrderProps) {
  return (
    <details className="cancel">
      <summary className="button button-quiet" aria-describedby={describedBy}>
        {t('Cancel')}
      </summary>
      <RowForm fields={fields}>
        <Button variant="danger" aria-describedby={describedBy}>
          {t('Cancel the order')}
        </Button>
      </RowForm>
    </details>
  )
}
