import { Checkbox } from '../checkbox'
import { Field } from '../field'
import type { FormState } from '../form-state'

export function FamilyFields({ form }: { form: FormState }) {
  return (
    <>
      <Field label="Name" {...form.field('name')} hint="At most 30 characters, like Folk strings." required />
      <Field
        label="Address"
        {...form.field('slug')}
        hint="In links, JSON and CSV: small letters, digits and hyphens, like folk-strings. A former address leads to the new one."
        required
      />
      <Checkbox label="Cases: shown beside the instruments that they fit" {...form.field('cases')} />
    </>
  )
}
