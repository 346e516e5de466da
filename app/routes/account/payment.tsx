import {
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { submit } from '../../http/forms.server'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { dollarsFromCents, formatCents } from '../../store/money'
import { formatDay } from '../../store/dates'
import { readPaymentPage } from '../../store/ordering/payment-page.server'
import { isPaid, orderNumber } from '../../store/orders/orders'
import { receiptLines } from '../../store/orders/receipts'
import { deliverPendingEmails } from '../../store/deliver-email.server'
import { startCheckout } from '../../store/payments/payments.server'
import { confirmOrderPayment } from '../../store/payments/confirm-payment.server'
import { Button } from '../../ui/button'
import { CardForm } from '../../ui/payments/card-form'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/layout/page-header'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { confirmOrderPaid, requestIntent } from '../../ui/payments/payment-calls'
import { useHydrated } from '../../ui/use-hydrated'

export const handle = { scripts: true, cardForm: true }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Payment${data ? ` of ${orderNumber(data.order)}` : ''} · Cadenza` },
]

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
  const current = await readPaymentPage(context, customer, id)
  const paymentResult = current && !isPaid(current.order) ? await confirmOrderPayment(context, id) : 'not-paid'
  const found = paymentResult === 'paid' ? await readPaymentPage(context, customer, id) : current
  if (!found) throw notFound(context, customer)
  if (paymentResult === 'paid') context.later(() => deliverPendingEmails(context))
  return {
    ...found,
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
  if (isPaid(order) || justPaid) return <Paid transactionId={order.transactionId ?? justPaid} />
  return (
    <>
      <PageHeader
        title="Payment"
        lead={`You ordered ${order.quantity} pieces of ${order.productName}. Please pay: ${formatCents(order.totalCents)}`}
      />
      {paymentResult === 'provider-away' && (
        <Notice tone="error">
          Stripe is not responding, so we cannot tell yet whether you have paid. Reload this page in a minute.
        </Notice>
      )}
      {refusedByBank && (
        <Notice tone="error">
          Your bank did not confirm the payment, and nothing was charged. Try again, or use another card.
        </Notice>
      )}
      <Pay onPaid={setJustPaid} />
      <p>
        Order {orderNumber(order)} ships to: {order.customerName}, {order.customerAddress.replaceAll('\n', ', ')}
      </p>
      <p>
        <a href="/dashboard/myOrders">Back to My Orders</a>
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
    // The message stands above the card form.
    scrollTo({ top: 0, behavior: 'instant' })
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
      <p>Card details go straight to Stripe. We never see them.</p>
      <FormError errors={errors} />
      <Button>Pay on the secure page</Button>
    </form>
  )
}

const shownLines = ['Instrument', 'Price each', 'Quantity', 'Total', 'Ship to']

function Paid({ transactionId }: { transactionId: string | undefined }) {
  const { order, isVerified } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title={`Order ${orderNumber(order)}`} />
      <Notice tone="success">
        <p>
          <span role="status">Your payment is successful!</span> Thank you for your order.
        </p>
        <p>
          Transaction id: <code className="transaction">{transactionId}</code>
        </p>
      </Notice>
      <ReceiptLines lines={receiptLines(order).filter(([name]) => shownLines.includes(name))} />
      <h2>What happens next</h2>
      <ul className="ruled">
        {order.shippedAt === null ? (
          <li>We pack your order and send it to the address above.</li>
        ) : (
          <li>We shipped it on {formatDay(order.shippedAt)}.</li>
        )}
        {isVerified ? (
          <li>We email your receipt to {order.customerEmail}, and write again when we ship.</li>
        ) : (
          <li>
            Your receipt is in My Orders. To get emails about your orders, <a href="/dashboard">verify your email</a>.
          </li>
        )}
      </ul>
      <p className="actions">
        {isPaid(order) && <a href={`/dashboard/myOrders/receipt/${order.id}`}>Receipt</a>}{' '}
        <a href={`/dashboard/myOrders/${order.id}`}>View the order</a>{' '}
        <a href="/dashboard/myOrders">Back to My Orders</a> <a href="/allInstruments">View All Instruments</a>
      </p>
    </>
  )
}
