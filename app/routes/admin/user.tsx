import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { toastTo } from '../../http/toast.server'
import { requireAdmin, requireRecentSignIn } from '../../http/auth/require-user.server'
import { endAllSessions } from '../../store/accounts/sessions.server'
import { readCustomer, type CustomerRecord } from '../../store/customer.server'
import { formatDay, formatTime } from '../../store/dates'
import { orderNumber, type OrderState } from '../../store/orders/orders'
import { Button, ButtonLink } from '../../ui/button'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { manageOrderPath } from '../../ui/orders/order-links'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'

const pageSize = 20
const listPath = '/dashboard/makeAdmin'

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: `${data?.user.name ?? 'User'} · ${shopName}` }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdmin(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  const customer = await readCustomer(context, params.id ?? '', { before, limit: pageSize })
  if (!customer) throw new Response(null, { status: 404 })
  return { ...customer, isFirst: before === undefined }
}

/** Signs the user out everywhere. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdmin(request, context)
  const { pathname } = new URL(request.url)
  return submit({ request, context }, z.object({}), async () => {
    requireRecentSignIn(context, admin, pathname)
    await endAllSessions(context, admin, params.id ?? '')
    logSecurityEvent(context, 'sessions ended', { user: admin.id })
    return toastTo(context, pathname, 'This user is signed out everywhere.')
  })
}

export default function User() {
  const { user, orders, next, isFirst, reviews, events } = useLoaderData<typeof loader>()
  const path = `${listPath}/${user.id}`
  return (
    <>
      <PageHeader title={<span className="wrap-anywhere">{user.name}</span>} lead={user.email}>
        {user.closedAt === null && <RoleAndSessions user={user} />}
      </PageHeader>
      <ReceiptLines lines={linesOf(user)} />
      <section className="section" aria-labelledby="orders">
        <SectionHeader title="Orders" id="orders" />
        {orders.length > 0 ? <Orders orders={orders} /> : <p>No orders{isFirst ? ' yet' : ' before these'}.</p>}
        <Pager first={isFirst ? null : path} next={next && `${path}?before=${encodeURIComponent(next)}`} />
      </section>
      <section className="section" aria-labelledby="reviews">
        <SectionHeader title="Reviews" id="reviews" />
        {reviews.length > 0 ? <Reviews reviews={reviews} /> : <p>No reviews yet.</p>}
      </section>
      <section className="section" aria-labelledby="history">
        <SectionHeader title="History" id="history" />
        {events.length > 0 ? <History events={events} /> : <p>Nothing has changed since the registration.</p>}
      </section>
    </>
  )
}

function linesOf(user: CustomerRecord['user']): [string, string][] {
  const { role, isVerified, hasSecondFactor, createdAt, closedAt } = user
  if (closedAt !== null) {
    return [
      ['Account', `Closed on ${formatDay(closedAt)}`],
      ['Registered', formatDay(createdAt)],
    ]
  }
  const roles = { admin: isVerified ? 'Admin' : 'Admin once the email is verified', customer: 'Customer' }
  return [
    ['Role', roles[role]],
    ['Email', isVerified ? 'Verified' : 'Not verified'],
    ['Second factor', hasSecondFactor ? 'On' : 'Off'],
    ['Registered', formatDay(createdAt)],
  ]
}

/** The list asks before it changes a role. */
function RoleAndSessions({ user: { id, role } }: Pick<CustomerRecord, 'user'>) {
  const isAdmin = role === 'admin'
  return (
    <div className="actions">
      <ButtonLink variant="quiet" href={`${listPath}?${isAdmin ? 'revoke' : 'make'}=${id}`}>
        {isAdmin ? 'Revoke Admin' : 'Make Admin'}
      </ButtonLink>{' '}
      <RowForm fields={{}}>
        <Button variant="quiet">Sign out everywhere</Button>
      </RowForm>
    </div>
  )
}

const states: Record<OrderState, string> = {
  unpaid: 'Unpaid',
  paid: 'Paid',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
}

function Orders({ orders }: Pick<CustomerRecord, 'orders'>) {
  return (
    <ResponsiveTable
      caption="Orders"
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Order',
          rowHeader: true,
          cell: (order) => <a href={manageOrderPath(order.id)}>{orderNumber(order)}</a>,
        },
        { header: 'Product', cell: ({ productName }) => <span className="wrap-anywhere">{productName}</span> },
        { header: 'Quantity', numeric: true, cell: ({ quantity }) => quantity },
        { header: 'Total', numeric: true, cell: ({ totalCents }) => <Price cents={totalCents} /> },
        { header: 'Status', cell: ({ state }) => states[state] },
        { header: 'Placed', cell: ({ createdAt }) => formatDay(createdAt) },
      ]}
    />
  )
}

function Reviews({ reviews }: Pick<CustomerRecord, 'reviews'>) {
  return (
    <ul className="ruled">
      {reviews.map(({ id, description, createdAt }) => (
        <li key={id} className="wrap-anywhere">
          “{description}” <span className="hint">{formatDay(createdAt)}</span>
        </li>
      ))}
    </ul>
  )
}

function History({ events }: Pick<CustomerRecord, 'events'>) {
  return (
    <ResponsiveTable
      caption="History"
      rows={events}
      rowKey={({ id }) => String(id)}
      columns={[
        { header: 'When', rowHeader: true, cell: ({ at }) => formatTime(at) },
        { header: 'What', cell: ({ event }) => event },
        { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actor}</span> },
      ]}
    />
  )
}
