import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireVisitor } from '../../http/visitor.server'
import { newId } from '../../store/ids.server'
import { addReview, NewReview } from '../../store/reviews.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/page-header'

export const meta: MetaFunction = () => [{ title: 'Add a Review · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireVisitor(request, context)
  return { sheet: newId() }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireVisitor(request, context)
  return submit({ request, context }, NewReview, async (review) => {
    await addReview(context, customer, review)
    return toastTo(context, '/dashboard/addReview', 'Thank you for your time and feedback!')
  })
}

export default function AddReview() {
  const { sheet } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title="Add a Review" lead="How was it? The newest reviews stand on our home page, under your name." />
      <Form className="form" method="post" noValidate preventScrollReset>
        {/* A review that was taken leaves a new sheet: without the key, scripts would keep the old text in the field. */}
        <Field
          key={sheet}
          label="Review"
          {...form.field('description')}
          rows={6}
          hint="At most 1000 characters"
          required
        />
        <FormError errors={form.errors} />
        <Button busy={busy}>Submit</Button>
      </Form>
    </>
  )
}
