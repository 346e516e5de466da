import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { chooseOrderEmails, OrderEmails, readOrderEmails } from '../../store/operations/shop-emails.server'
import { Button, ButtonLink } from '../../ui/button'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Select } from '../../ui/select'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const path = '/dashboard/shopEmails'

export const meta: MetaFunction = () => [{ title: `Notifications · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  return { orderEmails: await readOrderEmails(context), shopEmail: context.shopEmail }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, OrderEmails, async (choice) => {
    await chooseOrderEmails(context, admin, choice)
    return toastTo(context, path, 'Saved.')
  })
}

const options = [
  { value: 'each', text: 'Each paid order' },
  { value: 'daily', text: 'Daily summary' },
  { value: 'none', text: 'None' },
]

export default function ShopEmails() {
  const { orderEmails, shopEmail } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), { orderEmails })
  return (
    <>
      <PageHeader
        title="Notifications"
        lead={`They go to ${shopEmail}. The daily summary comes after midnight UTC, if there were paid orders. Emails about low stock are a setting of each product.`}
      />
      <form className="form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <Select label="About orders" options={options} {...form.field('orderEmails')} />
        <FormError errors={form.errors} />
        <p className="actions">
          <Button>Save</Button>{' '}
          <ButtonLink variant="quiet" href="/dashboard">
            Back
          </ButtonLink>
        </p>
      </form>
    </>
  )
}
