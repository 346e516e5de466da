import { serve } from '../../api/serve.server'
import { orders } from '../../api/endpoints/orders.server'

export const loader = serve(orders)
export const action = serve(orders)
