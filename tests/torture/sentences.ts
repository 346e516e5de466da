/* The shop's sentences that the torture says, in one place. */
export { cancelOrder } from '../../app/store/cancelling.server'
export { keepHouse } from '../../app/store/housekeeping.server'
export { shipOrder } from '../../app/store/orders.server'
export { confirmPayment, requestPayment } from '../../app/store/paying.server'
export { startCheckout, startIntent } from '../../app/store/payments.server'
export { placeOrder } from '../../app/store/placing.server'
export { receiveEvent } from '../../app/store/provider-events.server'
export { settleOrder } from '../../app/store/settling.server'
