import { families } from '../../store/catalog/instruments'
import { Field } from '../field'
import type { FormState } from '../form-state'
import { Select } from '../select'

const familyOptions = [
  { value: '', text: 'No family' },
  ...families.map((family) => ({ value: family, text: family[0]!.toUpperCase() + family.slice(1) })),
]

export function InstrumentFields({ form }: { form: FormState }) {
  return (
    <>
      <Field label="Name" {...form.field('name')} required />
      <Select label="Family" options={familyOptions} {...form.field('family')} />
      <Field
        label="Image URL"
        {...form.field('img')}
        hint="An https address, or a path of this shop such as /plates/oboe.svg"
        required
      />
      <Field label="Description" {...form.field('description')} rows={4} />
      <Field label="Price" {...form.field('price')} inputMode="decimal" hint="In dollars, such as 1,450.00" required />
      <Field label="Minimum quantity" {...form.field('minQuantity')} inputMode="numeric" required />
    </>
  )
}
