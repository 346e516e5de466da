import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { formatTime } from '../../store/shared/dates'
import { orderNumber, piecesToShip } from '../../store/orders/orders'
import { readToShip } from '../../store/orders/orders.server'
import { pickingList } from '../../store/orders/picking-list'
import { ordersPath } from '../../ui/dashboard/order-filters'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/layout/page-header'
import { manageOrderPath } from '../../ui/orders/order-links'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

/** One person does not pack more in a day; the list says when there are more. */
const maxOrders = 250

export const meta: MetaFunction = () => [{ title: `Picking list · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const packer = await requireRightOrHome(request, context, 'ship')
  const toShip = await readToShip(context, packer, maxOrders + 1)
  const orders = toShip.slice(0, maxOrders)
  return { picks: pickingList(orders), hasMore: toShip.length > maxOrders, count: orders.length, at: context.now() }
}

export default function PickingList() {
  const { picks, hasMore, count, at } = useLoaderData<typeof loader>()
  const toShip = `${ordersPath}?status=paid`
  const pieces = picks.reduce((sum, pick) => sum + pick.pieces, 0)
  if (count === 0) {
    return (
      <>
        <PageHeader title="Picking list" />
        <EmptyState title="Nothing to ship" link={{ href: ordersPath, text: 'See all orders' }}>
          What paid orders need from the shelf appears here, by instrument.
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Picking list"
        lead={`${pieces} ${pieces === 1 ? 'piece' : 'pieces'} for ${count} ${count === 1 ? 'order' : 'orders'} to ship, ${formatTime(at)}`}
      />
      {hasMore && <p className="notice">These are the {count} oldest orders to ship. There are more.</p>}
      <ResponsiveTable
        caption="Picking list"
        rows={picks}
        rowKey={({ instrumentId }) => instrumentId}
        columns={[
          { header: 'Pieces', numeric: true, cell: ({ pieces }) => <strong>{pieces}</strong> },
          { header: 'Instrument', rowHeader: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
          {
            header: 'Orders',
            cell: ({ orders }) => (
              <ul className="inline-list">
                {orders.map((order) => (
                  <li key={order.id}>
                    <a href={manageOrderPath(order.id)}>{orderNumber(order)}</a> × {piecesToShip(order)}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <p className="actions no-print">
        <a href={toShip}>Back to the orders to ship</a>
      </p>
    </>
  )
}
