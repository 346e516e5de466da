import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { backToList } from '../../http/response/back-to-list.server'
import { submit } from '../../http/request/forms.server'
import { toastTo } from '../../http/response/toast.server'
import { requireUserOrHome } from '../../http/auth/require-user.server'
import { isPaid, type Order } from '../../store/orders/orders'
import { listOrders, type PicturedOrder } from '../../store/orders/orders.server'
import { cancelOrder } from '../../store/ordering/cancel-order.server'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Picture } from '../../ui/catalog/picture'
import { FormError } from '../../ui/form-error'
import { formState } from '../../ui/form-state'
import { HeldUntil } from '../../ui/orders/held-until'
import { NoOrders } from '../../ui/orders/no-orders'
import { OrderLink, PayLink, ReceiptLink } from '../../ui/orders/order-links'
import { PageHeader } from '../../ui/layout/page-header'
import { Pager } from '../../ui/pager'
import { Price } from '../../ui/price'
import { Refunded } from '../../ui/orders/refunded'
import { ResponsiveTable, type Refusal } from '../../ui/responsive-table'
import { RowForm } from '../../ui/row-form'
import { shopName } from '../../shop-name'
import { Day } from '../../ui/time'
import { t } from '../../i18n/language'

const pageSize = 25

export const meta: MetaFunction = () => [{ title: `${t('My Orders')} · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const customer = await requireUserOrHome(request, context)
  const before = new URL(request.url).searchParams.get('before') ?? undefined
  return {
    ...(await listOrders(context, customer, { before, limit: pageSize })),
    isFirst: before === undefined,
    now: context.now(),
  }
}

const Cancellation = z.object({
  orderId: z.string({ error: 'Choose an order' }).max(100),
  anchor: z.string().max(200).optional(),
})

export async function action({ request, context }: ActionFunctionArgs) {
  const customer = await requireUserOrHome(request, context)
  return submit({ request, context }, Cancellation, async ({ orderId, anchor }) => {
    await cancelOrder(context, customer, orderId)
    return toastTo(context, backToList(request, anchor), t('Order Cancelled!'))
  })
}

export default function MyOrders() {
  const { orders, next, isFirst } = useLoaderData<typeof loader>()
  const { errors, field } = formState(useActionData<typeof action>())
  const refused = orders.find(({ id }) => id === field('orderId').initialValue)
  return (
    <>
      <PageHeader title={t('My Orders')} />
      {!refused && <FormError errors={errors} />}
      {orders.length > 0 ? <OrderTable orders={orders} refusal={refused && { row: refused, errors }} /> : <NoOrders />}
      <Pager
        first={isFirst ? null : '/dashboard/myOrders'}
        next={next && `/dashboard/myOrders?before=${encodeURIComponent(next)}`}
      />
    </>
  )
}

function OrderTable({ orders, refusal }: { orders: PicturedOrder[]; refusal: Refusal<PicturedOrder> }) {
  return (
    <ResponsiveTable
      caption={t('My Orders')}
      className="orders"
      rows={orders}
      refusal={refusal}
      rowKey={({ id }) => id}
      columns={[
        {
          header: t('Instrument Name'),
          rowHeader: true,
          nameId: ({ id }) => nameId(id),
          cell: (order) => (
            <div className="with-thumbnail">
              <Picture img={order.img} alt="" width={64} sizes="64px" lazy />
              <div>
                <OrderLink order={order} id={nameId(order.id)} />{' '}
                <span className="hint">
                  <Day at={order.createdAt} />
                </span>{' '}
                {!isPaid(order) && (
                  <>
                    <Badge>{t('Unpaid')}</Badge>{' '}
                    <span className="hint wrap-anywhere">
                      {t('Ship to {address}', { address: order.customerAddress.replaceAll('\n', ', ') })}
                    </span>
                  </>
                )}
              </div>
            </div>
          ),
        },
        { header: t('Price'), numeric: true, cell: (order) => <Price cents={order.totalCents} /> },
        { header: t('Order Quantity'), numeric: true, cell: ({ quantity }) => quantity },
        { header: t('Payment'), cell: (order) => <Payment order={order} /> },
        {
          header: t('Action'),
          cell: (order, index) => <Action order={order} neighbour={orders[index + 1] ?? orders[index - 1]} />,
        },
      ]}
    />
  )
}

/** For aria-describedby: links and buttons of a row have the same text. */
function nameId(orderId: string): string {
  return `order-${orderId}`
}

function Payment({ order }: { order: Order }) {
  const { now } = useLoaderData<typeof loader>()
  if (!isPaid(order)) {
    return (
      <>
        <PayLink orderId={order.id} describedBy={nameId(order.id)} />{' '}
        {order.holdUntil !== null && <HeldUntil at={order.holdUntil} now={now} />}
      </>
    )
  }
  return (
    <>
      <Badge tone="success">{t('Paid')}</Badge>{' '}
      {order.state === 'shipped' && <Badge tone="success">{t('Shipped')}</Badge>}{' '}
      <code className="transaction">{order.transactionId}</code> <Parcel order={order} />
      <Refunded order={order} />
    </>
  )
}

function Parcel({ order: { id, carrier, trackingNumber, trackingUrl } }: { order: Order }) {
  const text = [carrier, trackingNumber].filter(Boolean).join(' ')
  return (
    <>
      {text && <small className="held-until">{text}</small>}{' '}
      {trackingUrl && (
        <a href={trackingUrl} rel="noreferrer" aria-describedby={nameId(id)}>
          {t('Track the parcel')}
        </a>
      )}{' '}
    </>
  )
}

function Action({ order, neighbour }: { order: Order; neighbour: Order | undefined }) {
  if (isPaid(order)) return <ReceiptLink orderId={order.id} describedBy={nameId(order.id)} />
  return (
    <RowForm fields={{ orderId: order.id, anchor: neighbour && nameId(neighbour.id) }}>
      <Button variant="quiet" aria-describedby={nameId(order.id)}>
        {t('Cancel')}
      </Button>
    </RowForm>
  )
}
