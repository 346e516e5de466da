import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { formatDay } from '../../store/dates'
import { orderNumber, piecesToShip } from '../../store/orders/orders'
import { findAnyOrder } from '../../store/orders/orders.server'
import { manageOrderPath } from '../../ui/orders/order-links'
import { Sheet } from '../../ui/orders/sheet'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Packing slip ${data ? orderNumber(data.order) : ''} · Cadenza` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const order = await findAnyOrder(context, params.id ?? '')
  if (!order) throw new Response(null, { status: 404 })
  return { order, from: { origin: context.origin, mail: context.shopEmail } }
}

/** Without prices: the parcel may be a present. */
export default function PackingSlip() {
  const { order, from } = useLoaderData<typeof loader>()
  const lines: [string, string][] = [
    ['Order', orderNumber(order)],
    ['Ordered', formatDay(order.createdAt)],
    ['Ship to', `${order.customerName}\n${order.customerAddress}\n${order.customerPhone}`],
    ['Instrument', order.productName],
    ['Pieces', String(piecesToShip(order))],
  ]
  return (
    <Sheet title="Packing slip" lines={lines} from={from}>
      <p className="hint no-print">Print this page: only the slip is printed, without prices.</p>
      <p className="actions no-print">
        <a href={manageOrderPath(order.id)}>Back to the order</a>
      </p>
    </Sheet>
  )
}
