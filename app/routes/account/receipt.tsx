import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { readReceipt } from '../../store/orders/receipts.server'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'

export const meta: MetaFunction = () => [{ title: 'Receipt · Cadenza' }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const receipt = await readReceipt(context, user, params.id ?? '')
  if (!receipt) throw notFound(context, user)
  return receipt
}

export default function Receipt() {
  const { lines, from } = useLoaderData<typeof loader>()
  return (
    <article className="receipt">
      <PageHeader title="Receipt" lead="Paid by card. Thank you for your order." />
      <ReceiptLines lines={lines} />
      <p className="receipt-from">
        Cadenza, handcrafted instruments
        <br />
        {from.origin} · {from.mail}
      </p>
      <p className="hint no-print">Print this page for your records. Only the receipt is printed.</p>
      <p className="actions no-print">
        <a href="/dashboard/myOrders">Back to My Orders</a>
      </p>
    </article>
  )
}
