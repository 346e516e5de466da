import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/back-to-list.server'
import { submit } from '../../http/forms.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import {
  isFullyRefunded,
  isPaid,
  orderNumber,
  piecesToShip,
  searchWindow,
  type Order,
  type OrderState,
} from '../../store/orders/orders'
import { shipOrder, shipOrders } from '../../store/orders/manage-order.server'
import { searchOrders, type OrderPage } from '../../store/orders/search-orders.server'
import { Refusal } from '../../store/refusal'
import { formatDay, invalidDay, readDay, readPeriod } from '../../store/dates'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable, type Refusal as RowRefusal } from '../../ui/responsive-table'
import { Refunded } from '../../ui/orders/refunded'
import { RowForm, RowName } from '../../ui/row-form'

const pageSize = 50
const path = '/dashboard/manageOrders'
const shipSelected = 'ship-selected'

const statuses: Record<OrderState, string> = {
  unpaid: 'Pending',
  paid: 'Pending',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
}

const filters = [
  { state: undefined, text: 'All' },
  { state: 'paid', text: 'To ship' },
  { state: 'unpaid', text: 'Unpaid' },
  { state: 'shipped', text: 'Shipped' },
  { state: 'cancelled', text: 'Cancelled' },
] as const

const emptyTitles: Record<OrderState | 'all', string> = {
  all: 'No orders yet',
  paid: 'Nothing to ship',
  unpaid: 'No unpaid orders',
  shipped: 'No shipped orders yet',
  cancelled: 'No cancelled orders',
}

export const meta: MetaFunction = () => [{ title: 'Manage All Orders · Cadenza' }]

interface Query {
  q: string
  status: OrderState | ''
  from: string
  to: string
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const { searchParams } = new URL(request.url)
  const query = readQuery(searchParams)
  const period = readPeriod(query.from, query.to)
  if (!period) return data({ ...noOrders, query }, { status: 400 })
  const page = await searchOrders(context, {
    ...period,
    q: query.q,
    state: query.status || undefined,
    before: searchParams.get('before') ?? undefined,
    after: searchParams.get('after') ?? undefined,
    limit: pageSize,
  })
  return data({ ...page, query })
}

/** For a wrong day: all orders would be an answer to another question. */
const noOrders: OrderPage = { orders: [], newer: null, older: null, isPartial: false }

function readQuery(params: URLSearchParams): Query {
  return {
    q: params.get('q')?.trim().slice(0, 200) ?? '',
    status: filters.find(({ state }) => state === params.get('status'))?.state ?? '',
    from: params.get('from')?.trim().slice(0, 20) ?? '',
    to: params.get('to')?.trim().slice(0, 20) ?? '',
  }
}

function listPath(query: Query, cursor: { before?: string; after?: string } = {}): string {
  const params = new URLSearchParams(Object.entries({ ...query, ...cursor }).filter(([, value]) => value !== ''))
  return params.size > 0 ? `${path}?${params}` : path
}

/** One order by its own button, or the selected ones: `ship0`, `ship1` … */
const Shipment = z.looseObject({
  orderId: z.string().max(100).optional(),
  anchor: z.string().max(200).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Shipment, async ({ orderId, anchor, ...fields }) => {
    if (orderId !== undefined) {
      await shipOrder(context, admin, orderId)
      return toastTo(context, backToList(request, anchor), 'Order marked as shipped.')
    }
    const ids = Object.entries(fields).flatMap(([name, id]) =>
      /^ship\d+$/.test(name) && typeof id === 'string' ? [id] : [],
    )
    if (ids.length === 0) throw new Refusal('invalid', 'Select the orders to ship.')
    return data({ results: await shipOrders(context, admin, ids) })
  })
}

export default function ManageOrders() {
  const { orders, newer, older, isPartial, query } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { errors, field } = formState(actionData && 'lastResult' in actionData ? actionData : undefined)
  const refused = orders.find(({ id }) => id === field('orderId').initialValue)
  return (
    <>
      <PageHeader title="Manage All Orders" />
      {!refused && <FormError errors={errors} />}
      {actionData && 'results' in actionData && <Results results={actionData.results} />}
      <SearchForm query={query} />
      <nav aria-label="Filter orders">
        <ul className="filters">
          {filters.map(({ state, text }) => (
            <li key={text}>
              <a
                href={listPath({ ...query, status: state ?? '' })}
                className="menu-link"
                aria-current={(state ?? '') === query.status ? 'page' : undefined}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {isPartial && (
        <p className="notice" role="status">
          This page has searched {searchWindow.toLocaleString('en-US')} orders. Go on to search the others.
        </p>
      )}
      {orders.length > 0 ? (
        <OrderTable orders={orders} keepsShipped={query.status === ''} refusal={refused && { row: refused, errors }} />
      ) : (
        <NothingFound query={query} />
      )}
      {orders.some(({ state }) => state === 'paid') && <ShipSelected />}
      <Pager previous={newer && listPath(query, { after: newer })} next={older && listPath(query, { before: older })} />
      {readPeriod(query.from, query.to) && (
        <p className="actions">
          <a href={exportPath(query)} download>
            Export CSV
          </a>
        </p>
      )}
    </>
  )
}

function Results({ results }: { results: { id: string; number: string; isShipped: boolean; why: string | null }[] }) {
  return (
    <div className="notice" role="status">
      <ul>
        {results.map(({ id, number, isShipped, why }) => (
          <li key={id}>
            {number}: {isShipped ? 'marked as shipped.' : `not shipped. ${why}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

function SearchForm({ query: { q, status, from, to } }: { query: Query }) {
  const dayField = (value: string) => ({
    initialValue: value,
    errors: value === '' || readDay(value) !== undefined ? null : [invalidDay],
  })
  return (
    <search>
      <form className="search" action={path}>
        {status && <input type="hidden" name="status" value={status} />}
        <Field label="Search" name="q" type="search" initialValue={q} />
        <Field label="From" name="from" type="date" {...dayField(from)} />
        <Field label="To" name="to" type="date" {...dayField(to)} />
        <Button variant="quiet">Search</Button>
      </form>
    </search>
  )
}

function exportPath({ from, to }: Query): string {
  return `${path}.csv?${new URLSearchParams({ from, to })}`
}

function NothingFound({ query }: { query: Query }) {
  const { q, status, from, to } = query
  if (q || from || to) {
    return (
      <EmptyState title="Nothing matches" link={{ href: path, text: 'See all orders' }}>
        Search by order number, name, email, product or transaction id, and see that status and days fit.
      </EmptyState>
    )
  }
  return (
    <EmptyState title={emptyTitles[status || 'all']} {...(status && { link: { href: path, text: 'See all orders' } })}>
      Orders appear here, newest first.
    </EmptyState>
  )
}

/** Its checkboxes are in the table. */
function ShipSelected() {
  return (
    <form id={shipSelected} method="post">
      <Button variant="quiet">Ship selected</Button>
    </form>
  )
}

interface OrderTableProps {
  orders: Order[]
  keepsShipped: boolean
  refusal: RowRefusal<Order>
}

function OrderTable({ orders, keepsShipped, refusal }: OrderTableProps) {
  const neighbour = (index: number) => orders[index + 1] ?? orders[index - 1]
  return (
    <ResponsiveTable
      caption="Manage All Orders"
      rows={orders}
      refusal={refusal}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Customer',
          rowHeader: true,
          cell: (order) => (
            <>
              <RowName id={order.id}>
                {order.customerName} <span className="hint">{order.customerEmail}</span>
              </RowName>{' '}
              <a href={`${path}/${order.id}`} aria-describedby={order.id}>
                {orderNumber(order)}
              </a>{' '}
              <span className="hint">{formatDay(order.createdAt)}</span>
            </>
          ),
        },
        { header: 'Product', cell: ({ productName }) => <span className="wrap-anywhere">{productName}</span> },
        { header: 'Quantity', numeric: true, cell: ({ quantity }) => quantity },
        { header: 'Total', numeric: true, cell: (order) => <Price cents={order.totalCents} /> },
        { header: 'Payment', cell: (order) => <Payment order={order} /> },
        { header: 'Status', cell: ({ state }) => statuses[state] },
        {
          header: 'Action',
          cell: (order, index) =>
            order.state === 'paid' &&
            !isFullyRefunded(order) &&
            piecesToShip(order) > 0 && (
              <Actions order={order} index={index} anchor={keepsShipped ? order.id : neighbour(index)?.id} />
            ),
        },
      ]}
    />
  )
}

function Payment({ order }: { order: Order }) {
  if (!isPaid(order)) return 'Unpaid'
  return (
    <>
      <Badge tone="success">Paid</Badge> <Refunded order={order} />
    </>
  )
}

interface ShipProps {
  order: Order
  anchor: string | undefined
}

function Actions({ order, anchor, index }: ShipProps & { index: number }) {
  return (
    <div className="actions">
      <ShipButton order={order} anchor={anchor} />
      <label className="checkbox">
        <input type="checkbox" form={shipSelected} name={`ship${index}`} value={order.id} aria-describedby={order.id} />
        Select
      </label>
    </div>
  )
}

function ShipButton({ order, anchor }: ShipProps) {
  return (
    <RowForm fields={{ orderId: order.id, anchor }}>
      <Button aria-describedby={order.id}>Ship Now</Button>
    </RowForm>
  )
}
