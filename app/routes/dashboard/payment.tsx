import {
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { submit } from '../../http/form.server'
import { requireVisitorOrHome } from '../../http/visitor.server'
import { isPaid } from '../../store/orders'
import { findOrder } from '../../store/orders.server'
import { formatCents } from '../../store/money'
import { settleOrder, startCheckout } from '../../store/payments.server'
import { Button } from '../../ui/button'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'

export const meta: MetaFunction = () => [{ title: 'Payment · Cadenza' }]

/**
 * Coming back from the hosted page leads here, so this page looks at the provider before it shows anything: the browser's
 * word that it was paid counts for nothing (R15).
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const customer = await requireVisitorOrHome(request, context)
  const id = params.id ?? ''
  const before = await findOrder(context, customer, id)
  const settlement = before && !isPaid(before) ? await settleOrder(context, id) : 'not-paid'
  const order = settlement === 'paid' ? await findOrder(context, customer, id) : before
  if (!order) throw new Response(null, { status: 404 })
  return { order, settlement }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireVisitorOrHome(request, context)
  return submit(request, z.object({}), async () => {
    const { url } = await startCheckout(context, customer, params.id ?? '')
    return redirectDocument(url, 303)
  })
}

export default function Payment() {
  const { order, settlement } = useLoaderData<typeof loader>()
  if (isPaid(order)) return <Paid transactionId={order.transactionId} />
  return (
    <>
      <PageHeader
        title="Payment"
        lead={`You ordered ${order.quantity} pieces of ${order.productName}. Please pay: ${formatCents(order.totalCents)}`}
      />
      {settlement === 'provider-away' && (
        <Notice tone="error">
          The card payment service does not answer, so we cannot tell whether you have paid. Load this page again in a
          minute.
        </Notice>
      )}
      <PayForm />
    </>
  )
}

/** A document form: the answer leads to another site. */
function PayForm() {
  const errors = formState(useActionData<typeof action>()).errors
  return (
    <form className="form" method="post">
      <p>Your card number is typed at our payment service and never reaches us.</p>
      <FormError errors={errors} />
      <Button>Pay on the secure page</Button>
      <p>
        <Link to="/dashboard/myOrders">Back to My Orders</Link>
      </p>
    </form>
  )
}

function Paid({ transactionId }: { transactionId: string | null }) {
  return (
    <>
      <PageHeader title="Payment" />
      <Notice tone="success">
        <p>Your payment is successful!</p>
        <p>
          Transaction id: <code className="transaction">{transactionId}</code>
        </p>
      </Notice>
      <p>
        <Link to="/dashboard/myOrders">Back to My Orders</Link>
      </p>
    </>
  )
}
