import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useNavigation } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireAdmin } from '../../http/visitor.server'
import { addInstrument, NewInstrumentForm } from '../../store/stockroom.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { InstrumentFields } from '../../ui/instrument-fields'
import { InstrumentPreview } from '../../ui/instrument-preview'
import { PageHeader } from '../../ui/page-header'

export const meta: MetaFunction = () => [{ title: 'Add Product · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdmin(request, context)
  return null
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdmin(request, context)
  return submit({ request, context }, NewInstrumentForm, async (wanted) => {
    await addInstrument(context, admin.id, wanted)
    return toastTo(context, '/dashboard/addProduct', 'New Product added!')
  })
}

export default function AddProduct() {
  const form = formState(useActionData<typeof action>())
  const busy = useNavigation().state !== 'idle'
  const [typed, setTyped] = useState<Record<string, string>>()
  function look({ currentTarget }: FormEvent<HTMLFormElement>) {
    setTyped(Object.fromEntries(new FormData(currentTarget)) as Record<string, string>)
  }
  return (
    <>
      <PageHeader title="Add Product" />
      <div className="beside-preview">
        <Form className="form" method="post" noValidate onInput={look}>
          <InstrumentFields form={form} />
          <Field label="Available quantity" {...form.field('availableQuantity')} inputMode="numeric" required />
          <FormError errors={form.errors} />
          <Button busy={busy}>Add Product</Button>
        </Form>
        {typed && <InstrumentPreview typed={typed} />}
      </div>
    </>
  )
}
