import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { chooseShopEmails, readShopEmails, ShopEmails } from '../../store/operations/shop-emails.server'
import { timeZone } from '../../store/shared/dates'
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
  return { chosen: await readShopEmails(context), shopEmail: context.shopEmail }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, ShopEmails, async (choice) => {
    await chooseShopEmails(context, admin, choice)
    return toastTo(context, path, 'Saved.')
  })
}

const options = [
  { value: 'each', text: 'Each paid order' },
  { value: 'daily', text: 'Daily summary' },
  { value: 'none', text: 'None' },
]

const eachOrNone = [
  { value: 'each', text: 'Each' },
  { value: 'none', text: 'None' },
]

const stockOptions = [
  { value: 'each', text: 'At the number that a product’s form says' },
  { value: 'none', text: 'None' },
]

export default function Notifications() {
  const { chosen, shopEmail } = useLoaderData<typeof loader>()
  const form = formState(useActionData<typeof action>(), chosen)
  return (
    <>
      <PageHeader
        title="Notifications"
        lead={`They go to ${shopEmail}. The daily summary comes after midnight (${timeZone}), if there were paid orders. What fails, such as a refund or a webhook, is always written.`}
      />
      <form className="form" method="post" action={useSendTo()} noValidate>
        <ErrorSummary form={form} />
        <Select label="About orders" options={options} {...form.field('orderEmails')} />
        <Select label="About messages" options={eachOrNone} {...form.field('messageEmails')} />
        <Select label="About price requests" options={eachOrNone} {...form.field('quoteEmails')} />
        <Select label="About low stock" options={stockOptions} {...form.field('stockEmails')} />
        <FormError errors={form.errors} />
        <p className="actions">
          <Button>Save</Button>{' '}
          <ButtonLink variant="quiet" href="/dashboard/settings">
            Back
          </ButtonLink>
        </p>
      </form>
    </>
  )
}
