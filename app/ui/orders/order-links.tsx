import { Link } from '@remix-run/react'

interface OrderLinkProps {
  orderId: string
  /** The id of what says which order it is, where several stand. */
  describedBy?: string
}

/** Leads to the payment page, which is loaded as a whole: only its own headers let the card form in. */
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
