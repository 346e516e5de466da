import { serve } from '../../http/api.server'
import { instruments } from '../../api/instruments.server'

export const loader = serve(instruments)
export const action = serve(instruments)
