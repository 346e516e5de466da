interface OrderLinkProps {
  orderId: string
  describedBy?: string
}

export function orderPath(orderId: string): string {
  return `/dashboard/myOrders/${orderId}`
}

export function PayLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <a href={`/dashboard/myOrders/payment/${orderId}`} className="button" aria-describedby={describedBy}>
      Pay
    </a>
  )
}

export function ReceiptLink({ orderId, describedBy }: OrderLinkProps) {
  return (
    <a href={`/dashboard/myOrders/receipt/${orderId}`} aria-describedby={describedBy}>
      Receipt
    </a>
  )
}
