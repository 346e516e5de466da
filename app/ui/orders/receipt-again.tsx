import { Button } from '../button'
import { RowForm } from '../row-form'
import { receiptPath } from './order-links'
import { t } from '../../i18n/language'

/** `backTo`: the page that has it; without, the receipt. */
export function ReceiptAgain({ orderId, backTo }: { orderId: string; backTo?: 'order' }) {
  return (
    <RowForm action={receiptPath(orderId)} fields={{ backTo }}>
      <Button variant="quiet">{t('Send the receipt again')}</Button>
    </RowForm>
  )
}
