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

/**
 * Coming back from the hosted page or from the bank leads here, so this page looks at the provider before it shows anything:
 * the browser's word that it was paid counts for nothing (R15). Whoever comes by a mailed link, or from the bank, with a
 * session that has ended signs in and is here again.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  // Stripe puts the client secret into the address that a bank leads back to: it is to stay neither there nor in what the
  // login page is told to come back to.
  if (searchParams.has('payment_intent_client_secret')) {
    const failed = searchParams.get('redirect_status') === 'failed'
    throw redirectDocument(pathname + (failed ? '?from=bank' : ''), 303)
  }
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  const before = await findOrder(context, customer, id)
  const settlement = before && !isPaid(before) ? await confirmOrderPayment(context, id) : 'not-paid'
  const order = settlement === 'paid' ? await findOrder(context, customer, id) : before
  if (!order) throw new Response(null, { status: 404 })
  if (settlement === 'paid') context.later(() => deliverPendingEmails(context))
  return {
    order,
    settlement,
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
  const { order, settlement, refusedByBank } = useLoaderData<typeof loader>()
  // The browser knows of its own payment first; what the shop says takes over when it has looked.
  const [justPaid, setJustPaid] = useState<string>()
  if (isPaid(order)) return <Paid orderId={order.id} transactionId={order.transactionId} />
  if (justPaid) return <Paid transactionId={justPaid} />
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
      {refusedByBank && (
        <Notice tone="error">
          Your bank did not confirm the payment, and nothing was charged. Try again, or use another card.
        </Notice>
      )}
      <Pay onPaid={setJustPaid} />
      <p>
        <Link to="/dashboard/myOrders">Back to My Orders</Link>
      </p>
    </>
  )
}

/** The card form, once scripts run; until then, and without them, the way to the hosted page (R18). */
function Pay({ onPaid }: { onPaid: (transactionId: string) => void }) {
  const { order, publishableKey, scriptUrl } = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()
  const scripted = useHydrated()
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
      // The shop hears of it all the same, from the payment service. Looking again now, with the shop away or the session
      // ended, would put another page in the place of the good news.
      return
    }
    revalidate()
  }
  return (
    <div className="payment">
      {scripted ? (
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

/** A document form: the answer leads to another site. */
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
