import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { readOrderHistory } from '../../store/orders/history.server'
import { formatCents } from '../../store/money'
import { isPaid, orderNumber } from '../../store/orders/orders'
import { receiptLines } from '../../store/orders/receipts'
import { formatTime } from '../../store/dates'
import { Notice } from '../../ui/notice'
import { ReceiptLink } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { ResponsiveTable } from '../../ui/responsive-table'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Order ${data ? orderNumber(data.order) : ''} · Cadenza` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const history = await readOrderHistory(context, params.id ?? '')
  if (!history) throw new Response(null, { status: 404 })
  return history
}

export default function OrderHistory() {
  const { order, rows, failedRefunds } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title={`Order ${orderNumber(order)}`} lead={`${order.customerName}, ${order.customerEmail}`} />
      {failedRefunds.map(({ refundId, amountCents }) => (
        <Notice key={refundId} tone="error">
          A refund of {formatCents(amountCents)} did not reach the customer. Their bank returned it ({refundId}). Please
          pay it back another way.
        </Notice>
      ))}
      <ReceiptLines lines={receiptLines(order)} />
      <h2>History</h2>
      <ResponsiveTable
        caption="History"
        rows={rows}
        rowKey={({ id }) => String(id)}
        columns={[
          { header: 'When', rowHeader: true, cell: ({ at }) => formatTime(at) },
          { header: 'What', cell: ({ event }) => event },
          { header: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actor}</span> },
          { header: 'Stock change', numeric: true, cell: ({ stockDelta }) => (stockDelta === 0 ? '' : stockDelta) },
          { header: 'Note', cell: ({ note }) => note && <code>{note}</code> },
        ]}
      />
      <p className="actions">
        {isPaid(order) && <ReceiptLink orderId={order.id} />} <a href="/dashboard/manageOrders">Back to all orders</a>
      </p>
    </>
  )
}
