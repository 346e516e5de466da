import type { Instrument } from '../../store/catalog/instruments'
import { describeStock } from '../../store/catalog/stock'
import { Button } from '../button'
import { Field } from '../field'

interface PurchaseFormProps {
  instrument: Instrument
  /** It cannot be ordered now; the purchase page says what one can do (R41). */
  isShort: boolean
}

/** Without rules of the browser: the purchase page says what is wrong with a quantity, by the stock of then. */
export function PurchaseForm({ instrument, isShort }: PurchaseFormProps) {
  const { id, minQuantity, availableQuantity } = instrument
  return (
    <form className="buy" action={`/instruments/${encodeURIComponent(id)}`} noValidate>
      {!isShort && (
        <Field
          label="Quantity"
          name="quantity"
          type="number"
          inputMode="numeric"
          min={minQuantity}
          max={availableQuantity}
          initialValue={String(minQuantity)}
          aria-describedby="minimum"
        />
      )}
      <Button variant={isShort ? 'quiet' : 'main'}>Purchase</Button>
    </form>
  )
}

/** Outside the form, so that the page as plain text has it. */
export function MinimumOrder({ instrument }: { instrument: Instrument }) {
  const { minQuantity, availableQuantity } = instrument
  return (
    <p className="hint" id="minimum">
      Minimum order: {minQuantity} {minQuantity === 1 ? 'piece' : 'pieces'}
      {describeStock(instrument) === 'In stock' && `, ${availableQuantity} available`}
    </p>
  )
}
