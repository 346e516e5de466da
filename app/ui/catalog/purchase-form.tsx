import { purchasePath } from '../../store/catalog/catalog'
import type { Instrument } from '../../store/catalog/instruments'
import { describeStock } from '../../store/catalog/stock'
import { Button } from '../button'
import { Field } from '../field'
import { t } from '../../i18n/language'

interface PurchaseFormProps {
  instrument: Instrument
  /** It cannot be ordered now; the purchase page says what one can do (R41). */
  isShort: boolean
  /** As it was sent; empty: not yet. */
  quantity: string
  error: string | null
}

const formId = 'buy'

/** Without rules of the browser: the shop says what is wrong with a quantity, by the stock of then. */
export function PurchaseForm({ instrument, isShort, quantity, error }: PurchaseFormProps) {
  const { id, minQuantity, availableQuantity } = instrument
  return (
    <form id={formId} className="buy" action={purchasePath(id)} noValidate>
      {!isShort && (
        <Field
          label={t('Quantity')}
          name="quantity"
          type="number"
          inputMode="numeric"
          min={minQuantity}
          max={availableQuantity}
          initialValue={quantity || error ? quantity : String(minQuantity)}
          errors={error ? [error] : null}
          aria-describedby={error ? 'quantity-error minimum' : 'minimum'}
        />
      )}
      <Button variant={isShort ? 'quiet' : 'main'}>{t('Purchase')}</Button>
    </form>
  )
}

/** Past the login, which a new customer does not need. Outside the form, in which Enter presses Purchase. */
export function NewCustomer() {
  return (
    <button form={formId} name="new" value="1" className="link">
      {t('New here? Create an account')}
    </button>
  )
}

/** Outside the form, so that the page as plain text has it. */
export function MinimumOrder({ instrument }: { instrument: Instrument }) {
  const { minQuantity, availableQuantity } = instrument
  return (
    <p className="hint" id="minimum">
      {t(minQuantity === 1 ? 'Minimum order: {count} piece' : 'Minimum order: {count} pieces', { count: minQuantity })}
      {describeStock(instrument) === t('In stock') && t(', {count} available', { count: availableQuantity })}
      {minQuantity > 1 && (
        <>
          {'. '}
          {t('Need one?')} <a href="/home#contact">{t('Ask us')}</a>
        </>
      )}
    </p>
  )
}
