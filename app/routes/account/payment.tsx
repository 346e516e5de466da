import {
  data,
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { bankRefusal } from '../../http/bank-refusal.server'
import { submit } from '../../http/request/forms.server'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { dollarsFromCents, formatCents } from '../../store/shared/money'
import { readPaymentPage, type PaymentPage } from '../../store/ordering/payment-page.server'
import { expectedDelivery } from '../../store/orders/expected-delivery'
import { isPaid, orderNumber, type Order } from '../../store/orders/orders'
import { startCheckout } from '../../store/payments/payments.server'
import { confirmOrderPayment } from '../../store/payments/confirm-payment.server'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Picture } from '../../ui/catalog/picture'
import { CardForm } from '../../ui/payments/card-form'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/layout/page-header'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { nextSteps } from '../../ui/orders/next-steps'
import { OrderAgain } from '../../ui/orders/order-again'
import { orderPath, paymentPath, ReceiptLink } from '../../ui/orders/order-links'
import { WhatHappensNext } from '../../ui/orders/what-happens-next'
import { confirmOrderPaid, isOrderCancelled, requestIntent } from '../../ui/payments/payment-calls'
import { useHydrated } from '../../browser/use-hydrated'
import { shopName } from '../../shop-name'
import { useTimeFormat } from '../../ui/time'
import { t } from '../../i18n/language'
import { rich } from '../../ui/rich'

export const handle = { scripts: true, cardForm: true, account: true }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? t('Payment of {order}', { order: orderNumber(data.order) }) : t('Payment')} · ${shopName}` },
]

/** The hosted page and the bank redirect here: check the payment with Stripe, never trust the browser (R15). */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  const refusal = bankRefusal(context, pathname)
  // Keep the client secret, which Stripe adds to the return URL, out of the history and of `redirectTo`.
  if (searchParams.has('payment_intent_client_secret')) {
    const headers = new Headers()
    if (searchParams.get('redirect_status') === 'failed') headers.set('set-cookie', await refusal.set())
    throw redirectDocument(pathname, { status: 303, headers })
  }
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  const current = await readPaymentPage(context, customer, id)
  const paymentResult = current?.order.state === 'unpaid' ? await confirmOrderPayment(context, id) : 'not-paid'
  const found = paymentResult === 'paid' ? await readPaymentPage(context, customer, id) : current
  if (!found) throw notFound(context, customer)
  const refusedByBank = await refusal.isIn(request)
  const { order, cancelled } = found
  const { deliveryTime } = context.settings
  const page = {
    ...found,
    isCheckout: !cancelled && !isPaid(order),
    expected: expectedDelivery(deliveryTime, order.paidAt ?? context.now()),
    now: context.now(),
    deliveryTime: deliveryTime || null,
    paymentResult,
    refusedByBank,
    hasReturned: searchParams.get('from') === 'checkout',
    publishableKey: context.config.STRIPE_PUBLISHABLE_KEY,
    scriptUrl: context.config.STRIPE_JS_URL,
  }
  const headers = new Headers()
  if (refusedByBank) headers.set('set-cookie', await refusal.clear())
  return data(page, { status: cancelled ? 410 : 200, headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, z.object({}), async () => {
    const { url } = await startCheckout(context, customer, id).catch(async (error: unknown) => {
      if ((await readPaymentPage(context, customer, id))?.cancelled) return { url: paymentPath(id) }
      throw error
    })
    return redirectDocument(url, 303)
  })
}

export default function Payment() {
  const { order, cancelled, paymentResult, refusedByBank, hasReturned } = useLoaderData<typeof loader>()
  // Until the loader has confirmed the payment, believe the card form.
  const [justPaid, setJustPaid] = useState<string>()
  if (cancelled) return <Cancelled {...{ order, ...cancelled }} hasPaid={hasReturned || justPaid !== undefined} />
  if (isPaid(order) || justPaid) return <Paid transactionId={order.transactionId ?? justPaid} />
  return (
    <div className="checkout">
      <Summary />
      <div>
        {paymentResult === 'provider-away' && (
          <Notice tone="error">
            {t('Stripe is not responding, so we cannot tell yet whether you have paid. Reload this page in a minute.')}
          </Notice>
        )}
        {refusedByBank && (
          <Notice tone="error">
            {t('Your bank did not confirm the payment, and nothing was charged. Try again, or use another card.')}
          </Notice>
        )}
        <Pay onPaid={setJustPaid} />
        <Hints />
        <p>
          <a href={orderPath(order.id)}>{t('Back to the order')}</a>
        </p>
      </div>
    </div>
  )
}

function Summary() {
  const { order, img } = useLoaderData<typeof loader>()
  return (
    <header className="item">
      <div>
        <h1>{t('Payment')}</h1>
        <p>
          {rich('You ordered {count} pieces of {product}. Please pay: {total}', {
            ...{ count: order.quantity, product: order.productName },
            total: <strong className="total">{formatCents(order.totalCents)}</strong>,
          })}
        </p>
        {order.discountCode && (
          <p className="hint">
            {t('{price} off with code {code}.', { price: formatCents(order.discountCents!), code: order.discountCode })}
          </p>
        )}
      </div>
      <Picture img={img} alt={order.productName} width={320} sizes="(min-width: 48rem) 28rem, 5rem" />
      <ShipsTo />
    </header>
  )
}

function ShipsTo() {
  const { order } = useLoaderData<typeof loader>()
  return (
    <p className="ships-to">
      {t('Order {order} ships to: {name}, {address}', {
        ...{ order: orderNumber(order), name: order.customerName },
        address: order.customerAddress.replaceAll('\n', ', '),
      })}
    </p>
  )
}

function Hints() {
  const { order, now, deliveryTime } = useLoaderData<typeof loader>()
  return (
    <p className="hint">
      {t('Card details go straight to Stripe. We never see them.')}{' '}
      {nextSteps(order, { now, deliveryTime, format: useTimeFormat() }).join(' ')}
    </p>
  )
}

/** The hosted page is the fallback without scripts (R18). */
function Pay({ onPaid }: { onPaid: (transactionId: string) => void }) {
  const { order, publishableKey, scriptUrl } = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()
  const isHydrated = useHydrated()
  const { id, totalCents } = order
  const showIfCancelled = useCallback(async () => {
    const isCancelled = await isOrderCancelled(id)
    if (isCancelled) revalidate()
    return isCancelled
  }, [id, revalidate])
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
      await showIfCancelled()
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
          showIfCancelled={showIfCancelled}
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
      <FormError errors={errors} />
      <Button>{t('Pay on the secure page')}</Button>
    </form>
  )
}

type CancelledProps = NonNullable<PaymentPage['cancelled']> & {
  order: Order
  /** Stripe or the card form says so. */
  hasPaid: boolean
}

function Cancelled({ order, texts, isRefunded, instrument, hasPaid }: CancelledProps) {
  return (
    <>
      <PageHeader
        title={t('Order {order}', { order: orderNumber(order) })}
        lead={t('You ordered {count} pieces of {product}.', { count: order.quantity, product: order.productName })}
      >
        <p>
          <Badge>{t('Cancelled')}</Badge>
        </p>
      </PageHeader>
      <Notice tone="error">
        {hasPaid && !isRefunded ? (
          <p>{t('This order was cancelled before your payment arrived. We refund the payment to your card.')}</p>
        ) : (
          texts.map((text) => <p key={text}>{text}</p>)
        )}
      </Notice>
      <div className="actions">
        <OrderAgain order={order} instrument={instrument} /> <a href={orderPath(order.id)}>{t('View the order')}</a>{' '}
        <a href="/dashboard/myOrders">{t('Back to My Orders')}</a>
      </div>
    </>
  )
}

function Paid({ transactionId }: { transactionId: string | undefined }) {
  const { order, img, now, deliveryTime, expected, invoice } = useLoaderData<typeof loader>()
  const steps = nextSteps(order, { now, deliveryTime: expected ? null : deliveryTime, format: useTimeFormat() })
  return (
    <>
      <PageHeader
        title={t('Your payment is successful!')}
        lead={
          <span role="status">
            {t('Thank you for your order.')} {expected && t('Expected {days}.', { days: expected })}
          </span>
        }
      />
      <div className="checkout">
        <div className="item">
          <div>
            <h2>
              {order.quantity} × {order.productName}
            </h2>
            <p className="total">{formatCents(order.totalCents)}</p>
          </div>
          <Picture img={img} alt={order.productName} width={320} sizes="(min-width: 48rem) 28rem, 5rem" />
          <ShipsTo />
        </div>
        <div>
          {isPaid(order) && (
            <>
              <WhatHappensNext
                steps={[t('We email your receipt to {email}.', { email: order.customerEmail }), ...steps]}
              />
              <p>
                <ButtonLink href={orderPath(order.id)}>{t('View the order')}</ButtonLink>
              </p>
              <div className="actions">
                <ReceiptLink orderId={order.id} /> <InvoiceLinks links={invoice} />{' '}
                <a href={`/dashboard/addReview?about=${encodeURIComponent(order.instrumentId)}`}>{t('Add a Review')}</a>{' '}
                <a href="/dashboard/myOrders">{t('Back to My Orders')}</a>
              </div>
            </>
          )}
          <p className="hint">
            {t('Transaction id')}: <code className="transaction">{transactionId}</code>
          </p>
        </div>
      </div>
    </>
  )
}
