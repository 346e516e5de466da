import { serve } from '../../http/api.server'
import { instrument } from '../../api/instruments.server'

export const loader = serve(instrument)
export const action = serve(instrument)
