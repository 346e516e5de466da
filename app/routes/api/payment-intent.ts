import { serve } from '../../http/api.server'
import { paymentIntent } from '../../api/orders.server'

export const loader = serve(paymentIntent)
export const action = serve(paymentIntent)
