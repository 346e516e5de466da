import { serve } from '../../api/serve.server'
import { instruments } from '../../api/endpoints/instruments.server'

export const loader = serve(instruments)
export const action = serve(instruments)
