import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/back-to-list.server'
import { submit } from '../../http/forms.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { isPaid, orderNumber, type Order, type OrderState } from '../../store/orders/orders'
import { listAllOrders, shipOrder } from '../../store/orders/orders.server'
import { formatDay } from '../../store/dates'
import { formatCents } from '../../store/money'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { ResponsiveTable, type Refusal } from '../../ui/responsive-table'
import { RowForm, RowName } from '../../ui/row-form'

const pageSize = 50
const path = '/dashboard/manageOrders'

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

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  const state = stateFilter(request)
  return { ...(await listAllOrders(context, { before, limit: pageSize, state })), isFirst: before === undefined, state }
}

function stateFilter({ url }: Request): OrderState | undefined {
  const status = new URL(url).searchParams.get('status')
  return filters.find(({ state }) => state === status)?.state
}

const Shipment = z.object({
  orderId: z.string({ error: 'Choose an order' }).max(100),
  anchor: z.string().max(200).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit({ request, context }, Shipment, async ({ orderId, anchor }) => {
    await shipOrder(context, admin, orderId)
    return toastTo(context, backToList(request, anchor), 'Order marked as shipped.')
  })
}

export default function ManageOrders() {
  const { orders, next, isFirst, state } = useLoaderData<typeof loader>()
  const listPath = filterPath(state)
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = orders.find(({ id }) => id === field('orderId').initialValue)
  return (
    <>
      <PageHeader title="Manage All Orders" />
      {!refused && <FormError errors={errors} />}
      <nav aria-label="Filter orders">
        <ul className="filters">
          {filters.map((filter) => (
            <li key={filter.text}>
              <a
                href={filterPath(filter.state)}
                className="menu-link"
                aria-current={filter.state === state ? 'page' : undefined}
              >
                {filter.text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {orders.length > 0 ? (
        <OrderTable orders={orders} keepsShipped={state === undefined} refusal={refused && { row: refused, errors }} />
      ) : (
        <EmptyState
          title={emptyTitles[state ?? 'all']}
          {...(state && { link: { href: path, text: 'See all orders' } })}
        >
          Orders appear here, newest first.
        </EmptyState>
      )}
      <Pager
        first={isFirst ? null : listPath}
        next={next && `${listPath}${state ? '&' : '?'}before=${encodeURIComponent(next)}`}
      />
    </>
  )
}

function filterPath(state: OrderState | undefined): string {
  return state ? `${path}?status=${state}` : path
}

interface OrderTableProps {
  orders: Order[]
  keepsShipped: boolean
  refusal: Refusal<Order>
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
              <span className="hint">{orderNumber(order)}</span>{' '}
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
          cell: (order, index) => <Actions order={order} anchor={keepsShipped ? order.id : neighbour(index)?.id} />,
        },
      ]}
    />
  )
}

function Payment({ order }: { order: Order }) {
  if (!isPaid(order)) return 'Unpaid'
  return (
    <>
      <Badge tone="success">Paid</Badge>{' '}
      {order.refundedCents > 0 && <small className="held-until">Refund: {formatCents(order.refundedCents)}</small>}
    </>
  )
}

interface ActionsProps {
  order: Order
  anchor: string | undefined
}

function Actions({ order, anchor }: ActionsProps) {
  return (
    <div className="actions">
      {order.state === 'paid' && <ShipButton order={order} anchor={anchor} />}
      <a href={`${path}/${order.id}`} aria-describedby={order.id}>
        Details
      </a>
    </div>
  )
}

function ShipButton({ order, anchor }: ActionsProps) {
  return (
    <RowForm fields={{ orderId: order.id, anchor }}>
      <Button aria-describedby={order.id}>Ship Now</Button>
    </RowForm>
  )
}
