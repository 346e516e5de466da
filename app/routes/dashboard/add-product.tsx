import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useNavigation } from '@remix-run/react'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireAdmin } from '../../http/visitor.server'
import { addInstrument, NewInstrument } from '../../store/catalogue.server'
import { families } from '../../store/catalogue'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/page-header'
import { Select } from '../../ui/select'

export const meta: MetaFunction = () => [{ title: 'Add Product · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdmin(request, context)
  return null
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdmin(request, context)
  return submit(request, NewInstrument, async (wanted) => {
    await addInstrument(context, admin.id, wanted)
    return toastTo(context, '/dashboard/addProduct', 'New Product added!')
  })
}

const familyOptions = [
  { value: '', text: 'No family' },
  ...families.map((family) => ({ value: family, text: family[0]!.toUpperCase() + family.slice(1) })),
]

export default function AddProduct() {
  const form = formState(useActionData<typeof action>())
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title="Add Product" />
      <Form className="form" method="post" noValidate>
        <Field label="Name" {...form.field('name')} required />
        <Select label="Family" options={familyOptions} {...form.field('family')} />
        <Field
          label="Image URL"
          {...form.field('img')}
          hint="An https address, or a path of this shop such as /plates/oboe.svg"
          required
        />
        <Field label="Description" {...form.field('description')} rows={4} />
        <Field label="Price" {...form.field('price')} inputMode="decimal" hint="In dollars, such as 1450.00" required />
        <Field label="Available quantity" {...form.field('availableQuantity')} inputMode="numeric" required />
        <Field label="Minimum quantity" {...form.field('minQuantity')} inputMode="numeric" required />
        <FormError errors={form.errors} />
        <Button busy={busy}>Add Product</Button>
      </Form>
    </>
  )
}
