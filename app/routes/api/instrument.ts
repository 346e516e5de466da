import { serve } from '../../api/serve.server'
import { instrument } from '../../api/endpoints/instruments.server'

export const loader = serve(instrument)
export const action = serve(instrument)
