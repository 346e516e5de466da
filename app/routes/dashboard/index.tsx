import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireVisitor } from '../../http/visitor.server'
import { hasVerifiedEmail, resendVerification } from '../../store/customers.server'
import { sendWaitingMail } from '../../store/outbox.server'
import { Button } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'

export const meta: MetaFunction = () => [
  { title: 'Dashboard · Cadenza' },
  { name: 'description', content: 'Your orders, your reviews and your profile.' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const visitor = await requireVisitor(request, context)
  return { name: visitor.name, email: visitor.email, isVerified: await hasVerifiedEmail(context, visitor) }
}

/** The verification mail once more. */
export async function action({ request, context }: ActionFunctionArgs) {
  const visitor = await requireVisitor(request, context)
  return submit({ request, context }, z.object({}), async () => {
    await resendVerification(context, visitor)
    context.later(() => sendWaitingMail(context))
    return toastTo(context, '/dashboard', 'The mail is on its way to you.')
  })
}

export default function Greeting() {
  const { name, email, isVerified } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>())
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <PageHeader title={`Hello, ${name}`} lead="Welcome to your Dashboard" />
      {!isVerified && (
        <Notice>
          <p>Your email {email} is not verified yet: please open the link that we mailed to you.</p>
          <Form method="post">
            <FormError errors={form.errors} />
            <Button variant="quiet" busy={busy}>
              Send it again
            </Button>
          </Form>
        </Notice>
      )}
    </>
  )
}
