import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { orderNumber } from '../../store/orders/orders'
import { findAnyOrder } from '../../store/orders/orders.server'
import { PrintButton } from '../../ui/button'
import { manageOrderPath } from '../../ui/orders/order-links'
import { PackingSlip } from '../../ui/orders/packing-slip'
import { shopName } from '../../shop-name'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Packing slip ${data ? orderNumber(data.order) : ''} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const packer = await requireRightOrHome(request, context, 'ship')
  const order = await findAnyOrder(context, packer, params.id ?? '')
  if (!order) throw new Response(null, { status: 404 })
  return { order, from: { origin: context.origin, mail: context.shopEmail } }
}

export default function PackingSlipPage() {
  const { order, from } = useLoaderData<typeof loader>()
  return (
    <PackingSlip order={order} from={from}>
      <p className="actions no-print">
        <PrintButton /> <a href={manageOrderPath(order.id)}>Back to the order</a>
      </p>
    </PackingSlip>
  )
}
