import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { notFound, requireUser } from '../../http/auth/require-user.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { catalogPath } from '../../store/catalog/catalog'
import { cancelOrder } from '../../store/ordering/cancel-order.server'
import { readOrderPage } from '../../store/ordering/order-page.server'
import { isPaid, orderNumber } from '../../store/orders/orders'
import { instrumentLine, receiptLines } from '../../store/orders/receipts/receipts'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { RowForm } from '../../ui/row-form'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { PageHeader } from '../../ui/layout/page-header'
import { HeldUntil } from '../../ui/orders/held-until'
import { InvoiceLinks } from '../../ui/orders/invoice-links'
import { nextSteps } from '../../ui/orders/next-steps'
import { OrderAgain } from '../../ui/orders/order-again'
import { orderPath, PayLink, ReceiptLink } from '../../ui/orders/order-links'
import { ReceiptAgain } from '../../ui/orders/receipt-again'
import { ReceiptLines } from '../../ui/orders/receipt-lines'
import { Refunded } from '../../ui/orders/refunded'
import { WhatHappensNext } from '../../ui/orders/what-happens-next'
import { shopName } from '../../shop-name'
import { Time, useTimeFormat } from '../../ui/time'
import { t } from '../../i18n/language'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${t('Order {order}', { order: data ? orderNumber(data.order) : '' })} · ${shopName}` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const customer = await requireUser(request, context)
  const page = await readOrderPage(context, customer, params.id ?? '')
  if (!page) throw notFound(context, customer)
  return { ...page, deliveryTime: context.settings.deliveryTime || null, now: context.now() }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const customer = await requireUser(request, context)
  const id = params.id ?? ''
  return submit({ request, context }, z.object({}), async () => {
    await cancelOrder(context, customer, id)
    return toastTo(context, orderPath(id), t('Order Cancelled!'))
  })
}

/** The timeline and the head of the page have them. */
const otherLines = ['Order', 'Ordered', 'Paid', 'Shipped'] as const

export default function MyOrder() {
  const { order, timeline, instrument, invoice, deliveryTime, now } = useLoaderData<typeof loader>()
  const { errors } = formState(useActionData<typeof action>())
  return (
    <div className="order">
      <PageHeader title={t('Order {order}', { order: orderNumber(order) })}>
        <State />
      </PageHeader>
      <FormError errors={errors} />
      <div className="beside">
        <WhatHappensNext steps={nextSteps(order, { now, deliveryTime, format: useTimeFormat() })} />
        <ReceiptLines
          lines={receiptLines(order).filter(([name]) => !otherLines.some((each) => t(each) === name))}
          links={instrument ? { [t(instrumentLine)]: catalogPath(instrument) } : {}}
        />
        <div>
          <div className="actions">
            {order.state === 'unpaid' && (
              <>
                <PayLink orderId={order.id} />
                <RowForm fields={{}}>
                  <Button variant="quiet">{t('Cancel')}</Button>
                </RowForm>
              </>
            )}
            <OrderAgain order={order} instrument={instrument} />{' '}
            {isPaid(order) && <ReceiptAgain orderId={order.id} backTo="order" />}
          </div>{' '}
          <div className="actions">
            {isPaid(order) && <ReceiptLink orderId={order.id} />} {isPaid(order) && <InvoiceLinks links={invoice} />}
            <a href="/dashboard/myOrders">{t('Back to My Orders')}</a>
          </div>
        </div>
        <section>
          <h2>{t('What happened')}</h2>
          <ol className="ruled">
            {timeline.map(({ id, at, text }) => (
              <li key={id} className="wrap-anywhere">
                <small className="held-until">
                  <Time at={at} />
                </small>{' '}
                {text}
              </li>
            ))}
          </ol>
        </section>
      </div>
    </div>
  )
}

function State() {
  const { order, now } = useLoaderData<typeof loader>()
  return (
    <p>
      {isPaid(order) && <Badge tone="success">{t('Paid')}</Badge>}{' '}
      {order.state === 'shipped' && <Badge tone="success">{t('Shipped')}</Badge>}
      {order.state === 'unpaid' && <Badge>{t('Unpaid')}</Badge>}{' '}
      {order.state === 'cancelled' && <Badge>{t('Cancelled')}</Badge>} <Refunded order={order} />
      {order.state === 'unpaid' && order.holdUntil !== null && <HeldUntil at={order.holdUntil} now={now} />}
    </p>
  )
}
