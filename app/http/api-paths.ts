export const apiSegments = [
  ...['instruments', 'order', 'create-payment-intent', 'reviews', 'user', 'admin', 'update'],
  ...['order-changes', 'webhook-endpoints'],
]
