import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { listEmails } from '../../store/settings/email-settings.server'
import { Badge } from '../../ui/badge'
import { BackToSettings } from '../../ui/dashboard/back-to-settings'
import { PageHeader } from '../../ui/layout/page-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/emails'

export const meta: MetaFunction = () => [{ title: `Emails · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  return { emails: await listEmails(context) }
}

export default function Emails() {
  const { emails } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Emails" lead="What your customers read in emails. A change counts from the next email on.">
        <BackToSettings />
      </PageHeader>
      <ResponsiveTable
        caption="Emails"
        rows={emails}
        rowKey={({ kind }) => kind}
        columns={[
          {
            header: 'Email',
            rowHeader: true,
            cell: ({ kind, label }) => (
              <a className="link" href={`${path}/${kind}`}>
                {label}
              </a>
            ),
          },
          { header: 'Sent', cell: ({ sent }) => sent },
          { header: 'Words', cell: ({ isOwn }) => (isOwn ? <Badge tone="success">Yours</Badge> : 'Default') },
        ]}
      />
    </>
  )
}
