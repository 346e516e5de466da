import { formatCents } from '../../store/shared/money'
import { piecesToShip, type Order } from '../../store/orders/orders'
import { Button } from '../button'
import { Checkbox } from '../checkbox'
import { Field } from '../field'
import { ErrorSummary } from '../form-error'
import type { FormState } from '../form-state'

interface RefundFormProps {
  order: Order
  form: FormState
  /** Of the page that asks. */
  action: string
  /** What the list shows. */
  fields: [name: string, value: string][]
}

/** Pays nothing: it leads to the page that asks, by GET, so that Back and a reload are harmless. */
export function RefundForm({ order, form, action, fields }: RefundFormProps) {
  const left = order.totalCents - order.refundedCents
  const pieces = piecesToShip(order)
  return (
    <form className="form" action={action} noValidate>
      <ErrorSummary form={form} />
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field label="Amount" {...form.field('amount')} inputMode="decimal" autoComplete="off" hint="Such as 150.00" />
      <Checkbox label={`All that is left (${formatCents(left)})`} {...form.field('all')} />
      <Field
        label="Reason"
        {...form.field('reason')}
        required
        maxLength={200}
        hint="The customer reads it in the email."
      />
      {pieces > 0 && (
        <Field
          label="Pieces back to stock"
          {...form.field('restock')}
          inputMode="numeric"
          hint={`At most ${pieces}. They are on sale again at once.`}
        />
      )}
      <Button variant="quiet">Refund</Button>
    </form>
  )
}
