import { Link } from '@remix-run/react'

interface OrderLinkProps {
  orderId: string
  describedBy?: string
}

/** A document navigation: the card form needs the payment page's own Content-Security-Policy. */
export function PayLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <a href={`/dashboard/myOrders/payment/${orderId}`} className="button" aria-describedby={describedBy}>
      Pay
    </a>
  )
}

export function ReceiptLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <Link to={`/dashboard/myOrders/receipt/${orderId}`} aria-describedby={describedBy}>
      Receipt
    </Link>
  )
}
