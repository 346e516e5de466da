import { serve } from '../../http/api.server'
import { orders } from '../../api/orders.server'

export const loader = serve(orders)
export const action = serve(orders)
