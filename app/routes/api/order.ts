import { serve } from '../../api/serve.server'
import { order } from '../../api/endpoints/orders.server'

export const loader = serve(order)
export const action = serve(order)
