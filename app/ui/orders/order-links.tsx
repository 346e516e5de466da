import { orderNumber, type Order } from '../../store/orders/orders'
import { t } from '../../i18n/language'

interface OrderLinkProps {
  orderId: string
  describedBy?: string
}

export function orderPath(orderId: string): string {
  return `/dashboard/myOrders/${orderId}`
}

export function paymentPath(orderId: string): string {
  return `/dashboard/myOrders/payment/${orderId}`
}

export function receiptPath(orderId: string): string {
  return `/dashboard/myOrders/receipt/${orderId}`
}

/** The shopkeeper's page of it. */
export function manageOrderPath(orderId: string): string {
  return `/dashboard/manageOrders/${orderId}`
}

/** Where the shopkeeper is asked before a refund. */
export function refundPath(orderId: string): string {
  return `${manageOrderPath(orderId)}/refund`
}

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
