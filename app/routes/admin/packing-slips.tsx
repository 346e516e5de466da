import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { maxSelected } from '../../store/shared/limits'
import { isPaid, orderNumber, piecesToShip } from '../../store/orders/orders'
import { findOrders } from '../../store/orders/orders.server'
import { ordersPath, readOrderQuery, withOrderQuery } from '../../ui/dashboard/order-filters'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/layout/page-header'
import { PackingSlip } from '../../ui/orders/packing-slip'
import { shopName } from '../../shop-name'

export const meta: MetaFunction = () => [{ title: `Packing slips · ${shopName}` }]

/** Of the orders that were ticked: one document, one page each. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const packer = await requireRightOrHome(request, context, 'ship')
  const { searchParams } = new URL(request.url)
  const ids = searchParams.getAll('order').slice(0, maxSelected)
  return {
    orders: ids.length > 0 ? await findOrders(context, packer, ids) : [],
    from: { origin: context.origin, mail: context.shopEmail },
    back: withOrderQuery(ordersPath, readOrderQuery(searchParams)),
  }
}

export default function PackingSlips() {
  const { orders, from, back } = useLoaderData<typeof loader>()
  const packed = orders.filter((order) => isPaid(order) && piecesToShip(order) > 0)
  const others = orders.filter((order) => !packed.includes(order))
  return (
    <>
      <div className="no-print">
        <PageHeader title="Packing slips" lead="Print this page: each slip is a page, without prices." />
        {others.length > 0 && (
          <p className="notice">No slip, since nothing is to be sent: {others.map(orderNumber).join(', ')}.</p>
        )}
        {orders.length === 0 && (
          <EmptyState title="No order is selected" link={{ href: back, text: 'Back to the orders' }}>
            Tick the orders that you pack, and press Packing slips.
          </EmptyState>
        )}
        {orders.length > 0 && (
          <p className="actions">
            <a href={back}>Back to the orders</a>
          </p>
        )}
      </div>
      {packed.map((order) => (
        <PackingSlip key={order.id} order={order} from={from} level={2} />
      ))}
    </>
  )
}
