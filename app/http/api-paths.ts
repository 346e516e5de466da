export const apiSegments = [
  ...['instruments', 'order', 'create-payment-intent', 'reviews', 'user', 'admin', 'update'],
  ...['order-changes', 'instrument-changes', 'webhook-endpoints'],
]
