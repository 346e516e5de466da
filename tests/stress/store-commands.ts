/* The shop's sentences that the torture says, in one place. */
export { cancelOrder } from '../../app/store/ordering/cancel-order.server'
export { runScheduledTasks } from '../../app/store/scheduled-tasks.server'
export { shipOrder } from '../../app/store/orders/orders.server'
export { confirmPayment, requestPayment } from '../../app/store/payments/start-payment.server'
export { startCheckout, startIntent } from '../../app/store/payments/payments.server'
export { placeOrder } from '../../app/store/ordering/place-order.server'
export { handleWebhookEvent } from '../../app/store/payments/webhook-events.server'
export { confirmOrderPayment } from '../../app/store/payments/confirm-payment.server'
