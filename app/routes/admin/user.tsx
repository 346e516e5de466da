import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { z } from 'zod'
import { submit } from '../../http/request/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { backToList } from '../../http/response/back-to-list.server'
import { toastTo } from '../../http/response/toast.server'
import { requireAdmin, requireRecentSignIn } from '../../http/auth/require-user.server'
import { CustomerNote, writeCustomerNote } from '../../store/accounts/customer-notes.server'
import { staffRoles, type StaffRole } from '../../store/accounts/sign-in'
import { endAllSessions } from '../../store/accounts/sessions.server'
import { setStaffRole } from '../../store/accounts/users.server'
import { readCustomer, type CustomerRecord } from '../../store/screens/customer.server'
import { formatDay, formatTime } from '../../store/shared/dates'
import { formatCents } from '../../store/shared/money'
import { orderNumber, type OrderState } from '../../store/orders/orders'
import { Button, ButtonLink } from '../../ui/button'
import { CommandForm } from '../../ui/command-form'
import { CancelLink, Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { SectionHeader } from '../../ui/layout/section-header'
import { manageOrderPath } from '../../ui/orders/order-links'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { cutText } from '../../store/shared/text'
import { pathTo } from '../../path-to'

const pageSize = 20
const listPath = '/dashboard/makeAdmin'

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: `${data?.user.name ?? 'User'} · ${shopName}` }]

const StaffRoleChoice = z.enum([...staffRoles, 'none'])

const UserCommand = CustomerNote.extend({ role: StaffRoleChoice.optional(), command: z.literal('note').optional() })

/** `?role=` opens the confirmation, so that it works without scripts. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const admin = await requireAdmin(request, context)
  const { pathname, search, searchParams } = new URL(request.url)
  const before = searchParams.get('before') ?? undefined
  const asked = StaffRoleChoice.safeParse(searchParams.get('role')).data ?? null
  if (asked) requireRecentSignIn(context, admin, pathname + search)
  const customer = await readCustomer(context, params.id ?? '', { before, limit: pageSize })
  if (!customer) throw new Response(null, { status: 404 })
  const { role, closedAt, staffRole } = customer.user
  const canAsk = role === 'customer' && closedAt === null && asked !== (staffRole ?? 'none')
  return { ...customer, isFirst: before === undefined, asked: canAsk ? asked : null }
}

/** Writes the note, gives a role or takes it away; otherwise signs the user out everywhere. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const admin = await requireAdmin(request, context)
  const { pathname } = new URL(request.url)
  const back = backToList(request, undefined)
  return submit({ request, context }, UserCommand, async ({ role, command, ...note }) => {
    if (command === 'note') {
      await writeCustomerNote(context, admin, params.id ?? '', note)
      return toastTo(context, back, note.note === null ? 'Note removed.' : 'Note saved.')
    }
    requireRecentSignIn(context, admin, pathname)
    if (role !== undefined) {
      await setStaffRole(context, admin, params.id ?? '', role === 'none' ? null : role)
      const isEnd = role === 'none'
      logSecurityEvent(context, isEnd ? 'staff role revoked' : 'staff role granted', { user: admin.id })
      return toastTo(context, pathname, isEnd ? 'Role revoked.' : `This user is a ${role} now.`)
    }
    await endAllSessions(context, admin, params.id ?? '')
    logSecurityEvent(context, 'sessions ended', { user: admin.id })
    return toastTo(context, back, 'This user is signed out everywhere.')
  })
}

export default function User() {
  const { user, note, orders, next, isFirst, spent, reviews, quotes, messages, events, asked } =
    useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { errors } = formState(actionData?.lastResult.initialValue?.command === 'note' ? undefined : actionData)
  const path = `${listPath}/${user.id}`
  return (
    <>
      {asked && <StaffRoleDialog user={user} role={asked} />}
      <PageHeader title={<span className="wrap-anywhere">{user.name}</span>} lead={user.email}>
        {user.closedAt === null && <RoleAndSessions user={user} />}
      </PageHeader>
      <FormError errors={errors} />
      <ReceiptLines lines={[...linesOf(user), ...spentLines(spent)]} />
      {user.closedAt === null && <NoteForm note={note} />}
      <section className="section" aria-labelledby="orders">
        <SectionHeader title="Orders" id="orders" />
        {orders.length > 0 ? <Orders orders={orders} /> : <p>No orders{isFirst ? ' yet' : ' before these'}.</p>}
        <Pager first={isFirst ? null : path} next={next && `${path}?before=${encodeURIComponent(next)}`} />
      </section>
      <section className="section" aria-labelledby="quotes">
        <SectionHeader title="Price requests" id="quotes" />
        {quotes.length > 0 ? <Quotes quotes={quotes} /> : <p>No price requests yet.</p>}
      </section>
      <section className="section" aria-labelledby="messages">
        <SectionHeader title="Messages" id="messages">
          {messages.length > 0 && <a href="/dashboard/messages">Answer in Messages</a>}
        </SectionHeader>
        {messages.length > 0 ? <Messages messages={messages} /> : <p>No message with this email in the last year.</p>}
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
  const { role, staffRole, isVerified, hasSecondFactor, createdAt, closedAt } = user
  if (closedAt !== null) {
    return [
      ['Account', `Closed on ${formatDay(closedAt)}`],
      ['Registered', formatDay(createdAt)],
    ]
  }
  const name = role === 'admin' ? 'Admin' : staffRole === null ? 'Customer' : staffNames[staffRole]
  const isLater = name !== 'Customer' && !isVerified
  return [
    ['Role', isLater ? `${name} once the email is verified` : name],
    ['Email', isVerified ? 'Verified' : 'Not verified'],
    ['Second factor', hasSecondFactor ? 'On' : 'Off'],
    ['Registered', formatDay(createdAt)],
  ]
}

/** One paid order: new. More: returning, as in the reports (decision 52). */
function spentLines({ orders, cents, isWhole }: CustomerRecord['spent']): [string, string][] {
  if (orders === 0) return [['Spent', isWhole ? 'Nothing yet' : 'Nothing in the newest 1,000 orders']]
  const paid = `${orders} paid order${orders === 1 ? '' : 's'}`
  return [
    ['Spent', `${formatCents(cents)} after refunds${isWhole ? '' : ', in the newest 1,000 orders'}`],
    ['Buys', orders === 1 ? `New: ${paid}` : `Returning: ${paid}`],
  ]
}

/** The customer may ask for it: My data has it (decision 52). */
function NoteForm({ note }: Pick<CustomerRecord, 'note'>) {
  return (
    <section className="section">
      {note && (
        <p className="hint">
          Written by <span className="wrap-anywhere">{note.by}</span>, {formatTime(note.at)}
        </p>
      )}
      <CommandForm key={note?.at} command="note" title="Note" button="Save note" defaults={{ note: note?.text ?? '' }}>
        {(form) => (
          <>
            <input type="hidden" name="seen" value={note?.at} />
            <Field
              label="Note for colleagues"
              {...form.field('note')}
              rows={3}
              maxLength={2000}
              hint="Only admins see it. It is in the file with their data that customers may ask for, so note facts alone; closing the account deletes it."
            />
          </>
        )}
      </CommandForm>
    </section>
  )
}

const staffNames = { packer: 'Packer', bookkeeper: 'Bookkeeper' } as const

const staffMay: Record<StaffRole, string> = {
  packer: 'see all orders with their addresses, ship them, and print slips and the picking list',
  bookkeeper: 'see all orders, invoices and reports, and export them',
}

function StaffRoleDialog({ user, role }: Pick<CustomerRecord, 'user'> & { role: StaffRole | 'none' }) {
  const path = `${listPath}/${user.id}`
  const isEnd = role === 'none'
  return (
    <Dialog title={isEnd ? `Revoke the role of ${user.name}?` : `Make ${user.name} a ${role}?`}>
      <p className="wrap-anywhere">
        {isEnd
          ? `From the next page on, ${user.email} is a customer.`
          : `${user.email} can then ${staffMay[role]}${user.isVerified ? '' : ' after this email is verified'}.`}
      </p>
      <RowForm className="actions" action={path} fields={{ role }}>
        <Button variant={isEnd ? 'danger' : 'main'}>{isEnd ? 'Revoke role' : `Make ${role}`}</Button>{' '}
        <CancelLink href={`${path}#roles`}>Cancel</CancelLink>
      </RowForm>
    </Dialog>
  )
}

/** Each asks before it changes a role. */
function RoleAndSessions({ user: { id, role, staffRole } }: Pick<CustomerRecord, 'user'>) {
  const isAdmin = role === 'admin'
  return (
    <div className="actions" id="roles">
      <ButtonLink variant="quiet" href={`${listPath}?${isAdmin ? 'revoke' : 'make'}=${id}`}>
        {isAdmin ? 'Revoke Admin' : 'Make Admin'}
      </ButtonLink>{' '}
      {!isAdmin &&
        staffRoles
          .filter((each) => each !== staffRole)
          .map((each) => (
            <Fragment key={each}>
              <ButtonLink variant="quiet" href={`${listPath}/${id}?role=${each}`}>
                Make {each}
              </ButtonLink>{' '}
            </Fragment>
          ))}
      {staffRole && (
        <ButtonLink variant="quiet" href={`${listPath}/${id}?role=none`}>
          Revoke role
        </ButtonLink>
      )}{' '}
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

const quoteStates = { asked: 'Awaiting reply', offered: 'Offered', declined: 'Declined' } as const

function Quotes({ quotes }: Pick<CustomerRecord, 'quotes'>) {
  return (
    <ResponsiveTable
      caption="Price requests"
      rows={quotes}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Product',
          rowHeader: true,
          cell: ({ id, instrument }) => (
            <a className="wrap-anywhere" href={pathTo('/dashboard/manageQuotes/:id', { id })}>
              {instrument}
            </a>
          ),
        },
        { header: 'Quantity', numeric: true, cell: ({ wantedQuantity }) => wantedQuantity },
        { header: 'Status', cell: ({ state }) => quoteStates[state] },
        { header: 'Asked', cell: ({ createdAt }) => formatDay(createdAt) },
      ]}
    />
  )
}

function Messages({ messages }: Pick<CustomerRecord, 'messages'>) {
  return (
    <ul className="ruled">
      {messages.map(({ id, message, createdAt, isDone }) => (
        <li key={id} className="wrap-anywhere">
          {short(message)}{' '}
          <span className="hint">
            {formatDay(createdAt)}, {isDone ? 'done' : 'to answer'}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The whole text stands in Messages. */
function short(text: string): string {
  return text.length > 300 ? `${cutText(text, 299)}…` : text
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
        { header: 'What', cell: ({ event, note }) => (event.startsWith('staff role') ? `${event}: ${note}` : event) },
        { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actor}</span> },
      ]}
    />
  )
}
