import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { readReceipt } from '../../store/orders/receipts.server'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { Sheet } from '../../ui/orders/sheet'

export const meta: MetaFunction = () => [{ title: 'Receipt · Cadenza' }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireUser(request, context)
  const receipt = await readReceipt(context, user, params.id ?? '')
  if (!receipt) throw notFound(context, user)
  return receipt
}

export default function Receipt() {
  const { lines, isSealed, isRefunded, from, invoice } = useLoaderData<typeof loader>()
  return (
    <Sheet
      title="Receipt"
      lead={isRefunded ? 'Paid by card, and refunded in full.' : 'Paid by card. Thank you for your order.'}
      lines={lines}
      from={from}
    >
      <p className="hint no-print">
        Print this page for your records. Only the receipt is printed.{' '}
        {isSealed
          ? 'Anybody can check it by its code.'
          : 'Its code is not ready yet: reload this page in some minutes.'}
      </p>
      <p className="actions no-print">
        <InvoiceLinks links={invoice} /> <a href="/dashboard/myOrders">Back to My Orders</a>
      </p>
    </Sheet>
  )
}
