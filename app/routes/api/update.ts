import { serve } from '../../api/serve.server'
import { profile } from '../../api/endpoints/users.server'

export const loader = serve(profile)
export const action = serve(profile)
