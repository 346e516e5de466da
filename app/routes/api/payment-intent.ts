import { serve } from '../../api/serve.server'
import { paymentIntent } from '../../api/endpoints/orders.server'

export const loader = serve(paymentIntent)
export const action = serve(paymentIntent)
