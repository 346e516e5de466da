import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { isRouteErrorResponse, useActionData, useLoaderData, useRouteError } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdmin, requireRecentSignIn, requireUser } from '../../http/auth/require-user.server'
import { grantAdmin, searchUsers, revokeAdmin, type UserSummary } from '../../store/accounts/users.server'
import { Refusal } from '../../store/shared/refusal'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { CancelLink, Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { ResponsiveTable, type Refusal as RefusalInRow } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { cutText } from '../../store/shared/text'

const pageSize = 50
const path = '/dashboard/makeAdmin'

export const meta: MetaFunction = () => [{ title: `All Users · ${shopName}` }]

/** `?make=<id>` and `?revoke=<id>` open the confirmation, so that it works without scripts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const admin = await requireAdmin(request, context)
  const { pathname, search, searchParams } = new URL(request.url)
  const after = searchParams.get('after') ?? undefined
  const q = cutText(searchParams.get('q')?.trim() ?? '', 200)
  const [make, revoke] = [searchParams.get('make'), searchParams.get('revoke')]
  const choose = make ?? revoke ?? undefined
  if (choose !== undefined) requireRecentSignIn(context, admin, pathname + search)
  const { users, next, chosen } = await searchUsers(context, { q, after, limit: pageSize, choose })
  const isOpen = chosen?.role === (make === null ? 'admin' : 'customer') && !chosen.isClosed
  return { users, next, query: { q, after }, chosen: isOpen ? chosen : null }
}

const UserAction = z.object({
  email: z.string({ error: 'Choose a user' }).max(254),
  act: z.enum(['make-admin', 'revoke-admin', 'remove']),
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
    const isGrant = act === 'make-admin'
    const done = await (isGrant ? grantAdmin(context, admin.id, email) : revokeAdmin(context, admin, email))
    if (done === null) throw new Refusal('not-found', 'No user has this email.')
    logSecurityEvent(context, isGrant ? 'admin granted' : 'admin revoked', { user: admin.id })
    return toastTo(context, back, isGrant ? 'Admin added successfully' : 'Admin revoked')
  })
}

interface Query {
  q: string
  after: string | undefined
}

function listPath({ q, after }: Query): string {
  const params = new URLSearchParams({ ...(q && { q }), ...(after !== undefined && { after }) })
  return params.size > 0 ? `${path}?${params}` : path
}

export default function MakeAdmin() {
  const { users, next, query, chosen } = useLoaderData<typeof loader>()
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = users.find(({ email }) => email === field('email').initialValue)
  return (
    <>
      {chosen && <RoleDialog key={chosen.id} user={chosen} query={query} />}
      <div className="desk-head">
        <PageHeader title="All Users" />
        <search>
          <form className="desk-search" action={path}>
            <Field label="Search" name="q" type="search" initialValue={query.q} placeholder="Name or email" />
            <Button variant="quiet">Search</Button>
          </form>
        </search>
      </div>
      {!refused && <FormError errors={errors} />}
      {users.length > 0 ? (
        <UserTable users={users} query={query} refusal={refused && { row: refused, errors }} />
      ) : (
        <EmptyState title="No matches" link={{ href: path, text: 'All users' }}>
          No name and no email has “{query.q}”. One or two letters find the beginning of an email.
        </EmptyState>
      )}
      <Pager
        first={query.after === undefined ? null : listPath({ ...query, after: undefined })}
        next={next && listPath({ ...query, after: next })}
      />
    </>
  )
}

interface UserTableProps {
  users: UserSummary[]
  query: Query
  refusal: RefusalInRow<UserSummary>
}

function UserTable({ users, query, refusal }: UserTableProps) {
  return (
    <ResponsiveTable
      caption="All Users"
      className="users"
      rows={users}
      refusal={refusal}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Email', rowHeader: true, cell: (user) => <Email user={user} /> },
        { header: 'Name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
        { header: 'Role', cell: (user) => <UserRole user={user} query={query} /> },
        { header: 'Action', cell: (user) => <RemoveButton user={user} query={query} /> },
      ]}
    />
  )
}

function Email({ user }: { user: UserSummary }) {
  return (
    <>
      <a id={user.id} href={`${path}/${user.id}`}>
        {user.email}
      </a>{' '}
      {!user.isVerified && !user.isClosed && <span className="hint">not verified</span>}{' '}
      {user.staffRole && <span className="hint">{user.staffRole}</span>}
    </>
  )
}

interface RowProps {
  user: UserSummary
  query: Query
}

function UserRole({ user, query }: RowProps) {
  if (user.isClosed) return <>Closed account</>
  if (user.role !== 'admin') return <AskButton user={user} query={query} ask="make" text="Make Admin" />
  return (
    <div className="badges">
      <Badge>ADMIN</Badge> {!user.isVerified && <span className="hint">after the email is verified</span>}
      <AskButton user={user} query={query} ask="revoke" text="Revoke Admin" />
    </div>
  )
}

/** Opens the confirmation. */
function AskButton({ user, query: { q, after }, ask, text }: RowProps & { ask: 'make' | 'revoke'; text: string }) {
  return (
    <form method="get" action={path}>
      {q && <input type="hidden" name="q" value={q} />}
      {after !== undefined && <input type="hidden" name="after" value={after} />}
      <input type="hidden" name={ask} value={user.id} />
      <Button variant="quiet" id={buttonId(user)} aria-describedby={user.id}>
        {text}
      </Button>
    </form>
  )
}

function buttonId({ id }: UserSummary): string {
  return `role-${id}`
}

function RemoveButton({ user, query }: RowProps) {
  if (user.isClosed) return <>–</>
  return (
    <RowForm action={listPath(query)} fields={{ email: user.email, anchor: user.id, act: 'remove' }}>
      <Button variant="quiet" aria-describedby={user.id}>
        Remove User
      </Button>
    </RowForm>
  )
}

function RoleDialog({ user, query }: RowProps) {
  const isRevoke = user.role === 'admin'
  const act = isRevoke ? 'revoke-admin' : 'make-admin'
  return (
    <Dialog title={isRevoke ? `Revoke the admin role of ${user.name}?` : `Make ${user.name} an admin?`}>
      <p className="wrap-anywhere">
        {isRevoke
          ? `From the next page on, ${user.email} is a customer.`
          : `${user.email} can then change products, orders and the roles of all users${user.isVerified ? '' : ' after this email is verified'}.`}
      </p>
      <RowForm className="actions" action={listPath(query)} fields={{ email: user.email, anchor: user.id, act }}>
        <Button variant={isRevoke ? 'danger' : 'main'}>{isRevoke ? 'Revoke Admin' : 'Make Admin'}</Button>{' '}
        <CancelLink href={`${listPath(query)}#${buttonId(user)}`}>Cancel</CancelLink>
      </RowForm>
    </Dialog>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 403) return <PageHeader title="You cannot make an admin" />
  throw error
}
