import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { submit } from '../../http/forms.server'
import { issueSubmissionIds } from '../../http/submission.server'
import { toastTo } from '../../http/toast.server'
import { requireUser } from '../../http/auth/require-user.server'
import { addReview, NewReview } from '../../store/reviews/reviews.server'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SubmissionId, useSendTo } from '../../ui/submission-id'

export { clientAction } from '../../ui/lost-connection'

export const handle = { scripts: true }

const path = '/dashboard/addReview'

export const meta: MetaFunction = () => [{ title: 'Add a Review · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireUser(request, context)
  const { submissionIds, headers } = await issueSubmissionIds(request, context, path)
  return data({ submissionIds }, { headers })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, NewReview, async (review) => {
    await addReview(context, customer, review)
    return toastTo(context, path, 'Thank you for your time and feedback!', { inPlace: true })
  })
}

export default function AddReview() {
  const { submissionIds } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title="Add a Review" lead="How was it? The newest reviews appear on the home page, with your name." />
      {/* The key empties the fields after a review was added. */}
      <Form key={submissionIds[0]} className="form" method="post" action={useSendTo()} noValidate preventScrollReset>
        <ErrorSummary form={form} />
        <SubmissionId form={form} issued={submissionIds} />
        <Field label="Review" {...form.field('description')} rows={6} hint="At most 1000 characters" required />
        <FormError errors={form.errors} />
        <Button busy={busy}>Submit</Button>
      </Form>
    </>
  )
}
