import { orderNumber, type Order } from '../../store/orders/orders'
import { t } from '../../i18n/language'
import { pathTo } from '../../path-to'

interface OrderLinkProps {
  orderId: string
  describedBy?: string
}

export const orderPath = (id: string) => pathTo('/dashboard/myOrders/:id', { id })
export const paymentPath = (id: string) => pathTo('/dashboard/myOrders/payment/:id', { id })
export const receiptPath = (id: string) => pathTo('/dashboard/myOrders/receipt/:id', { id })
/** The shopkeeper's page of it. */
export const manageOrderPath = (id: string) => pathTo('/dashboard/manageOrders/:id', { id })
/** Where the shopkeeper is asked before a refund. */
export const refundPath = (id: string) => pathTo('/dashboard/manageOrders/:id/refund', { id })

interface NameLinkProps {
  order: Pick<Order, 'id' | 'number' | 'productName'>
  /** Of the link. */
  id: string
}

export function OrderLink({ order, id }: NameLinkProps) {
  return (
    <a id={id} href={orderPath(order.id)}>
      <span>
        {order.productName} · <span className="whitespace-nowrap">{orderNumber(order)}</span>
      </span>
    </a>
  )
}

export function PayLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <a href={paymentPath(orderId)} className="button" aria-describedby={describedBy}>
      {t('Pay')}
    </a>
  )
}

export function ReceiptLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <a href={receiptPath(orderId)} aria-describedby={describedBy}>
      {t('Receipt')}
    </a>
  )
}
