import { serve } from '../../http/api.server'
import { reviews } from '../../api/reviews.server'

export const loader = serve(reviews)
export const action = serve(reviews)
