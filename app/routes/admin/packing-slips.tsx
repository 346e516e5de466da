import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { requireRightOrHome } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { maxSelected } from '../../store/shared/limits'
import { isPaid, isToShip, orderNumber, piecesToShip, type Order } from '../../store/orders/orders'
import { findOrders } from '../../store/orders/orders.server'
import { Shipments, shipOrders } from '../../store/orders/manage-order.server'
import { Button, PrintButton } from '../../ui/button'
import {
  orderQueryFields,
  ordersPath,
  readOrderQuery,
  withOrderQuery,
  type OrderQuery,
} from '../../ui/dashboard/order-filters'
import { ShipmentResults } from '../../ui/dashboard/shipment-results'
import { EmptyState } from '../../ui/empty-state'
import { Field } from '../../ui/field'
import { ErrorSummary, FormError } from '../../ui/form-error'
import { formState, type FormState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { PackingSlip } from '../../ui/orders/packing-slip'
import { ResponsiveTable } from '../../ui/responsive-table'
import { useSendTo } from '../../ui/submission-id'
import { shopName } from '../../shop-name'

const titles = { slips: 'Packing slips', tracking: 'Ship with tracking numbers' }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${titles[data?.shows ?? 'slips']} · ${shopName}` },
]

/** Of the orders that were ticked: their slips as one document, one page each, and the form that ships them; or that form alone. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const packer = await requireRightOrHome(request, context, 'ship')
  const { searchParams } = new URL(request.url)
  const ids = searchParams.getAll('order').slice(0, maxSelected)
  const query = readOrderQuery(searchParams)
  return {
    orders: ids.length > 0 ? await findOrders(context, packer, ids) : [],
    shows: searchParams.get('with') === 'tracking' ? ('tracking' as const) : ('slips' as const),
    from: { origin: context.origin, mail: context.shopEmail },
    query,
    back: withOrderQuery(ordersPath, query),
  }
}

/** Each with its own tracking number. */
export async function action({ request, context }: ActionFunctionArgs) {
  const packer = await requireRightOrHome(request, context, 'ship')
  return submit({ request, context }, Shipments, async ({ ids, carrier, trackingNumbers }) => {
    const shipment = { carrier, trackingNumber: null, trackingUrl: null }
    const results = await shipOrders(context, packer, ids, shipment, { trackingNumbers })
    if (results.some(({ isShipped }) => !isShipped)) return data({ results })
    const back = withOrderQuery(ordersPath, readOrderQuery(new URL(request.url).searchParams))
    const said = results.length === 1 ? 'Order marked as shipped.' : `${results.length} orders marked as shipped.`
    return toastTo(context, back, said)
  })
}

export default function PackingSlips() {
  const { orders, shows, from, query, back } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const form = formState(actionData && 'lastResult' in actionData ? actionData : undefined)
  const packed = orders.filter((order) => isPaid(order) && piecesToShip(order) > 0)
  const others = orders.filter((order) => !packed.includes(order))
  const toShip = packed.filter(isToShip)
  return (
    <>
      <div className="no-print">
        <PageHeader
          title={titles[shows]}
          lead={
            shows === 'tracking'
              ? 'Each customer is told their number by email.'
              : 'Each slip prints as a page, without prices.'
          }
        />
        {actionData && 'results' in actionData && <ShipmentResults results={actionData.results} />}
        {others.length > 0 && (
          <p className="notice">No slip, since nothing is to be sent: {others.map(orderNumber).join(', ')}.</p>
        )}
        {orders.length === 0 && (
          <EmptyState title="No order is selected" link={{ href: back, text: 'Back to the orders' }}>
            Tick the orders that you pack, and press {shows === 'tracking' ? titles.tracking : titles.slips}.
          </EmptyState>
        )}
        {orders.length > 0 && (
          <p className="actions">
            {shows === 'slips' && packed.length > 0 && <PrintButton />} <a href={back}>Back to the orders</a>{' '}
            {shows === 'tracking' && packed.length > 0 && <a href={slipsPath(packed, query)}>Packing slips</a>}
          </p>
        )}
        {toShip.length > 0 && <ShipForm orders={toShip} form={form} />}
      </div>
      {shows === 'slips' && packed.map((order) => <PackingSlip key={order.id} order={order} from={from} level={2} />)}
    </>
  )
}

function slipsPath(orders: Order[], query: OrderQuery): string {
  const ids = orders.map(({ id }): [string, string] => ['order', id])
  return `${ordersPath}/packingSlips?${new URLSearchParams([...orderQueryFields(query), ...ids])}`
}

function ShipForm({ orders, form }: { orders: Order[]; form: FormState }) {
  return (
    <form className="form ship-form" id="ship" method="post" action={`${useSendTo()}#ship`} noValidate>
      <ErrorSummary form={form} />
      <Field label="Carrier of all" {...form.field('carrier')} maxLength={60} />
      <ResponsiveTable
        caption="Orders to ship"
        rows={orders}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Order', rowHeader: true, cell: orderNumber },
          {
            header: 'Customer',
            cell: (order) => (
              <>
                {order.customerName}
                <span className="hint">
                  {piecesToShip(order)} × {order.productName}
                </span>
              </>
            ),
          },
          {
            header: 'Tracking number',
            cell: (order, index) => (
              <>
                <input type="hidden" name="order" value={order.id} />
                <Field
                  label={`Tracking number of ${orderNumber(order)}`}
                  {...form.field(`tracking${index + 1}`)}
                  maxLength={60}
                />
              </>
            ),
          },
        ]}
      />
      <FormError errors={form.errors} />
      <Button>{orders.length === 1 ? 'Ship Now' : `Ship ${orders.length} orders`}</Button>
    </form>
  )
}
