import { serve } from '../../api/serve.server'
import { reviews } from '../../api/endpoints/reviews.server'

export const loader = serve(reviews)
export const action = serve(reviews)
