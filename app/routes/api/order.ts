import { serve } from '../../http/api.server'
import { order } from '../../api/orders.server'

export const loader = serve(order)
export const action = serve(order)
