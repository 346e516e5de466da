import type { InstrumentDetails } from '../../store/catalog/instruments'
import { dayText, inFirstDay, inLastDay, timeZone } from '../../store/shared/dates'
import { dollarsText } from '../../store/shared/money'
import { Field } from '../field'
import { Fold } from '../fold'
import type { FormState } from '../form-state'

/** A lower price from a day to a day (decision 54). Folded while there is none. */
export function SaleFields({ form }: { form: FormState }) {
  const fields = [form.field('salePrice'), form.field('saleFrom'), form.field('saleUntil')] as const
  const [price, from, until] = fields
  return (
    <Fold
      title="Sale price (optional)"
      isOpen={fields.some(({ initialValue, errors }) => Boolean(initialValue || errors))}
    >
      <Field
        label="On sale for"
        {...price}
        inputMode="decimal"
        hint="Instead of the price, in dollars. Beside it customers see the lowest price of the 30 days before."
      />
      <div className="pair">
        <Field label="First day" {...from} type="date" hint={`${timeZone}. Empty: today.`} />
        <Field label="Last day" {...until} type="date" hint={`${timeZone}.`} />
      </div>
    </Fold>
  )
}

export function saleValues({ saleCents, saleFromAt, saleUntilAt }: InstrumentDetails) {
  return {
    salePrice: saleCents === null ? '' : dollarsText(saleCents),
    saleFrom: dayText(saleFromAt && inFirstDay(saleFromAt)),
    saleUntil: dayText(saleUntilAt && inLastDay(saleUntilAt)),
  }
}
