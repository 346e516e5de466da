import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { isRouteErrorResponse, useActionData, useLoaderData, useRouteError } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/back-to-list.server'
import { submit } from '../../http/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/toast.server'
import { requireAdmin, requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { grantAdmin, listUsers, type UserSummary } from '../../store/accounts/users.server'
import { Refusal } from '../../store/refusal'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'

const pageSize = 50
const path = '/dashboard/makeAdmin'

export const meta: MetaFunction = () => [{ title: 'All Users · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdmin(request, context)
  const after = new URL(request.url).searchParams.get('after') ?? undefined
  return { ...(await listUsers(context, { after, limit: pageSize })), isFirst: after === undefined }
}

const UserAction = z.object({
  email: z.string({ error: 'Choose a user' }).max(254),
  act: z.enum(['make-admin', 'remove']),
  anchor: z.string().max(200).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireUser(request, context)
  if (admin.role !== 'admin') {
    logSecurityEvent(context, 'not allowed', { user: admin.id })
    throw new Response('You cannot make an admin', { status: 403 })
  }
  return submit({ request, context }, UserAction, async ({ email, act, anchor }) => {
    const back = backToList(request, anchor)
    if (act === 'remove') return toastTo(context, back, 'Not implemented yet!', { type: 'info' })
    requireRecentSignIn(context, admin, back)
    if ((await grantAdmin(context, admin.id, email)) === null) throw new Refusal('not-found', 'No user has this email.')
    logSecurityEvent(context, 'admin granted', { user: admin.id })
    return toastTo(context, back, 'Admin added successfully')
  })
}

export default function MakeAdmin() {
  const { users, next, isFirst } = useLoaderData<typeof loader>()
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = users.find(({ email }) => email === field('email').initialValue)
  return (
    <>
      <PageHeader title="All Users" />
      {!refused && <FormError errors={errors} />}
      <ResponsiveTable
        caption="All Users"
        rows={users}
        refusal={refused && { row: refused, errors }}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Email', rowHeader: true, cell: (user) => <Email user={user} /> },
          { header: 'Name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
          { header: 'Role', cell: (user) => <MakeAdminButton user={user} /> },
          {
            header: 'Action',
            cell: (user) => (
              <UserButton user={user} act="remove">
                Remove User
              </UserButton>
            ),
          },
        ]}
      />
      <Pager first={isFirst ? null : path} next={next && `${path}?after=${encodeURIComponent(next)}`} />
    </>
  )
}

function Email({ user }: { user: UserSummary }) {
  return (
    <>
      <RowName id={user.id}>{user.email}</RowName> {!user.isVerified && <span className="hint">not verified</span>}
    </>
  )
}

function MakeAdminButton({ user }: { user: UserSummary }) {
  if (user.role === 'admin') {
    return (
      <>
        <Badge>ADMIN</Badge> {!user.isVerified && <span className="hint">after the email is verified</span>}
      </>
    )
  }
  return (
    <UserButton user={user} act="make-admin">
      Make Admin
    </UserButton>
  )
}

function UserButton({ user, act, children }: { user: UserSummary; act: 'make-admin' | 'remove'; children: string }) {
  return (
    <RowForm fields={{ email: user.email, anchor: user.id, act }}>
      <Button variant="quiet" aria-describedby={user.id}>
        {children}
      </Button>
    </RowForm>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 403) return <PageHeader title="You cannot make an admin" />
  throw error
}
