import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/form.server'
import { toastTo } from '../../http/toast.server'
import { requireAdminOrHome } from '../../http/visitor.server'
import { isPaid, type Order } from '../../store/orders'
import { listAllOrders, shipOrder } from '../../store/orders.server'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { StackTable } from '../../ui/stack-table'

const pageSize = 50
const path = '/dashboard/manageOrders'

export const meta: MetaFunction = () => [{ title: 'Manage All Orders · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return { ...(await listAllOrders(context, { before, limit: pageSize })), isFirst: before === undefined }
}

const Shipment = z.object({ orderId: z.string({ error: 'Which order?' }).max(100) })

export async function action({ request, context }: ActionFunctionArgs) {
  const admin = await requireAdminOrHome(request, context)
  return submit(request, Shipment, async ({ orderId }) => {
    await shipOrder(context, admin, orderId)
    return toastTo(context, path, 'The order is marked as shipped.')
  })
}

export default function ManageOrders() {
  const { orders, next, isFirst } = useLoaderData<typeof loader>()
  const refusal = formState(useActionData<typeof action>()).errors?.[0]
  return (
    <>
      <PageHeader title="Manage All Orders" />
      {refusal && <Notice tone="error">{refusal}</Notice>}
      {orders.length > 0 ? (
        <OrderTable orders={orders} />
      ) : (
        <EmptyState title="No orders yet">What customers order stands here, the newest first.</EmptyState>
      )}
      <Pager first={isFirst ? null : path} next={next && `${path}?before=${encodeURIComponent(next)}`} />
    </>
  )
}

function OrderTable({ orders }: { orders: Order[] }) {
  return (
    <StackTable
      caption="Manage All Orders"
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Customer',
          rowHeader: true,
          cell: ({ id, customerName, customerEmail }) => (
            <span id={id}>
              {customerName} <span className="hint">{customerEmail}</span>
            </span>
          ),
        },
        { header: 'Product', cell: ({ productName }) => productName },
        { header: 'Quantity', numeric: true, cell: ({ quantity }) => quantity },
        { header: 'Total', numeric: true, cell: (order) => <Price cents={order.totalCents} /> },
        { header: 'Payment', cell: (order) => (isPaid(order) ? <Badge tone="success">Paid</Badge> : 'Unpaid') },
        { header: 'Status', cell: ({ state }) => (state === 'shipped' ? 'Shipped' : 'Pending') },
        { header: 'Action', cell: (order) => (order.state === 'paid' ? <ShipButton order={order} /> : null) },
      ]}
    />
  )
}

function ShipButton({ order }: { order: Order }) {
  const { formData } = useNavigation()
  return (
    <Form method="post">
      <input type="hidden" name="orderId" value={order.id} />
      <Button busy={formData?.get('orderId') === order.id} aria-describedby={order.id}>
        Ship Now
      </Button>
    </Form>
  )
}
