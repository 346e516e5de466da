import {
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { submit } from '../../http/forms.server'
import { logSecurityEvent } from '../../http/log.server'
import { requireUser } from '../../http/auth/require-user.server'
import { dollarsFromCents, formatCents } from '../../store/money'
import { isPaid } from '../../store/orders/orders'
import { findOrder } from '../../store/orders/orders.server'
import { deliverPendingEmails } from '../../store/deliver-email.server'
import { startCheckout } from '../../store/payments/payments.server'
import { confirmOrderPayment } from '../../store/payments/confirm-payment.server'
import { Button } from '../../ui/button'
import { CardForm } from '../../ui/payments/card-form'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/layout/page-header'
import { confirmOrderPaid, requestIntent } from '../../ui/payments/payment-calls'
import { useHydrated } from '../../ui/use-hydrated'

export const handle = { cardForm: true }

export const meta: MetaFunction = () => [{ title: 'Payment · Cadenza' }]

/** The hosted page and the bank redirect here: check the payment with Stripe, never trust the browser (R15). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  // Keep the client secret, which Stripe adds to the return URL, out of the history and of `redirectTo`.
  if (searchParams.has('payment_intent_client_secret')) {
    const failed = searchParams.get('redirect_status') === 'failed'
    throw redirectDocument(pathname + (failed ? '?from=bank' : ''), 303)
  }
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  const current = await findOrder(context, customer, id)
  const paymentResult = current && !isPaid(current) ? await confirmOrderPayment(context, id) : 'not-paid'
  const order = paymentResult === 'paid' ? await findOrder(context, customer, id) : current
  if (!order) {
    logSecurityEvent(context, 'not found', { user: customer.id })
    throw new Response(null, { status: 404 })
  }
  if (paymentResult === 'paid') context.later(() => deliverPendingEmails(context))
  return {
    order,
    paymentResult,
    refusedByBank: searchParams.get('from') === 'bank',
    publishableKey: context.config.STRIPE_PUBLISHABLE_KEY,
    scriptUrl: context.config.STRIPE_JS_URL,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  return submit({ request, context }, z.object({}), async () => {
    const { url } = await startCheckout(context, customer, params.id ?? '')
    return redirectDocument(url, 303)
  })
}

export default function Payment() {
  const { order, paymentResult, refusedByBank } = useLoaderData<typeof loader>()
  // Until the loader has confirmed the payment, believe the card form.
  const [justPaid, setJustPaid] = useState<string>()
  if (isPaid(order)) return <Paid orderId={order.id} transactionId={order.transactionId} />
  if (justPaid) return <Paid transactionId={justPaid} />
  return (
    <>
      <PageHeader
        title="Payment"
        lead={`You ordered ${order.quantity} pieces of ${order.productName}. Please pay: ${formatCents(order.totalCents)}`}
      />
      {paymentResult === 'provider-away' && (
        <Notice tone="error">
          The card payment service does not answer, so we cannot tell whether you have paid. Load this page again in a
          minute.
        </Notice>
      )}
      {refusedByBank && (
        <Notice tone="error">
          Your bank did not confirm the payment, and nothing was charged. Try again, or use another card.
        </Notice>
      )}
      <Pay onPaid={setJustPaid} />
      <p>
        Ship to: {order.customerName}, {order.customerAddress.replaceAll('\n', ', ')}
      </p>
      <p>
        <Link to="/dashboard/myOrders">Back to My Orders</Link>
      </p>
    </>
  )
}

/** The hosted page is the fallback without scripts (R18). */
function Pay({ onPaid }: { onPaid: (transactionId: string) => void }) {
  const { order, publishableKey, scriptUrl } = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()
  const isHydrated = useHydrated()
  const { id, totalCents } = order
  const requestSecret = useCallback(
    (signal: AbortSignal) => requestIntent({ orderId: id, orderPrice: dollarsFromCents(totalCents) }, signal),
    [id, totalCents],
  )
  async function paid(transactionId: string) {
    onPaid(transactionId)
    try {
      await confirmOrderPaid(id, transactionId)
    } catch {
      // The webhook confirms the order anyway. Revalidating now could replace the success message by an error page.
      return
    }
    revalidate()
  }
  return (
    <div className="payment">
      {isHydrated ? (
        <CardForm
          publishableKey={publishableKey}
          scriptUrl={scriptUrl}
          requestSecret={requestSecret}
          returnUrl={window.location.origin + window.location.pathname}
          onPaid={(transactionId) => void paid(transactionId)}
        >
          <HostedPage />
        </CardForm>
      ) : (
        <HostedPage />
      )}
    </div>
  )
}

function HostedPage() {
  const errors = formState(useActionData<typeof action>()).errors
  return (
    <form className="form" method="post">
      <p>Your card number is typed at our payment service and never reaches us.</p>
      <FormError errors={errors} />
      <Button>Pay on the secure page</Button>
    </form>
  )
}

function Paid({ orderId, transactionId }: { orderId?: string; transactionId: string | null }) {
  return (
    <>
      <PageHeader title="Payment" />
      <Notice tone="success">
        <p role="status">Your payment is successful!</p>
        <p>
          Transaction id: <code className="transaction">{transactionId}</code>
        </p>
      </Notice>
      <p className="actions">
        {orderId && <a href={`/dashboard/myOrders/receipt/${orderId}`}>Receipt</a>}{' '}
        <Link to="/dashboard/myOrders">Back to My Orders</Link>
      </p>
    </>
  )
}
